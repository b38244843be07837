"""The part of `machine` of an ESP32-S3 that the unix program lacks, on a simulated pin table."""

import time

import board_sim
import disk
from umachine import PinBase, Signal, idle, mem8, mem16, mem32, time_pulse_us  # noqa: F401

PWRON_RESET = 1
HARD_RESET = 2
WDT_RESET = 3
DEEPSLEEP_RESET = 4
SOFT_RESET = 5

_cause = PWRON_RESET
_id = b""
_hz = 160000000
_card = None


def power_on(settings):
    """Take over what the supervisor knows about this start."""
    global _cause, _id, _card
    _cause = settings["cause"]
    _id = bytes(settings["id"])
    if settings["sd"]:
        _card = disk.open_disk(settings["sd"], "fat", settings["sd_read_only"])


def restart(*words):
    """Have the supervisor end this interpreter and start the next one; never returns."""
    import micropython

    micropython.kbd_intr(-1)
    board_sim.tell(*words)
    while True:
        time.sleep(1)


def reset():
    """Restart the board as its reset button does."""
    restart("hard")


def soft_reset():
    """Restart the interpreter, as Ctrl-D at the prompt does."""
    raise SystemExit


def deepsleep(time_ms=0):
    """Sleep for time_ms milliseconds (0: for ever), then start anew."""
    restart("deepsleep", time_ms)


def lightsleep(time_ms=0):
    """Sleep for time_ms milliseconds, then go on."""
    time.sleep_ms(time_ms)


def reset_cause():
    """Why the board started: one of the *_RESET constants."""
    return _cause


def wake_reason():
    """Always 0: no wake-up source is simulated."""
    return 0


def unique_id():
    """Six bytes that belong to the image."""
    return _id


def freq(hz=None):
    """Clock of the CPU in Hz; with hz set it (a number only, nothing runs faster)."""
    global _hz
    if hz is None:
        return _hz
    if hz not in (20000000, 40000000, 80000000, 160000000, 240000000):
        raise ValueError("frequency must be 20MHz, 40MHz, 80Mhz, 160MHz or 240MHz")
    _hz = hz


def _gpio(pin):
    if isinstance(pin, Pin):
        return pin.id
    if not isinstance(pin, int) or not (0 <= pin <= 21 or 26 <= pin <= 48):
        raise ValueError("invalid pin")
    return pin


class Pin(PinBase):
    """A GPIO of board_sim.pins."""

    IN = 1
    OUT = 3
    OPEN_DRAIN = 7
    PULL_DOWN = 1
    PULL_UP = 2
    IRQ_RISING = 1
    IRQ_FALLING = 2
    DRIVE_0, DRIVE_1, DRIVE_2, DRIVE_3 = 0, 1, 2, 3

    def __init__(self, id, mode=-1, pull=-1, *, value=None, drive=0, hold=None):
        self.id = _gpio(id)
        board_sim.pins.setdefault(self.id, [Pin.IN, 0, None])
        self.init(mode, pull, value=value)

    def init(self, mode=-1, pull=-1, *, value=None, drive=0, hold=None):
        """Change mode, pull and level."""
        row = board_sim.pins[self.id]
        if mode not in (-1, None):
            row[0] = mode
        if pull != -1:
            row[2] = pull
            if pull and row[0] == Pin.IN:
                row[1] = 1 if pull == Pin.PULL_UP else 0
        if value is not None:
            row[1] = 1 if value else 0

    def value(self, level=None):
        """Level 0 or 1; with level set it."""
        row = board_sim.pins[self.id]
        if level is None:
            return row[1]
        if row[0] != Pin.IN:
            row[1] = 1 if level else 0

    __call__ = value

    def on(self):
        """Set to 1."""
        self.value(1)

    def off(self):
        """Set to 0."""
        self.value(0)

    def toggle(self):
        """Exchange 0 and 1."""
        self.value(1 - self.value())

    def irq(self, handler=None, trigger=3, **_):
        """Accept a handler; levels changed in board_sim.pins do not call it."""
        return None

    def __repr__(self):
        return "Pin(%d)" % self.id


class ADC:
    """An analogue input of board_sim.adc."""

    ATTN_0DB, ATTN_2_5DB, ATTN_6DB, ATTN_11DB = 0, 1, 2, 3
    WIDTH_9BIT, WIDTH_10BIT, WIDTH_11BIT, WIDTH_12BIT = 9, 10, 11, 12

    def __init__(self, pin, atten=0):
        self.id = _gpio(pin)
        if not 1 <= self.id <= 20:
            raise ValueError("invalid pin")

    def init(self, **_):
        """Accept the settings of a real one."""

    def atten(self, _):
        """Accept an attenuation."""

    def width(self, _):
        """Accept a width."""

    def read_u16(self):
        """Level from 0 to 65535."""
        return board_sim.adc.get(self.id, 0)

    def read(self):
        """Level from 0 to 4095."""
        return self.read_u16() >> 4

    def read_uv(self):
        """Level in microvolts, 3.1 V at most."""
        return self.read_u16() * 3100000 // 65535


class PWM:
    """A pulse output of board_sim.pwm."""

    def __init__(self, dest, freq=5000, duty=None, duty_u16=None, duty_ns=None):
        self.id = _gpio(dest)
        board_sim.pwm[self.id] = (5000, 32768)
        self.init(freq, duty, duty_u16, duty_ns)

    def init(self, freq=None, duty=None, duty_u16=None, duty_ns=None):
        """Change frequency (Hz) and duty (0-1023, 0-65535 or nanoseconds)."""
        if freq is not None:
            self.freq(freq)
        if duty is not None:
            self.duty(duty)
        if duty_u16 is not None:
            self.duty_u16(duty_u16)
        if duty_ns is not None:
            self.duty_ns(duty_ns)

    def freq(self, hz=None):
        """Frequency in Hz; with hz set it."""
        if hz is None:
            return board_sim.pwm[self.id][0]
        if not 1 <= hz <= 40000000:
            raise ValueError("frequency must be from 1Hz to 40MHz")
        board_sim.pwm[self.id] = (hz, board_sim.pwm[self.id][1])

    def duty_u16(self, duty=None):
        """Duty from 0 to 65535; with duty set it."""
        if duty is None:
            return board_sim.pwm[self.id][1]
        if not 0 <= duty <= 65535:
            raise ValueError("duty_u16 must be from 0 to 65535")
        board_sim.pwm[self.id] = (board_sim.pwm[self.id][0], duty)

    def duty(self, duty=None):
        """Duty from 0 to 1023; with duty set it."""
        if duty is None:
            return self.duty_u16() >> 6
        if not 0 <= duty <= 1023:
            raise ValueError("duty must be from 0 to 1023")
        self.duty_u16(duty * 65535 // 1023)

    def duty_ns(self, ns=None):
        """Length of a pulse in nanoseconds; with ns set it."""
        hz = self.freq()
        if ns is None:
            return self.duty_u16() * 1000000000 // 65535 // hz
        self.duty_u16(ns * hz * 65535 // 1000000000)

    def deinit(self):
        """Stop the output."""
        board_sim.pwm.pop(self.id, None)


class I2C:
    """A bus on which the addresses of board_sim.i2c answer; they read as zeros."""

    def __init__(self, id=-1, *, scl=None, sda=None, freq=400000, timeout=50000):
        for pin in (scl, sda):
            if pin is not None:
                _gpio(pin)

    def scan(self):
        """Addresses that answer."""
        return sorted(board_sim.i2c)

    def _answers(self, addr):
        if addr not in board_sim.i2c:
            raise OSError(19)

    def writeto(self, addr, buf, stop=True):
        """Send buf; OSError(19) when nobody answers."""
        self._answers(addr)
        return len(buf)

    def readfrom(self, addr, nbytes, stop=True):
        """Receive nbytes zeros; OSError(19) when nobody answers."""
        self._answers(addr)
        return bytes(nbytes)

    def writeto_mem(self, addr, memaddr, buf, *, addrsize=8):
        """Send buf to a register."""
        self._answers(addr)

    def readfrom_mem(self, addr, memaddr, nbytes, *, addrsize=8):
        """Receive nbytes zeros from a register."""
        self._answers(addr)
        return bytes(nbytes)


SoftI2C = I2C


class WDT:
    """A watchdog that cannot be stopped: not fed for `timeout` milliseconds, it restarts."""

    def __init__(self, id=0, timeout=5000):
        if timeout < 1:
            raise ValueError("timeout must be at least 1 ms")
        board_sim.tell("wdt", timeout)

    def feed(self):
        """Start the time anew."""
        board_sim.tell("feed")


class RTC:
    """The clock of the host, read only."""

    def datetime(self, value=None):
        """(year, month, day, weekday, hours, minutes, seconds, microseconds) UTC."""
        if value is None:
            t = time.gmtime()
            return (t[0], t[1], t[2], t[6], t[3], t[4], t[5], 0)


class SDCard:
    """The card of the --sd option; without one the slot is empty and mounting fails."""

    def __init__(self, slot=1, width=1, **pins):
        for name in ("sck", "miso", "mosi", "cs", "cmd"):
            if pins.get(name) is not None:
                _gpio(pins[name])
        device = _card or disk.NoCard()
        self.readblocks = device.readblocks
        self.ioctl = device.ioctl
        if hasattr(device, "writeblocks"):
            self.writeblocks = device.writeblocks

    def info(self):
        """(bytes, bytes of a sector)."""
        return (self.ioctl(4, 0) * 512, 512)

    def deinit(self):
        """Accept the end of use."""
