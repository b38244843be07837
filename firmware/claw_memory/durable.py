"""Every write of the firmware goes through here: append, replace and remove, each all or nothing.

docs/durability.md says why each step is safe. The journal of a directory, claw.jnl, holds the
new files one after the other, then a table with a line `<what> <name>` per file (what: bytes of
the file, `-` to remove it, `=` when the new file lies in name.tmp), then b"CLAW", the bytes of the
table and the CRC32 of all that precedes it (both u32, little endian). One that is not complete
counts as absent. Its name is lower case 8.3: one directory entry on FAT, never cut in two.
"""

import os as _os
import struct
from binascii import crc32

from micropython import const

from claw_memory import platform
from claw_memory.errors import IOFailure, NoSpace

_ENOENT = const(2)
_EIO = const(5)
_EEXIST = const(17)
_ENOSPC = const(28)
_PIECE = const(512)  # bytes copied at a time
_TAIL = const(12)  # bytes of the journal after its table

_JOURNAL = "claw.jnl"
_TEMP = ".tmp"

_open = open  # tests put failing ones here and into _os
# Kind of file system of each directory ("/memory/") whose journal is known to be absent.
_kinds = {}


def append(path, data, line=True):
    """Append data (bytes) to the file at path, which is created if need be; all or nothing.

    With line=True an unfinished last line is closed first. Returns the offset in bytes at which
    data starts. Raises NoSpace or IOFailure; the old content then reads as before, followed at
    most by blank lines. A cut may leave a new file empty: readers take that for no file.
    """
    return _guard(_append, path, data, line)


def replace(path, chunks):
    """Give the file at path the content chunks (iterable of bytes); old or new after any cut.

    Raises NoSpace or IOFailure with the old content in place.
    """
    _guard(_replace, path, ((path, chunks),))


def replace_many(files):
    """Replace several files of one directory at once: after any cut all are old or all are new.

    files: sequence of (path, chunks); chunks None removes the file. Raises NoSpace or IOFailure
    with all of them as before.
    """
    _guard(_replace, files[0][0], files)


def derive(path, chunks):
    """Write a file that can be rebuilt at any time: like replace, but cheaper and unsafe on FAT."""
    _guard(_derive, path, chunks)


def remove(path):
    """Remove the file at path and tell whether there was one. Raises IOFailure or NoSpace."""
    return _guard(_remove, path)


def make_dirs(path):
    """Make the directory path and those above it as far as they are missing."""
    return _guard(_make_dirs, path)


def recover(dir, own=None):
    """Complete or undo what a cut left in the directory dir; to be called before reading there.

    own: function that tells for a file name whether its temporary file may be removed, None for
    all. Returns sentences for the user. Writes nothing where there is nothing to do; a failing
    file system is reported in a sentence and the work is tried again before the next write.
    """
    prefix = dir if dir.endswith("/") else dir + "/"
    notices = []
    _kinds.pop(prefix, None)
    try:
        if not platform.isdir(dir):
            return notices
        if _enter(prefix)[2]:
            notices.append("Finished a change in %s that a power cut had interrupted." % dir)
        left = [n for n in _names(prefix) if n.endswith(_TEMP)]
        for name in left:
            if own is None or own(name[: -len(_TEMP)]):
                _unlink(prefix + name)
    except OSError as e:
        notices.append(
            "An interrupted change in %s could not be finished (error %s): check the card or "
            "free some space, then restart." % (dir, e.errno)
        )
    return notices


def _guard(work, path, *args):
    try:
        return work(path, *args)
    except OSError as e:
        code = e.args[0] if e.args else 0  # CPython leaves errno empty in OSError(28)
    if code == _ENOSPC:
        raise NoSpace("No space left to write %s: delete something and try again." % path)
    raise IOFailure("Cannot write %s (error %s): check the card or the flash." % (path, code))


def _enter(path):
    """(directory with its slash, kind of file system, True when a journal was replayed)."""
    prefix = path[: path.rfind("/") + 1]
    replayed = False
    if prefix not in _kinds:
        replayed = _replay(prefix)
        _kinds[prefix] = platform.fs_kind(path)
    return prefix, _kinds[prefix], replayed


def _names(prefix):
    where = prefix.rstrip("/") or prefix or "."
    if hasattr(_os, "ilistdir"):
        return (entry[0] for entry in _os.ilistdir(where))
    return _os.listdir(where)


def _put(file, data):
    if file.write(data) != len(data):
        raise OSError(_ENOSPC)


def _write(path, chunks):
    file = _open(path, "wb")
    try:
        for chunk in chunks:
            _put(file, chunk)
        platform.fsync(file)
    finally:
        file.close()


def _unlink(path):
    try:
        _os.remove(path)
    except OSError as e:
        if e.errno != _ENOENT:
            raise
        return False
    return True


def _room(prefix, sizes):
    """Refuse on FAT, before anything is touched, what would fill the disk half way.

    sizes: sequence of (bytes now, bytes wanted), one per file.
    """
    st = _os.statvfs(prefix)
    cluster = st[0]
    need = 1  # the directory itself may grow
    for old, new in sizes:
        need += max(0, -(-new // cluster) - -(-max(0, old) // cluster))
    if st[3] < need:
        raise OSError(_ENOSPC)


def _append(path, data, line):
    prefix, kind, _ = _enter(path)
    size = platform.size(path)
    start = max(0, size)
    if kind.endswith("fat"):
        _room(prefix, ((size, start + 1 + len(data)),))
    try:
        file = _open(path, "a+b")
        try:
            if line and start:
                file.seek(start - 1)
                if file.read(1) != b"\n":
                    _put(file, b"\n")
                    start += 1
            _put(file, data)
            platform.fsync(file)
        finally:
            file.close()
    except OSError:
        _undo_append(path, size, line)
        raise
    return start


def _undo_append(path, size, line):
    # FAT keeps what it could write: whole lines among it must not be read as appended.
    try:
        grown = platform.size(path) - max(0, size)
        if size < 0:
            _unlink(path)
        elif line and grown > 0:
            file = _open(path, "r+b")
            try:
                file.seek(size)
                for _ in range(grown):
                    file.write(b"\n")
            finally:
                file.close()
    except OSError:
        pass


def _derive(path, chunks):
    if not _enter(path)[1].endswith("fat"):
        return _replace(path, ((path, chunks),))
    done = False
    try:
        _write(path, chunks)
        done = True
    finally:
        if not done:
            _discard((path,))


def _discard(paths):
    try:
        for path in paths:
            _unlink(path)
    except OSError:
        return False
    return True


def _replace(path, files):
    prefix, kind, _ = _enter(path)
    fat = kind.endswith("fat")
    made = []
    done = False
    try:
        for p, chunks in files:
            if chunks is not None and not fat:
                made.append(p + _TEMP)
                _write(p + _TEMP, chunks)
        if made and len(files) == 1:
            _os.rename(made[0], path)
            done = True
            return
        made.insert(0, prefix + _JOURNAL)
        _write_journal(prefix, files, fat)
        done = True
    finally:
        if not done and not _discard(made):
            _kinds.pop(prefix, None)
    # From here on the change is decided. Until the journal is gone again, whoever writes in
    # this directory next has to replay it first.
    _kinds.pop(prefix, None)
    try:
        replayed = _replay(prefix)
    except OSError:
        replayed = _replay(prefix)
    _kinds[prefix] = kind
    if not replayed:
        raise OSError(_EIO)


def _write_journal(prefix, files, fat):
    crc = 0
    table = []
    sizes = []
    file = _open(prefix + _JOURNAL, "wb")
    try:
        for path, chunks in files:
            what = "-" if chunks is None else "="
            if fat and chunks is not None:
                what = 0
                for chunk in chunks:
                    _put(file, chunk)
                    crc = crc32(chunk, crc)
                    what += len(chunk)
                sizes.append((platform.size(path), what))
            table.append("%s %s\n" % (what, path[len(prefix) :]))
        tail = "".join(table).encode()
        if fat:
            sizes.append((0, len(tail) + _TAIL))
            _room(prefix, sizes)
        tail += struct.pack("<4sI", b"CLAW", len(tail))
        _put(file, tail)
        _put(file, struct.pack("<I", crc32(tail, crc)))
        platform.fsync(file)
    finally:
        file.close()


def _pieces(file, count):
    view = memoryview(bytearray(_PIECE))
    while count:
        n = file.readinto(view[: min(count, _PIECE)])
        if not n:
            raise OSError(_EIO)
        yield view[:n]
        count -= n


def _read_table(file, size):
    """Lines of the table of a journal of size bytes, None when it is not complete."""
    if size < _TAIL:
        return None
    file.seek(size - _TAIL)
    mark, length, check = struct.unpack("<4sII", file.read(_TAIL))
    if mark != b"CLAW" or length > size - _TAIL:
        return None
    crc = 0
    file.seek(0)
    for piece in _pieces(file, size - 4):
        crc = crc32(piece, crc)
    if crc != check:
        return None
    file.seek(size - _TAIL - length)
    return file.read(length).decode().split("\n")[:-1]


def _replay(prefix):
    """Carry out the journal in prefix, if any, and remove it; True when it was complete."""
    journal = prefix + _JOURNAL
    try:
        size = _os.stat(journal)[6]
    except OSError as e:
        if e.errno != _ENOENT:
            raise
        return False
    file = open(journal, "rb")
    try:
        table = _read_table(file, size)
        offset = 0
        for line in table or ():
            what, name = line.split(" ", 1)
            path = prefix + name
            if what == "-":
                _unlink(path)
                _unlink_alias(prefix, name)
            elif what == "=":
                if platform.exists(path + _TEMP):
                    _os.rename(path + _TEMP, path)
            else:
                file.seek(offset)
                offset += int(what)
                _write(path, _pieces(file, int(what)))
    finally:
        file.close()
    _os.remove(journal)
    return table is not None


def _unlink_alias(prefix, name):
    # FAT keeps a long name in several entries. If they lie in two sectors and the power fails
    # between them, the file is left under its short alias: CHAT_D~1.LOG for chat_default.log.
    if platform.fs_kind(prefix).endswith("fat"):
        start = name[:2].upper()
        end = name[name.rfind(".") :][:4].upper()
        for n in list(_names(prefix)):
            if "~" in n and n.startswith(start) and n.endswith(end) and n == n.upper():
                _unlink(prefix + n)


def _remove(path):
    if not _enter(path)[1].endswith("fat"):
        return _unlink(path)
    if platform.size(path) < 0:
        return False
    _replace(path, ((path, None),))
    return True


def _make_dirs(path):
    at = 0
    while at >= 0:
        at = path.find("/", at + 1)
        part = path if at < 0 else path[:at]
        if part and not platform.isdir(part):
            try:
                _os.mkdir(part)
            except OSError as e:
                if e.errno != _EEXIST:
                    raise
