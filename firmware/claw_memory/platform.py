"""What differs between MicroPython boards and CPython, behind functions that the rest calls."""

# The board's stubs know neither CPython's half of this file nor two definitions of one name.
# pyright: reportAssignmentType=false, reportAttributeAccessIssue=false

import gc
import os
import sys
import time

try:
    from micropython import const
except ImportError:  # plain CPython

    def const(value):
        """The value itself; MicroPython's compiler puts it in the place of its private name."""
        return value


# An unset ESP32 counts up from 2000-01-01; no board of ours ran before this (2024-01-01).
_CLOCK_SET = 1704067200
# time.time() counts from here; MicroPython on the ESP32 uses 2000 where others use 1970.
_EPOCH = 946684800 if time.gmtime(0)[0] == 2000 else 0

if hasattr(time, "ticks_ms"):
    ticks_ms = time.ticks_ms
    ticks_diff = time.ticks_diff
else:

    def ticks_ms():
        """Milliseconds of a clock that never jumps."""
        return int(time.monotonic() * 1000)

    def ticks_diff(end, start):
        """Milliseconds from start to end, both from ticks_ms()."""
        return end - start


def unix_time():
    """Seconds since 1970 UTC, or 0 while the clock was never set."""
    now = int(time.time()) + _EPOCH
    return now if now >= _CLOCK_SET else 0


def is_micropython():
    """True on a board and in the unix binary."""
    return sys.implementation.name == "micropython"


def gil_threads():
    """True where threads may share Python objects: CPython and the boards, not the unix binary."""
    return not (is_micropython() and sys.platform in ("linux", "darwin"))


def mem_free():
    """Free heap in bytes, or -1 where the runtime does not tell."""
    return gc.mem_free() if hasattr(gc, "mem_free") else -1


def board():
    """Name of the board, or of the machine that simulates it."""
    try:
        return os.uname().machine
    except AttributeError:
        return sys.platform


def mem_size():
    """Bytes of the heap, used and free; a large number where the runtime has no limit."""
    return gc.mem_free() + gc.mem_alloc() if hasattr(gc, "mem_free") else 1 << 30


def unload(package, names):
    """Let go of modules (blank-separated names) of package that only a moment needs."""
    for name in names.split():
        whole = package + "." + name
        if whole in sys.modules:
            # a dictionary of MicroPython keeps the value that was in a free place
            sys.modules[whole] = None
            del sys.modules[whole]
            setattr(sys.modules[package], name, None)
            delattr(sys.modules[package], name)


def size(path):
    """Bytes of the file at path, -1 when there is none."""
    try:
        st = os.stat(path)
    except OSError:
        return -1
    return -1 if st[0] & 0x4000 else st[6]


def exists(path):
    """True when path names a file or a directory."""
    try:
        os.stat(path)
    except OSError:
        return False
    return True


def isdir(path):
    """True when path names a directory."""
    try:
        return bool(os.stat(path)[0] & 0x4000)
    except OSError:
        return False


def mtime(path):
    """Unix seconds of the last change of path, 0 when unknown."""
    try:
        changed = int(os.stat(path)[8]) + _EPOCH
    except OSError:
        return 0
    return changed if changed >= _CLOCK_SET else 0


def free_bytes(path, whole=False):
    """Free bytes on the file system that holds path, or all; -1 when it does not tell."""
    try:
        st = os.statvfs(path)
    except (OSError, AttributeError):
        return -1
    return st[1] * st[2] if whole else st[0] * st[3]


def fsync(file):
    """Have everything written to file reach the medium (flush is a sync on MicroPython)."""
    file.flush()
    if hasattr(os, "fsync"):
        os.fsync(file.fileno())


def _mounts():
    try:
        import vfs

        return vfs.mount()
    except (ImportError, TypeError):
        return ()


def listed(folder, wanted):
    """Names in the directory folder for which wanted(name) holds; one at a time on a board."""
    folder = folder.rstrip("/") or folder or "."
    if hasattr(os, "ilistdir"):
        return [entry[0] for entry in os.ilistdir(folder) if wanted(entry[0])]
    return [name for name in os.listdir(folder) if wanted(name)]


def on_fat(path):
    """True when path lies on a file system of the kind FAT."""
    return fs_kind(path).endswith("fat")


def fs_kind(path):
    """Kind of the file system that holds path.

    'lfs2': LittleFS2. 'fat': FAT on a medium that writes sectors whole (SD card). 'ffat': FAT
    on raw flash, which no software can make safe against power cuts. 'posix': anything else.
    """
    best = ""
    kind = "posix"
    for fs, point in _mounts():
        if len(point) >= len(best) and (path == point or path.startswith(point.rstrip("/") + "/")):
            best = point
            name = type(fs).__name__
            if name == "VfsLfs2":
                kind = "lfs2"
            elif name == "VfsFat":
                kind = "ffat" if _is_flash(point) else "fat"
            else:
                kind = "posix"
    return kind


def _is_flash(point):
    # The stock firmware mounts a FAT partition labelled ffat at / by itself; a card is
    # mounted by main.py elsewhere.
    if point != "/":
        return False
    try:
        from esp32 import Partition

        return bool(Partition.find(Partition.TYPE_DATA, label="ffat"))
    except (ImportError, OSError):
        return False
