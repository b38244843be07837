"""Which pins of an ESP32-S3 may be offered to the model (ESP32-S3 datasheet, section Pins).

GPIO 26 to 32 carry the flash and PSRAM, 33 to 37 those of boards with octal PSRAM; 19 and 20 are
the USB socket, 43 and 44 the UART console; 0, 3, 45 and 46 decide how the chip starts; 22 to 25
do not exist.
"""

_SAFE = ((1, 2), (4, 18), (21, 21), (38, 42), (47, 48))
_MEMORY = ((26, 37),)
_ADC = ((1, 20),)


def _within(pin, ranges):
    return any([low <= pin <= high for low, high in ranges])


def refusal(pin):
    """Why pin (a number) may never be used, "" when the user may allow it."""
    if _within(pin, _SAFE):
        return ""
    if _within(pin, _MEMORY):
        return "pin %d belongs to the flash or the PSRAM and is never allowed" % pin
    return "pin %d is not free on an ESP32-S3 (USB, console, start-up or absent)" % pin


def has_adc(pin):
    """True when the chip can measure a voltage on pin."""
    return _within(pin, _ADC)
