"""The settings: a table of keys with type, default and range, kept in one JSON file."""

from claw_core import late
from claw_memory import platform

# key, type, default, then least and most of a number, or the choices. Types: s text, x secret
# text, i integer, b boolean, c choice. Pins go from -1 (not set) to 48. One string, because
# tuples for all of them would take three times as much of the heap.
TABLE = """
model.provider c auto auto offline openai anthropic
model.base_url s
model.name s
model.key x
model.max_tokens i 0 0 1000000
model.history_bytes i 32768 1000 1000000
context.window i 32768 4096 2000000
context.reserve i 4096 256 1000000
context.summarise b true
model.timeout i 90 1 600
memory.root s /
memory.mode c full full lightweight
memory.owner s serial
memory.max_message_chars i 4096 500 4096
sd.slot i 2 1 3
sd.sck i -1 -1 48
sd.miso i -1 -1 48
sd.mosi i -1 -1 48
sd.cs i -1 -1 48
wifi.ssid s
wifi.password x
extract.enabled b true
extract.model s
extract.deadline i 5 0 60
net.single_connection b false
files.shared b false
gpio.pins s
tls.verify b true
watchdog.seconds i 0 0 3600
time.zone s UTC
time.server s pool.ntp.org
setup.next c ask ask wifi zone provider name key test pins done
"""


def is_secret(key):
    """True when the value of key must never be shown."""
    return "\n%s x\n" % key in TABLE


def words_of(key):
    """The words of the table about key; KeyError for an unknown one."""
    start = TABLE.find("\n%s " % key)
    if start < 0 or " " in key:
        raise KeyError(key)
    return TABLE[start : TABLE.find("\n", start + 1)].split()


def default(key):
    """The value of a setting that nobody made. KeyError for an unknown key."""
    _, kind, *rest = words_of(key)
    if kind == "b":
        return rest[0] == "true"
    value = rest[0] if rest else ""
    return int(value) if kind == "i" else value


class Config:
    """The settings of one board. values: what the file says, bad: the keys of those that cannot be
    used. version grows with every change. set(), unset() and show() are in config_edit.py.

    path: the JSON file, one flat object; a missing file is no error. overrides: dict of text or
    values that win over the file and are never written. notice: function that gets a sentence
    about a file or values that cannot be used; a file that is no JSON object is kept aside as
    config.bad in the same folder.
    """

    __getattr__ = platform.seldom("claw_core.config_edit")

    def __init__(self, path, overrides=None, notice=None):
        self.path = path
        self.notice = notice or print
        self.version = 0
        self.checks = {}  # key: function that raises InvalidArg for a text that must not be set
        self.values = {}
        self.bad = ()
        self.overrides = {}
        from claw_core import config_load

        config_load.load(self, overrides)

    def get(self, key):
        """The value in force: override, file, else default. KeyError for an unknown key."""
        value = default(key)
        if key in self.overrides:
            return self.overrides[key]
        return value if key in self.bad else self.values.get(key, value)

    def redact(self, text):
        """text with every secret in it replaced by ****."""
        return late.once("secrets").redact(self, text)
