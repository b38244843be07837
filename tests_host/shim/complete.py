"""Adds to CPython's own modules what only MicroPython's have."""

import _thread
import asyncio
import gc
import os
import sys
import threading
import time
import traceback

_TICKS = 1 << 30  # ticks wrap around here, as on the ESP32
_MIN_STACK = 32768  # bytes; CPython refuses less

# What gc.mem_free() and gc.mem_alloc() tell, in bytes: an S3 without PSRAM after start.
HEAP = {"free": 150000, "alloc": 50000}


def ticks_ms():
    """Milliseconds of a clock that never jumps; wraps around at 2**30."""
    return time.monotonic_ns() // 1000000 % _TICKS


def ticks_us():
    """Microseconds of a clock that never jumps; wraps around at 2**30."""
    return time.monotonic_ns() // 1000 % _TICKS


def ticks_add(ticks, delta):
    """The ticks that lie delta after ticks."""
    return (ticks + delta) % _TICKS


def ticks_diff(end, start):
    """Signed distance from start to end, right across one wrap."""
    return (end - start + _TICKS // 2) % _TICKS - _TICKS // 2


def sleep_ms(ms):
    """Block for ms milliseconds."""
    time.sleep(max(0, ms) / 1000)


def sleep_us(us):
    """Block for us microseconds."""
    time.sleep(max(0, us) / 1000000)


async def async_sleep_ms(ms):
    """Let other tasks run for ms milliseconds."""
    await asyncio.sleep(max(0, ms) / 1000)


async def wait_for_ms(awaitable, timeout):
    """asyncio.wait_for with the time-out in milliseconds."""
    return await asyncio.wait_for(awaitable, timeout / 1000)


class ThreadSafeFlag:
    """Flag for one waiting task; set() may come from any thread and wakes the loop."""

    def __init__(self):
        self._lock = threading.Lock()
        self._set = False
        self._waiter = None

    def set(self):
        """Set the flag, from any thread."""
        with self._lock:
            self._set = True
            waiter, self._waiter = self._waiter, None
        if waiter:
            try:
                waiter[0].call_soon_threadsafe(_wake, waiter[1])
            except RuntimeError:  # the loop of that waiter is closed
                pass

    def clear(self):
        """Clear the flag."""
        with self._lock:
            self._set = False

    async def wait(self):
        """Wait until the flag is set, then clear it."""
        while True:
            with self._lock:
                if self._set:
                    self._set = False
                    return
                loop = asyncio.get_running_loop()
                future = loop.create_future()
                self._waiter = (loop, future)
            await future


def _wake(future):
    if not future.done():
        future.set_result(None)


class FileStream:
    """What asyncio.StreamReader(file) and StreamWriter(file) are on a board, for a host's file."""

    def __init__(self, file):
        self._file = getattr(file, "buffer", file)
        self._out = bytearray()
        try:
            self._fd = self._file.fileno()
        except (AttributeError, OSError):
            self._fd = -1

    async def _readable(self):
        if self._fd < 0:
            return
        loop = asyncio.get_running_loop()
        future = loop.create_future()
        try:
            loop.add_reader(self._fd, _wake, future)
        except PermissionError:  # a plain file is always readable
            return
        try:
            await future
        finally:
            loop.remove_reader(self._fd)

    async def read(self, n=-1):
        """At most n bytes as soon as there are any (b'' at the end), all of them for -1."""
        parts = []
        while True:
            await self._readable()
            size = n if n >= 0 else 4096
            part = os.read(self._fd, size) if self._fd >= 0 else self._file.read(size)
            parts.append(part)
            if n >= 0 or not part:
                return b"".join(parts)

    async def readline(self):
        """Bytes up to and with the next newline."""
        line = b""
        while not line.endswith(b"\n"):
            part = await self.read(1)
            if not part:
                break
            line += part
        return line

    def write(self, data):
        """Take bytes (or text, as UTF-8) for the next drain()."""
        self._out += data.encode() if isinstance(data, str) else data

    async def drain(self):
        """Write what was taken."""
        data, self._out = bytes(self._out), bytearray()
        self._file.write(data)
        self._file.flush()

    def close(self):
        """The file stays open: it belongs to the caller."""

    async def wait_closed(self):
        """Counterpart of close()."""


def _accepting_files(original):
    class Stream(original):
        def __new__(cls, source=None, *args, **kwargs):
            if hasattr(source, "read") or hasattr(source, "write"):
                if not isinstance(source, asyncio.BaseTransport):
                    return FileStream(source)
            return original(source, *args, **kwargs) if source is not None else original()

    Stream.__name__ = Stream.__qualname__ = original.__name__
    return Stream


def ilistdir(path="."):
    """(name, type, inode, size) of the entries of a directory; type is 0x4000 or 0x8000."""
    for name in os.listdir(path):
        st = os.stat(path.rstrip("/") + "/" + name)
        yield name, st[0] & 0xC000, 0, st[6] if st[0] & 0x8000 else 0


def print_exception(error, file=None):
    """Print the traceback of error to file (standard output)."""
    traceback.print_exception(type(error), error, error.__traceback__, file=file or sys.stdout)


_stack_size = _thread.stack_size


def stack_size(size=0):
    """_thread.stack_size that takes the small sizes of a board; returns the size before."""
    return _stack_size(max(size, _MIN_STACK) if size else 0)


def _threshold(amount=None):
    return -1 if amount is None else None


_ADDITIONS = (
    (time, {"ticks_ms": ticks_ms, "ticks_us": ticks_us, "ticks_cpu": ticks_us}),
    (time, {"ticks_add": ticks_add, "ticks_diff": ticks_diff}),
    (time, {"sleep_ms": sleep_ms, "sleep_us": sleep_us}),
    (asyncio, {"sleep_ms": async_sleep_ms, "wait_for_ms": wait_for_ms}),
    (asyncio, {"ThreadSafeFlag": ThreadSafeFlag}),
    (gc, {"mem_free": lambda: HEAP["free"], "mem_alloc": lambda: HEAP["alloc"]}),
    (gc, {"threshold": _threshold}),
    (os, {"ilistdir": ilistdir}),
    (sys, {"print_exception": print_exception}),
)


def complete():
    """Add what is missing; what CPython has already stays as it is."""
    for module, names in _ADDITIONS:
        for name, value in names.items():
            if not hasattr(module, name):
                setattr(module, name, value)
    if _thread.stack_size is not stack_size:
        _thread.stack_size = stack_size
    if asyncio.StreamReader is asyncio.streams.StreamReader:
        asyncio.StreamReader = _accepting_files(asyncio.streams.StreamReader)
        asyncio.StreamWriter = _accepting_files(asyncio.streams.StreamWriter)
