"""Talks to the chip's boot loader: the real esptool as a subprocess, its output made readable."""

import os
import re
import subprocess
import sys

_BAUD = 460800
_PERCENT = re.compile(r"(\d+(?:\.\d+)?)%")
# What esptool says, in lower case, when the device disappears under it.
_WENT_AWAY = ("lost connection", "serial exception", "port that is not open", "input/output error",
              "stopped responding", "multiple access")


class RomError(Exception):
    """The chip could not be reached or refused; the text is one sentence for people."""


class ChipInfo:
    """What esptool read: chip name, flash and PSRAM in MB (0 when unknown or none)."""

    def __init__(self, name, flash_mb, psram_mb):
        self.name = name
        self.flash_mb = flash_mb
        self.psram_mb = psram_mb


def identify(port):
    """The ChipInfo of the chip on `port`. Leaves the chip in the boot loader's program.

    Raises RomError when nothing answers.
    """
    text = _run(port, ["--after", "no-reset", "flash-id"], "identify the chip")
    name = re.search(r"Connected to (\S+) on", text)
    flash = re.search(r"Detected flash size: +(\d+)(MB|KB)", text)
    psram = re.search(r"PSRAM (\d+)MB", text)
    if not name:
        raise RomError("The chip on %s did not say what it is: unplug it, plug it in again and "
                       "repeat." % port)
    flash_mb = int(flash.group(1)) if flash and flash.group(2) == "MB" else 0
    return ChipInfo(name.group(1), flash_mb, int(psram.group(1)) if psram else 0)


def erase(port, chip):
    """Erase the whole flash of the chip (esptool name `chip`): everything stored on it is gone."""
    _run(port, ["--chip", chip, "--after", "no-reset", "erase-flash"], "erase the flash")


def write(port, chip, offset, path, progress):
    """Write the file at `path` to flash offset `offset` (bytes), verify it and restart the chip.

    progress: called with whole percents. Other parts of the flash are left alone. Raises RomError,
    also when the chip's hash of what it holds now differs from the file's.
    """
    text = _run(port, ["--chip", chip, "--after", "hard-reset", "write-flash", hex(offset),
                       str(path)], "write the firmware", progress)
    if "Hash of data verified" not in text:
        verify(port, chip, offset, path)


def verify(port, chip, offset, path):
    """Compare the flash at `offset` (bytes) with the file at `path` and restart the chip.

    Raises RomError when they differ.
    """
    _run(port, ["--chip", chip, "--after", "hard-reset", "verify-flash", hex(offset), str(path)],
         "verify the firmware")


def _run(port, arguments, purpose, progress=None):
    """Run esptool and return what it printed; raise RomError with one sentence when it fails."""
    command = [sys.executable, "-m", "esptool", "--port", port, "--baud", str(_BAUD)] + arguments
    environment = dict(os.environ, NO_COLOR="1", COLUMNS="80", PYTHONIOENCODING="utf-8",
                       PYTHONUNBUFFERED="1")
    was_there = _is_there(port)
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, env=environment)
    output = bytearray()
    last = -1
    try:
        for line in _lines(process.stdout):
            output += line
            percent = _PERCENT.search(line.decode("utf-8", "replace")) if progress else None
            if percent and b"Writing" in line and int(float(percent.group(1))) != last:
                last = int(float(percent.group(1)))
                progress(last)
    finally:
        if process.poll() is None and sys.exc_info()[0] is not None:
            process.kill()
        process.wait()
    text = output.decode("utf-8", "replace")
    if process.returncode:
        raise RomError(_sentence(text, port, purpose, was_there))
    return text


def _lines(stream):
    """Lines of a stream of bytes, ended by CR or LF, as they come."""
    line = bytearray()
    while True:
        data = os.read(stream.fileno(), 4096)
        if not data:
            break
        for byte in data:
            line.append(byte)
            if byte in b"\r\n":
                yield bytes(line)
                line = bytearray()
    if line:
        yield bytes(line)


def _sentence(text, port, purpose, was_there):
    """One sentence for people about why esptool failed."""
    low = text.lower()
    if "no module named" in low:
        return "esptool is not installed: run `make venv`, then use .venv/bin/python."
    if not was_there:
        return "%s does not exist: check the cable and the name." % port
    went = any(mark in low for mark in _WENT_AWAY) or not _is_there(port)
    if went and "failed to connect" not in low:
        return ("The board went away while trying to %s: check the cable, plug it in again and "
                "repeat the same command." % purpose)
    if "could not open" in low:
        if "permission denied" in low:
            return ("You may not open %s: add yourself to the group that owns it (often dialout), "
                    "log in again and repeat." % port)
        if "not configure port" in low:
            return "%s is not a serial port: name the board's port." % port
        return "%s is in use: close the other program (a terminal, mpremote) and repeat." % port
    if "failed to connect" in low or "no serial data" in low:
        return ("The chip on %s does not answer: hold its BOOT button, press RESET, release BOOT, "
                "and repeat." % port)
    if "verify failed" in low or "digest mismatch" in low or "verification failed" in low:
        return "The flash differs from the file: repeat; if it stays so, the flash is worn out."
    cause = re.search(r"error occurred: *(.*)", text)
    detail = " ".join((cause.group(1) if cause else text[-200:]).split())
    return "esptool could not %s on %s: %s" % (purpose, port, detail.rstrip(".") + ".")


def _is_there(port):
    """False when `port` is a device file that does not exist (other names cannot be checked)."""
    return not port.startswith("/") or os.path.exists(port)
