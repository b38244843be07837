"""Reads an ESP image file and decides whether it is MicroPython for a given chip.

Formats: ESP-IDF firmware image (header, segments, checksum, appended SHA-256), ESP-IDF application
descriptor (magic 0xABCD5432, 32 bytes into the app) and ESP-IDF partition table (entries of 32
bytes that start with 0x50AA).
"""

import hashlib
import re
import struct
from pathlib import Path

MIN_MICROPYTHON = (1, 24)
_RELEASE = "20250911-v1.26.1"
# What the REPL prints at its start; the build puts it into the app as one string.
_BANNER = re.compile(rb"MicroPython v?((\d+)\.(\d+)[!-~]{0,40}) on \d{4}-\d\d-\d\d")
_PAGE = "https://micropython.org/download/%s/"


class Chip:
    """One supported chip: name for people, id in image headers, offset of the image in flash."""

    def __init__(self, name, esptool_name, image_id, offset, board):
        self.name = name
        self.esptool_name = esptool_name
        self.image_id = image_id
        self.offset = offset
        self.board = board

    def firmware_file(self, flash_mb=8, psram_mb=0):
        """Name of the MicroPython file that fits a module with this much flash and PSRAM."""
        variant = ""
        if self.esptool_name == "esp32s3":
            if psram_mb >= 8:
                variant = "-SPIRAM_OCT"
            elif flash_mb == 4:
                variant = "-FLASH_4M"
        elif psram_mb:
            variant = "-SPIRAM"
        return "%s%s-%s.bin" % (self.board, variant, _RELEASE)

    def firmware_page(self):
        """Address of the page where the MicroPython files of this chip are."""
        return _PAGE % self.board


CHIPS = (
    Chip("ESP32-S3", "esp32s3", 9, 0x0, "ESP32_GENERIC_S3"),
    Chip("ESP32", "esp32", 0, 0x1000, "ESP32_GENERIC"),
)
# Names of chips that people also own, to say what an image is for.
_OTHER_IDS = {2: "ESP32-S2", 5: "ESP32-C3", 12: "ESP32-C2", 13: "ESP32-C6", 16: "ESP32-H2",
              18: "ESP32-P4", 23: "ESP32-C5"}


class ImageError(Exception):
    """The file must not be written to the board; the text is one sentence for people."""


class Image:
    """What a MicroPython firmware file is: path, chip, version tuple, flash it needs in bytes."""

    def __init__(self, path, chip, version, version_text, size, flash_needed):
        self.path = path
        self.chip = chip
        self.version = version
        self.version_text = version_text
        self.size = size
        self.flash_needed = flash_needed


def chip_by_name(name):
    """The supported Chip that esptool calls `name` ("esp32s3", "ESP32-S3"), or None."""
    plain = name.lower().replace("-", "")
    for chip in CHIPS:
        if plain == chip.esptool_name:
            return chip
    return None


def read_image(path):
    """Check the file at path and return its Image.

    Raises ImageError unless it is a complete MicroPython image (boot loader, partition table and
    app in one file) of at least version 1.24 for a supported chip.
    """
    path = Path(path)
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise ImageError("%s does not exist: give the MicroPython .bin file that you downloaded."
                         % path) from None
    except OSError as error:
        raise ImageError("%s cannot be read (%s)." % (path, error.strerror)) from None
    name = path.name
    if len(data) < 24 or data[0] != 0xE9:
        hint = " (a .uf2 file is for other boards)" if data[:4] == b"UF2\n" else ""
        raise ImageError("%s is not an ESP firmware image%s: get %s from %s."
                         % (name, hint, CHIPS[0].firmware_file(), CHIPS[0].firmware_page()))
    image_id = struct.unpack_from("<H", data, 12)[0]
    chip = next((c for c in CHIPS if c.image_id == image_id), None)
    if chip is None:
        raise ImageError("%s is an image for the %s; this firmware runs on %s."
                         % (name, _OTHER_IDS.get(image_id, "chip number %d" % image_id),
                            " and ".join(c.name for c in CHIPS)))
    partitions = _partitions(data, 0x8000 - chip.offset)
    if not partitions:
        what = "only the app part of MicroPython" if _descriptor(data, 0) else "not MicroPython"
        raise ImageError("%s is %s: get %s from %s."
                         % (name, what, chip.firmware_file(), chip.firmware_page()))
    app = next(p for p in partitions if p[0] == 0)
    app_at = app[2] - chip.offset
    descriptor = _descriptor(data, app_at)
    banner = _BANNER.search(data, app_at)
    if descriptor != "micropython" or banner is None:
        raise ImageError("%s is not MicroPython%s: get %s from %s."
                         % (name, ' but "%s"' % descriptor if descriptor else "",
                            chip.firmware_file(), chip.firmware_page()))
    _check_complete(data, 0, name)
    _check_complete(data, app_at, name)
    version = int(banner.group(2)), int(banner.group(3))
    version_text = banner.group(1).decode()
    if version < MIN_MICROPYTHON:
        raise ImageError("%s is MicroPython %s; version %d.%d or newer is needed: get %s from %s."
                         % ((name, version_text) + MIN_MICROPYTHON
                            + (chip.firmware_file(), chip.firmware_page())))
    needed = max(offset + size for _, _, offset, size, _ in partitions)
    return Image(path, chip, version, version_text, len(data), needed)


def _partitions(data, at):
    """List of (type, subtype, offset, size, label) in the partition table at `at`; app first."""
    found = []
    while data[at:at + 2] == b"\xaa\x50":
        kind, subtype, offset, size = struct.unpack_from("<BBII", data, at + 2)
        label = data[at + 12:at + 28].split(b"\0")[0].decode("ascii", "replace")
        found.append((kind, subtype, offset, size, label))
        at += 32
    return found if any(p[0] == 0 for p in found) else []


def _descriptor(data, at):
    """Project name in the descriptor of the app at `at`, or None when there is no descriptor."""
    head = data[at + 32:at + 32 + 80]
    if len(head) < 80 or head[:4] != b"\x32\x54\xcd\xab":
        return None
    return head[48:80].split(b"\0")[0].decode("utf-8", "replace")


def _check_complete(data, at, name):
    """Raise ImageError unless checksum and hash of the image at `at` fit (a torn download)."""
    torn = ImageError("%s is damaged or was downloaded only in part: download it again." % name)
    try:
        segments = data[at + 1]
        hashed = data[at + 23]
        pos = at + 24
        checksum = 0xEF
        for _ in range(segments):
            size = struct.unpack_from("<I", data, pos + 4)[0]
            body = data[pos + 8:pos + 8 + size]
            if len(body) != size:
                raise torn
            checksum ^= xor_bytes(body)
            pos += 8 + size
        pos = at + ((pos - at) | 15) + 1
        if data[pos - 1] != checksum:
            raise torn
        if hashed and hashlib.sha256(data[at:pos]).digest() != data[pos:pos + 32]:
            raise torn
    except (IndexError, struct.error):
        raise torn from None


def xor_bytes(body):
    """XOR of all bytes of `body`."""
    # Folded in halves as one big number: a loop over bytes takes seconds for 1.6 MB.
    length = 1
    while length < len(body):
        length *= 2
    value = int.from_bytes(body, "little")
    bits = length * 8
    while bits > 8:
        bits //= 2
        value = (value >> bits) ^ (value & ((1 << bits) - 1))
    return value
