"""Pins of the simulated board: digital, analogue and pulse outputs on the tables of board_sim."""

import board_sim
from umachine import PinBase


def gpio(pin):
    """GPIO number of a pin or number; ValueError for one that an ESP32-S3 lacks."""
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
        self.id = gpio(id)
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
        self.id = gpio(pin)
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
        self.id = gpio(dest)
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
