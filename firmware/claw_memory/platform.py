"""What differs between MicroPython boards and CPython, behind functions that the rest calls.

Those that are seldom called are in platform_fs.py; they are called as functions of this module.
"""

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
_CLOCK_SET = const(1704067200)
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


def date(seconds):
    """(year, month, day, hour, minute) of unix seconds that are counted in local time."""
    return tuple(time.gmtime(seconds - _EPOCH))[:5]


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


def ignore(sentence):
    """Do nothing: what gets the sentences for the user where nobody wants them."""


def unload(package, names):
    """Let go of modules (blank-separated names) of package that only a moment needs.

    Modules that were joined with the package when it was compiled stay.
    """
    # An import that ran out of RAM can leave a name without a module: the next one would crash.
    for whole in [name for name in sys.modules if sys.modules.get(name) is None]:
        sys.modules[whole] = None
        del sys.modules[whole]
    for name in names.split():
        whole = package + "." + name
        if sys.modules.get(whole) not in (None, sys.modules.get(package)):
            # a dictionary of MicroPython keeps the value that was in a free place
            sys.modules[whole] = None
            del sys.modules[whole]
            setattr(sys.modules[package], name, None)
            delattr(sys.modules[package], name)


def seldom(module):
    """A __getattr__ for a class: methods that no turn needs are functions of the named module."""

    def find(self, name):
        try:
            work = getattr(__import__(module, None, None, (name,)), name)
        except MemoryError:
            unload("", "")  # what was left of it must not be found again
            raise
        return lambda *args, **named: work(self, *args, **named)

    return find


def _stat(path):
    try:
        return os.stat(path)
    except OSError:
        return None


def size(path):
    """Bytes of the file at path, -1 when there is none."""
    st = _stat(path)
    return -1 if st is None or st[0] & 0x4000 else st[6]


def exists(path):
    """True when path names a file or a directory."""
    return _stat(path) is not None


def isdir(path):
    """True when path names a directory."""
    st = _stat(path)
    return st is not None and st[0] & 0x4000 != 0


def mtime(path):
    """Unix seconds of the last change of path, 0 when unknown."""
    st = _stat(path)
    changed = int(st[8]) + _EPOCH if st else 0
    return changed if changed >= _CLOCK_SET else 0


def fsync(file):
    """Have everything written to file reach the medium (flush is a sync on MicroPython)."""
    file.flush()
    if hasattr(os, "fsync"):
        os.fsync(file.fileno())


def __getattr__(name):
    # What is asked at a start only, or seldom.
    from claw_memory import platform_fs

    return getattr(platform_fs, name)
