"""Writes that leave nothing old on the medium: free space, directories, and ends of clusters.

Everything in steps; a step leaves some room on the medium for others. What a cut leaves behind
are files that sweep() knows, and journals that are carried out. See docs/durability.md.
"""

import os

from claw_memory import durable, fatdir, platform, rewrite
from claw_memory.platform import const

_NOISE = const(4096)  # bytes written in one go
_LONG = const(240)  # bytes of the name of a filler on LittleFS
_INLINE = const(96)  # bytes of a file that LittleFS keeps in its directory
_ROUNDS = const(24)  # fillers after which each block of a directory pair was written anew twice
_MARK = "~~~~"
_SLOTS = const(32)  # directory entries of FAT written in one step
_MOST = const(0xE000)  # entries of one directory of FAT


def _noise(size):
    # os.urandom is slow byte by byte, and nobody needs these to be secret.
    return bytearray(os.urandom(min(size, 256)) * max(1, size // 256))


def is_filler(name):
    """True for the name of a file that only took up room."""
    name = name.lower()
    return name.endswith(".tmp") and (name.startswith("claw") or _MARK in name)


def sweep(folder):
    """Remove fillers that a cut left in a directory. Raises NoSpace or IOFailure."""
    prefix = folder.rstrip("/") + "/"
    for name in platform.listed(prefix, is_filler):
        durable._guard(durable._unlink, prefix + name)


class Filler:
    """Takes all room of a file system with noise, from the directory prefix ("/memory/").

    total: bytes written so far. Used as: for _ in fill(): ...; full() and free() around what
    needs a full medium; close() in the end, whatever happened.
    """

    def __init__(self, prefix):
        self._prefix = prefix
        self._data = _noise(_NOISE)
        self._count = 0
        self.total = 0
        block = max(512, os.statvfs(prefix)[0])
        whole = platform.free_bytes(prefix, True)
        self._block = block
        self._reserve = max(2 * block, min(32768, whole // 32 // block * block))

    def _path(self, number):
        return "%sclawf%03x.tmp" % (self._prefix, number)

    def _write(self, path, size, step):
        # False when the medium is full.
        data = memoryview(self._data)
        try:
            with durable._open(path, "wb") as file:
                while size:
                    n = min(size, _NOISE)
                    durable._put(file, data[:n])
                    self.total += n
                    size -= n
                    if step:
                        yield
        except OSError as e:
            if not e.args or e.args[0] not in (28, 13):
                raise
            return False
        return True

    def _now(self, path, size):
        for _ in self._write(path, size, True):
            pass

    def fill(self):
        """Write until only the reserve is free, a piece a step; then fill that, too."""
        self.full()
        largest = platform.free_bytes(self._prefix) // 16
        size = max(self._block, largest // self._block * self._block)
        while size >= self._block:
            free = platform.free_bytes(self._prefix)
            if free <= self._reserve:
                break
            size = max(self._block, min(size, (free - self._reserve) // self._block * self._block))
            self._count += 1
            done = yield from self._write(self._path(self._count), size, True)
            if not done:
                break
        # The last of it, with a full medium only within a step.
        size = self._reserve
        while size >= self._block:
            self._count += 1
            path = self._path(self._count)
            before = self.total
            self._now(path, size)
            if self.total - before < size:
                size //= 2
                # Looking for room where there is none takes long: others have a turn.
                self.free()
                yield
                self.full()
        self.free()
        yield

    def full(self):
        """Take the reserve."""
        self._now(self._path(0), self._reserve)

    def free(self):
        """Give the reserve back until full()."""
        durable._unlink(self._path(0))

    def close(self):
        """Remove everything again."""
        for number in range(self._count + 1):
            durable._unlink(self._path(number))


def slots(folder, filler):
    """Steps that write every entry of a directory of FAT: removed names go. filler: full."""
    prefix = folder.rstrip("/") + "/"
    count = 0
    filler.full()
    try:
        while count < _MOST:
            # Eight and three characters: each takes one entry, the first that is not in use.
            fatdir.touch("%sclaw%04x.tmp" % (prefix, count))
            count += 1
            if not count % _SLOTS:
                filler.free()
                yield
                filler.full()
    except OSError as e:
        if not e.args or e.args[0] not in (28, 13):
            raise
    finally:
        for number in range(count):
            durable._unlink("%sclaw%04x.tmp" % (prefix, number))
        filler.free()


def churn(folder):
    """Steps that make LittleFS write every block of a directory anew, twice.

    A directory is a chain of pairs of blocks, ordered by names. Fillers with a long name just
    before each name there is fill the block in use until the other one takes over.
    """
    prefix = folder.rstrip("/") + "/"
    names = platform.listed(prefix, lambda name: not is_filler(name))
    data = _noise(_INLINE)[:_INLINE]
    rounds = max(_ROUNDS, _ROUNDS * os.statvfs(prefix)[0] // 4096)
    for name in names or ["m"]:
        last = chr(max(33, ord(name[-1]) - 1))
        lead = name[:-1] + ("." if last == "/" else last)
        path = prefix + lead + "~" * (_LONG - len(lead.encode())) + ".tmp"
        try:
            for _ in range(rounds):
                with durable._open(path, "wb") as file:
                    file.write(data)
                durable._os.remove(path)
        except OSError:
            durable._unlink(path)
            raise
        yield


def slack(path, clean):
    """Write the file at path on FAT anew so that its last cluster holds nothing else.

    clean: a file of a sector or more whose first one may be seen: what FAT has read last shows
    at the end of the sector that it writes next. After a cut the file is as it was. Raises
    OSError.
    """
    prefix = durable._enter(path)[0]
    size = platform.size(path)
    cluster = os.statvfs(prefix)[0]
    if size <= 0 or not size % cluster:
        return
    try:
        rewrite._write_journal(prefix, ((path, _content(path, clean)),), True)
    except BaseException:
        durable._unlink(prefix + durable._JOURNAL)
        raise
    durable._kinds.pop(prefix, None)
    # The journal has the file: until it is carried out, the file may hold something else.
    rewrite._write(path, _padding(-(-size // cluster) * cluster))
    durable._replay(prefix)


def _content(path, clean):
    with open(path, "rb") as file:
        while True:
            piece = file.read(512)
            with open(clean, "rb") as other:
                other.read(512)
            if not piece:
                return
            yield piece


def _padding(size):
    data = memoryview(_noise(_NOISE))
    while size:
        n = min(size, _NOISE)
        yield data[:n]
        size -= n


def clean_file(prefix):
    """Make a file for slack() and return its path; it is a filler. Raises OSError."""
    path = prefix + "clawe.tmp"
    rewrite._write(path, _padding(os.statvfs(prefix)[0]))
    return path
