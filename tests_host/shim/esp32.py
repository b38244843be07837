"""Simulated esp32 module: NVS, partitions and the idle heap of the S3 without PSRAM."""

HEAP_DATA = 4
HEAP_EXEC = 1

_nvs = {}


class NVS:
    """A namespace of the non-volatile store: 32-bit integers and blobs, as on the chip."""

    def __init__(self, namespace):
        if len(namespace) > 15:
            raise OSError(-0x1109, "ESP_ERR_NVS_KEY_TOO_LONG")
        self._values = _nvs.setdefault(namespace, {})

    def _get(self, key, kind):
        value = self._values.get(key)
        if not isinstance(value, kind):
            raise OSError(-0x1102, "ESP_ERR_NVS_NOT_FOUND")
        return value

    def set_i32(self, key, value):
        """Store an integer of 32 bits."""
        if not -(1 << 31) <= value < 1 << 31:
            raise OverflowError("overflow converting long int to machine word")
        self._values[key] = value

    def get_i32(self, key):
        """The integer; OSError when there is none."""
        return self._get(key, int)

    def set_blob(self, key, value):
        """Store bytes."""
        self._values[key] = bytes(value)

    def get_blob(self, key, buffer):
        """Copy the bytes into buffer and return their number; OSError when there are none."""
        value = self._get(key, bytes)
        buffer[: len(value)] = value
        return len(value)

    def erase_key(self, key):
        """Remove the key; OSError when there is none."""
        if key not in self._values:
            raise OSError(-0x1102, "ESP_ERR_NVS_NOT_FOUND")
        del self._values[key]

    def commit(self):
        """Values are kept as soon as they are set."""


class Partition:
    """The partitions of the simulated board; `labels` are those of its data partitions."""

    TYPE_APP = 0
    TYPE_DATA = 1
    BOOT = 0
    RUNNING = 1
    labels = ["vfs"]

    def __init__(self, name):
        self.name = name

    @staticmethod
    def find(type=TYPE_APP, subtype=0xFF, label=None, block_size=None):
        """Partitions of this type and label."""
        names = Partition.labels if type == Partition.TYPE_DATA else ["factory"]
        return [Partition(name) for name in names if label is None or name == label]

    def info(self):
        """(type, subtype, address, bytes, label, encrypted)."""
        return (self.TYPE_DATA, 0x81, 0x200000, 0x600000, self.name, False)


def idf_heap_info(capabilities):
    """[(total, free, largest free block, lowest free)] in bytes, one region."""
    return [(240000, 140000, 110000, 130000)]


def mcu_temperature():
    """Degrees Celsius of the chip."""
    return 42


def raw_temperature():
    """Degrees Fahrenheit of the chip."""
    return 107
