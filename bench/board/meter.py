"""Counts the bytes that go through open(): installed before the firmware is imported."""

import builtins

_open = builtins.open
read = 0
written = 0


class _File:
    def __init__(self, *args):
        self._file = _open(*args)
        self.seek = self._file.seek
        self.tell = self._file.tell
        self.flush = self._file.flush
        self.close = self._file.close

    def read(self, *args):
        return self._got(self._file.read(*args))

    def readline(self, *args):
        return self._got(self._file.readline(*args))

    def readinto(self, *args):
        global read
        n = self._file.readinto(*args)
        read += n or 0
        return n

    def write(self, data):
        global written
        written += len(data)
        return self._file.write(data)

    def _got(self, data):
        global read
        read += len(data)
        return data

    def __iter__(self):
        return self

    def __next__(self):
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def install():
    """Have every open() of modules imported from now on counted."""
    builtins.open = _File


def uninstall():
    """Let open() be the runtime's own again."""
    builtins.open = _open


def reset():
    """Count from 0 again."""
    global read, written
    read = written = 0
