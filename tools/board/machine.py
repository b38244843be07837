"""The part of `machine` of an ESP32-S3 that the unix program lacks, on a simulated pin table."""

import time

import board_sim
import disk
from machine_pins import ADC, PWM, Pin, gpio  # noqa: F401
from umachine import Signal, idle, mem8, mem16, mem32, time_pulse_us  # noqa: F401

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


class I2C:
    """A bus on which the addresses of board_sim.i2c answer; they read as zeros."""

    def __init__(self, id=-1, *, scl=None, sda=None, freq=400000, timeout=50000):
        for pin in (scl, sda):
            if pin is not None:
                gpio(pin)

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
                gpio(pins[name])
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
