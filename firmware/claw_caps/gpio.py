"""Pins for the model: only those that the user allowed in gpio.pins, and shown when used."""

import machine

from claw_caps import board_s3
from claw_memory import jsonio, limits
from claw_memory.errors import InvalidArg

# PWM outputs go on only as long as their objects live.
_pwm = {}


def allowed(text):
    """The pin numbers of a list such as "2, 4-6"; raises InvalidArg naming what is wrong."""
    pins = []
    for part in text.replace(",", " ").split():
        low, dash, high = part.partition("-")
        if not low.isdigit() or (dash and not high.isdigit()):
            raise InvalidArg("gpio.pins must look like 2, 4-6: %s is no pin" % part)
        if not int(low) <= int(high or low) <= limits.PIN_MOST:
            text = "gpio.pins takes pins from 0 to %d, and ranges that go up: not %s"
            raise InvalidArg(text % (limits.PIN_MOST, part))
        for pin in range(int(low), int(high or low) + 1):
            pins.append(pin)
    return pins


def check(text):
    """Raise InvalidArg naming the first pin of such a list that may never be used."""
    for pin in allowed(text):
        why = board_s3.refusal(pin)
        if why:
            raise InvalidArg(why)


def _pin(args, ctx, name="pin"):
    pin = int(args[name])
    why = board_s3.refusal(pin)
    if why:
        raise InvalidArg(why)
    pins = allowed(ctx.config.get("gpio.pins"))
    if pin not in pins:
        raise InvalidArg(
            "pin %d is not allowed; the user can allow it with /config set gpio.pins (now: %s)"
            % (pin, ", ".join([str(p) for p in pins]) or "none")
        )
    return pin


def _between(args, name, low, high):
    value = args[name]
    if not low <= value <= high:
        raise InvalidArg("%s must be from %d to %d" % (name, low, high))
    return int(value)


def _done(ctx, shown, *pairs):
    ctx.emit("info", "[%s]" % shown)
    return jsonio.dumps(jsonio.obj("ok", True, *pairs))


def gpio_read(args, ctx):
    """Level of a pin, 0 or 1; pull is "up", "down" or nothing."""
    pin = _pin(args, ctx)
    pulls = {"up": machine.Pin.PULL_UP, "down": machine.Pin.PULL_DOWN}
    level = machine.Pin(pin, machine.Pin.IN, pulls.get(args.get("pull"))).value()
    return _done(ctx, "pin %d reads %d" % (pin, level), "pin", pin, "value", level)


def gpio_write(args, ctx):
    """Drive a pin to 0 or 1."""
    pin = _pin(args, ctx)
    level = _between(args, "value", 0, 1)
    _stop_pwm(pin)
    machine.Pin(pin, machine.Pin.OUT, value=level)
    return _done(ctx, "pin %d set to %d" % (pin, level), "pin", pin, "value", level)


def adc_read(args, ctx):
    """Voltage of a pin as a fraction of full scale, 0 to 65535."""
    pin = _pin(args, ctx)
    if not board_s3.has_adc(pin):
        raise InvalidArg("pin %d cannot measure a voltage; pins 1 to 20 can" % pin)
    raw = machine.ADC(machine.Pin(pin)).read_u16()
    return _done(ctx, "pin %d measures %d/65535" % (pin, raw), "pin", pin, "u16", raw)


def pwm_set(args, ctx):
    """A square wave on a pin: frequency in Hz, duty in percent; duty 0 stops it."""
    pin = _pin(args, ctx)
    freq = _between(args, "freq", 1, 40000000)
    duty = _between(args, "duty", 0, 100)
    _stop_pwm(pin)
    if duty:
        _pwm[pin] = machine.PWM(machine.Pin(pin), freq=freq, duty_u16=duty * 65535 // 100)
    shown = "pin %d: %d Hz, %d %%" % (pin, freq, duty)
    return _done(ctx, shown, "pin", pin, "freq", freq, "duty", duty)


def _stop_pwm(pin):
    old = _pwm.pop(pin, None)
    if old is not None:
        old.deinit()


def i2c_scan(args, ctx):
    """Addresses that answer on the bus of two pins."""
    scl = _pin(args, ctx, "scl")
    sda = _pin(args, ctx, "sda")
    bus = machine.SoftI2C(scl=machine.Pin(scl), sda=machine.Pin(sda), timeout=1000)
    found = bus.scan()
    shown = "I2C on pins %d and %d: %d devices" % (scl, sda, len(found))
    return _done(ctx, shown, "addresses", found)


def neopixel_set(args, ctx):
    """Light `count` pixels on a pin in one colour, each part 0 to 255."""
    import neopixel

    pin = _pin(args, ctx)
    count = _between(args, "count", 1, limits.PIXELS) if "count" in args else 1
    colour = tuple([_between(args, name, 0, 255) for name in ("red", "green", "blue")])
    _stop_pwm(pin)
    pixels = neopixel.NeoPixel(machine.Pin(pin, machine.Pin.OUT), count)
    pixels.fill(colour)
    pixels.write()
    shown = "pin %d: %d pixels %d,%d,%d" % ((pin, count) + colour)
    return _done(ctx, shown, "pin", pin, "count", count)
