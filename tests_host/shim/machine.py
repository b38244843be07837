"""Simulated machine module: pins in a table that tests can read, and a reset that raises.

Runs on CPython and in the MicroPython binary. `board` is what a test looks at: the level, mode
and duty of every pin, the bytes that went over I2C, and why the board last started.
"""

PWRON_RESET = 1
HARD_RESET = 2
WDT_RESET = 3
DEEPSLEEP_RESET = 4
SOFT_RESET = 5


class Reset(SystemExit):
    """What reset() raises: nothing after it runs, as on a board."""


class Board:
    """State of the simulated board; clear() brings it back to power-on."""

    def __init__(self):
        self.clear()

    def clear(self):
        """Forget all pins and transfers; the next reset_cause is power-on."""
        self.pins = {}  # number -> Level
        self.analog = {}  # number -> reading of 0..65535
        self.i2c = {}  # address -> bytearray of registers
        self.cause = PWRON_RESET
        self.resets = 0
        self.wdt = None
        self.rtc = None
        self.frequency = 240000000

    def pin(self, number):
        """State of the pin with this number, made when first asked for."""
        if number not in self.pins:
            self.pins[number] = Level(number)
        return self.pins[number]


class Level:
    """One pin: its level (0 or 1), mode, pull, PWM duty (0..65535) and handler of interrupts."""

    def __init__(self, number):
        self.number = number
        self.level = 0
        self.mode = None
        self.pull = None
        self.duty = None
        self.freq = None
        self.handler = None
        self.trigger = 0

    def drive(self, level):
        """For tests: put a level on the pin from outside, which may call its handler."""
        before = self.level
        self.level = level
        edge = Pin.IRQ_RISING if level > before else Pin.IRQ_FALLING
        if self.handler and level != before and self.trigger & edge:
            self.handler(Pin(self.number))


board = Board()


class Pin:
    """A pin by its number, 0 to 48 (ValueError for others, as on the chip)."""

    IN = 1
    OUT = 3
    OPEN_DRAIN = 7
    PULL_DOWN = 1
    PULL_UP = 2
    IRQ_RISING = 1
    IRQ_FALLING = 2

    def __init__(self, id, mode=None, pull=None, value=None):
        if not isinstance(id, int) or not 0 <= id <= 48:
            raise ValueError("invalid pin")
        self._state = board.pin(id)
        self.init(mode, pull, value)

    def init(self, mode=None, pull=None, value=None):
        """Change what is given of mode, pull and value."""
        if mode is not None:
            self._state.mode = mode
        if pull is not None:
            self._state.pull = pull
            self._state.level = 1 if pull == self.PULL_UP else 0
        if value is not None:
            self._state.level = 1 if value else 0

    def value(self, level=None):
        """The level, or set it."""
        if level is None:
            return self._state.level
        self._state.level = 1 if level else 0
        return None

    __call__ = value

    def on(self):
        """Set the level to 1."""
        self.value(1)

    def off(self):
        """Set the level to 0."""
        self.value(0)

    def toggle(self):
        """Invert the level."""
        self.value(1 - self._state.level)

    def irq(self, handler=None, trigger=3, hard=False):
        """Call handler(pin) on these edges; None stops that."""
        self._state.handler = handler
        self._state.trigger = trigger

    def __repr__(self):
        return "Pin(%d)" % self._state.number


def _number(pin):
    return pin._state.number if isinstance(pin, Pin) else Pin(pin)._state.number


class ADC:
    """Reads what a test put into board.analog[pin], 0 to 65535."""

    ATTN_0DB = 0
    ATTN_2_5DB = 1
    ATTN_6DB = 2
    ATTN_11DB = 3

    def __init__(self, pin, atten=ATTN_0DB):
        self._pin = _number(pin)

    def atten(self, value):
        """Accepted and without effect."""

    def read_u16(self):
        """Reading, 0 to 65535."""
        return board.analog.get(self._pin, 0)

    def read(self):
        """Reading, 0 to 4095."""
        return self.read_u16() >> 4

    def read_uv(self):
        """Reading in microvolts, full scale 3.3 V."""
        return self.read_u16() * 3300000 // 65535


class PWM:
    """Duty and frequency of a pin, kept in board.pins."""

    def __init__(self, dest, freq=5000, duty=None, duty_u16=None):
        self._state = board.pin(_number(dest))
        self._state.freq = freq
        self._state.duty = duty_u16 if duty_u16 is not None else (duty or 0) << 6

    def freq(self, value=None):
        """Frequency in hertz, or set it."""
        if value is None:
            return self._state.freq
        self._state.freq = value
        return None

    def duty_u16(self, value=None):
        """Duty, 0 to 65535, or set it."""
        if value is None:
            return self._state.duty
        if not 0 <= value <= 65535:
            raise ValueError("duty_u16 must be from 0 to 65535")
        self._state.duty = value
        return None

    def duty(self, value=None):
        """Duty, 0 to 1023, or set it."""
        if value is None:
            return self._state.duty >> 6
        if not 0 <= value <= 1023:
            raise ValueError("duty must be from 0 to 1023")
        self._state.duty = value << 6
        return None

    def deinit(self):
        """Stop."""
        self._state.duty = None


class I2C:
    """Devices are byte arrays of registers that a test put into board.i2c[address]."""

    def __init__(self, id=0, scl=None, sda=None, freq=400000, timeout=50000):
        self.freq = freq

    def scan(self):
        """Addresses of the devices, ascending."""
        return sorted(board.i2c)

    def _device(self, address):
        if address not in board.i2c:
            raise OSError(19)
        return board.i2c[address]

    def readfrom_mem(self, addr, memaddr, nbytes):
        """Bytes of registers; OSError(ENODEV) without such a device."""
        return bytes(self._device(addr)[memaddr : memaddr + nbytes])

    def writeto_mem(self, addr, memaddr, buf):
        """Write registers; OSError(ENODEV) without such a device."""
        self._device(addr)[memaddr : memaddr + len(buf)] = buf

    def readfrom(self, addr, nbytes):
        """The first registers; OSError(ENODEV) without such a device."""
        return self.readfrom_mem(addr, 0, nbytes)

    def writeto(self, addr, buf):
        """Write to the register that the first byte names; returns the number of bytes."""
        if len(buf) > 1:
            self.writeto_mem(addr, buf[0], buf[1:])
        else:
            self._device(addr)
        return len(buf)


SoftI2C = I2C


class WDT:
    """Watchdog that cannot be stopped; board.wdt counts how often it was fed."""

    def __init__(self, id=0, timeout=5000):
        self.timeout = timeout
        board.wdt = 0

    def feed(self):
        """Postpone the reset."""
        board.wdt += 1


class RTC:
    """Date and time as (year, month, day, weekday, hour, minute, second, subsecond)."""

    def datetime(self, value=None):
        """The date and time, or remember what was set (the host's clock is left alone)."""
        import time

        if value is not None:
            board.rtc = tuple(value)
            return None
        if board.rtc:
            return board.rtc
        t = time.gmtime()
        return (t[0], t[1], t[2], t[6], t[3], t[4], t[5], 0)


class SDCard:
    """There is no card: OSError(ENODEV), as with an empty slot."""

    def __init__(self, slot=1, **pins):
        raise OSError(19)


def reset():
    """Count the reset and raise Reset."""
    board.resets += 1
    board.cause = HARD_RESET
    raise Reset("machine.reset()")


def soft_reset():
    """Count the reset and raise Reset."""
    board.resets += 1
    board.cause = SOFT_RESET
    raise Reset("machine.soft_reset()")


def reset_cause():
    """Why the board started: one of the *_RESET constants."""
    return board.cause


def unique_id():
    """Six bytes, the same on every simulated board."""
    return b"\x02\x00\x00\x00\x00\x01"


def freq(value=None):
    """Clock of the CPU in hertz, or set it."""
    if value is None:
        return board.frequency
    board.frequency = value
    return None


def idle():
    """Nothing to wait for."""
