"""The capabilities of gpio.py, in the form of the table in claw_caps."""

TABLE = (
    "gpio|gpio_read|pin:i! pull:s|Level of a pin, 0 or 1; pull: up or down.\n"
    "gpio|gpio_write|pin:i! value:i!|Drive a pin to 0 or 1.\n"
    "gpio|adc_read|pin:i!|Measure a pin, 0 to 65535 of full scale.\n"
    "gpio|pwm_set|pin:i! freq:i! duty:i!|Square wave on a pin: Hz, duty in percent.\n"
    "gpio|i2c_scan|scl:i! sda:i!|Addresses of the devices on an I2C bus.\n"
    "gpio|neopixel_set|pin:i! red:i! green:i! blue:i! count:i"
    "|Light the neopixels on a pin in one colour, each part 0 to 255.\n"
)
