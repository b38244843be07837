import machine
from bothlib import raises, run, tmpdir
from claw_caps import board_s3, gpio, register_all
from claw_core.capability import CallContext, Capabilities
from claw_memory import jsonio
from claw_memory.errors import InvalidArg
from claw_memory.memory import Memory

TOOLS = ["gpio_read", "gpio_write", "adc_read", "pwm_set", "i2c_scan", "neopixel_set"]


class Config:
    def __init__(self, pins):
        self.pins = pins

    def get(self, key):
        return self.pins if key == "gpio.pins" else ""


class Board:
    def __init__(self, pins="4-6, 48"):
        machine.board.clear()
        self.shown = []
        memory = Memory(tmpdir("gpio"))
        config = Config(pins)
        self.caps = Capabilities()
        register_all(self.caps, memory, config)
        self.ctx = CallContext(memory, config, "s", 1, "serial", "0", self.emit)

    def emit(self, kind, text):
        self.shown.append(text)

    def ask(self, tool, **args):
        text, failed = run(self.caps.call(tool, args, self.ctx))
        out = jsonio.loads(text)
        assert failed is not out["ok"]
        return out


def test_without_allowed_pins_the_model_is_offered_none():
    assert not [name for name in Board("").caps.names() if name in TOOLS]
    assert [name for name in Board().caps.names() if name in TOOLS] == TOOLS


def test_write_and_read_reach_the_pin_and_are_shown():
    board = Board()
    assert board.ask("gpio_write", pin=4, value=1)["value"] == 1
    assert machine.board.pin(4).level == 1
    assert machine.board.pin(4).mode == machine.Pin.OUT
    machine.board.pin(5).level = 1
    assert board.ask("gpio_read", pin=5)["value"] == 1
    assert board.ask("gpio_read", pin=6, pull="up")["value"] == 1
    assert board.shown == ["[pin 4 set to 1]", "[pin 5 reads 1]", "[pin 6 reads 1]"]


def test_pins_that_were_not_allowed_stay_untouched():
    board = Board()
    out = board.ask("gpio_write", pin=7, value=1)
    assert out["error"] == "invalid_arg" and "gpio.pins" in out["message"]
    assert 7 not in machine.board.pins
    assert board.shown == []


def test_flash_and_console_pins_are_refused_even_when_allowed():
    board = Board("0-48")
    for pin in (0, 19, 20, 26, 30, 32, 33, 37, 43, 44, 45):
        assert board.ask("gpio_write", pin=pin, value=1)["error"] == "invalid_arg"
        assert pin not in machine.board.pins
    assert "never" in board_s3.refusal(27)
    assert board.ask("gpio_write", pin=-1, value=1)["error"] == "invalid_arg"
    assert board.ask("gpio_write", pin=99, value=1)["error"] == "invalid_arg"


def test_values_out_of_range_change_nothing():
    board = Board()
    assert board.ask("gpio_write", pin=4, value=2)["error"] == "invalid_arg"
    assert board.ask("pwm_set", pin=4, freq=0, duty=50)["error"] == "invalid_arg"
    assert board.ask("neopixel_set", pin=4, red=256, green=0, blue=0)["error"] == "invalid_arg"
    assert board.ask("gpio_write", pin="4", value=1)["error"] == "invalid_arguments"
    assert machine.board.pins == {} or machine.board.pin(4).level == 0


def test_adc():
    board = Board("4 21")
    machine.board.analog[4] = 40000
    assert board.ask("adc_read", pin=4)["u16"] == 40000
    assert "1 to 20" in board.ask("adc_read", pin=21)["message"]


def test_pwm_runs_until_stopped():
    board = Board()
    board.ask("pwm_set", pin=4, freq=1000, duty=50)
    assert machine.board.pin(4).duty == 32767
    assert machine.board.pin(4).freq == 1000
    board.ask("pwm_set", pin=4, freq=1000, duty=0)
    assert not machine.board.pin(4).duty
    board.ask("pwm_set", pin=5, freq=50, duty=10)
    board.ask("gpio_write", pin=5, value=0)
    assert not machine.board.pin(5).duty


def test_i2c_scan():
    board = Board()
    machine.board.i2c[0x3C] = bytearray(4)
    assert board.ask("i2c_scan", scl=4, sda=5)["addresses"] == [0x3C]
    assert board.ask("i2c_scan", scl=4, sda=9)["error"] == "invalid_arg"


def test_neopixel():
    board = Board()
    assert board.ask("neopixel_set", pin=48, red=1, green=2, blue=3, count=2)["count"] == 2
    assert board.shown == ["[pin 48: 2 pixels 1,2,3]"]


def test_the_list_of_pins():
    assert gpio.allowed("2, 4-6") == [2, 4, 5, 6]
    assert gpio.allowed("") == []
    assert "a" in str(raises(InvalidArg, gpio.allowed, "2, a"))
    for text in ("1-999999999", "999", "4, 47-49", "6-4"):
        assert text.split()[-1] in str(raises(InvalidArg, gpio.allowed, text))


def test_a_list_with_a_pin_that_is_never_allowed_is_no_setting():
    gpio.check("")
    gpio.check("1, 2, 4-18, 21, 38-42, 47, 48")
    for text, why in (
        ("4, 26", "pin 26 belongs"),
        ("17-19", "pin 19"),
        ("x", "is no pin"),
        ("999", "999"),
    ):
        assert why in str(raises(InvalidArg, gpio.check, text))
