"""`esp32` of the simulated board: partitions, NVS kept in a host file, heap and temperature."""

import json

import disk

HEAP_DATA = 4
HEAP_EXEC = 1

flash = None
_label = "vfs"
_nvs_file = None
_nvs = {}


def power_on(settings):
    """Open the flash and the NVS file."""
    global flash, _label, _nvs_file, _nvs
    fs = settings["fs"]
    flash = disk.open_disk(settings["image"], fs, settings["read_only"])
    _label = "ffat" if fs == "ffat" else "vfs"
    if not settings["read_only"]:
        _nvs_file = open(settings["nvs"], "r+b")
        try:
            _nvs = json.loads(_nvs_file.read())
        except ValueError:
            _nvs = {}


class Partition:
    """The data partition, which is the flash image, and one application partition."""

    TYPE_APP = 0
    TYPE_DATA = 1
    BOOT = 0
    RUNNING = 1

    def __init__(self, id=1, block_size=None):
        self._app = id in (0, 1, "factory")
        if not self._app:
            if id != _label:
                raise OSError(2)
            self.readblocks = flash.readblocks
            self.ioctl = flash.ioctl
            if hasattr(flash, "writeblocks"):
                self.writeblocks = flash.writeblocks

    @classmethod
    def find(cls, type=0, subtype=0xFF, label=None, block_size=None):
        """Partitions of that type and label."""
        name = "factory" if type == cls.TYPE_APP else _label
        return [cls(name)] if label in (None, name) else []

    def info(self):
        """(type, subtype, address, bytes, label, encrypted)."""
        if self._app:
            return (0, 0, 0x10000, 0x1F0000, "factory", False)
        size = self.ioctl(4, 0) * self.ioctl(5, 0)
        return (1, 0x81, 0x200000, size, _label, False)


class NVS:
    """Small values that survive a restart; changes reach the medium at commit()."""

    def __init__(self, namespace):
        self._space = _nvs.setdefault(namespace, {})

    def _get(self, key, kind):
        try:
            value = self._space[key]
        except KeyError:
            raise OSError(-4354, "ESP_ERR_NVS_NOT_FOUND")
        if not isinstance(value, kind):
            raise OSError(-4354, "ESP_ERR_NVS_NOT_FOUND")
        return value

    def get_i32(self, key):
        """A stored number."""
        return self._get(key, int)

    def set_i32(self, key, value):
        """Store a number of 32 bits."""
        self._space[key] = value

    def get_blob(self, key, buf):
        """Copy stored bytes to buf and return how many."""
        value = bytes(self._get(key, list))
        if len(value) > len(buf):
            raise OSError(-4364, "ESP_ERR_NVS_INVALID_LENGTH")
        buf[: len(value)] = value
        return len(value)

    def set_blob(self, key, value):
        """Store bytes."""
        self._space[key] = list(value)

    def erase_key(self, key):
        """Remove a value."""
        self._get(key, (int, list))
        del self._space[key]

    def commit(self):
        """Write all to the medium."""
        if _nvs_file is None:
            raise OSError(30)
        text = json.dumps(_nvs)
        _nvs_file.seek(0)
        # White space after the text hides what was there: MicroPython cannot shorten a file.
        _nvs_file.write(text + " " * 4096 if len(text) < 4096 else text)


def idf_heap_info(capabilities):
    """[(total, free, largest free block, lowest free)] bytes of one region."""
    return [(280000, 120000, 65536, 110000)]


def mcu_temperature():
    """Degrees Celsius."""
    return 35
