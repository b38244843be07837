"""Every write of the firmware goes through here: append, replace and remove, each all or nothing.

On LittleFS2 a new file is written beside the old one and renamed over it. On FAT, where that is
not safe, the new files go into a journal (journal.py) first, which is then copied into place and
which is replayed when a cut got in between. docs/durability.md argues each step.
"""

import os as _os
from binascii import crc32

from micropython import const

from claw_memory import fatdir, journal, platform
from claw_memory.errors import IOFailure, NoSpace

_ENOENT = const(2)
_EACCES = const(13)  # what FAT says when a directory cannot grow
_ENOSPC = const(28)
_TEMP = ".tmp"

_open = open  # tests put failing ones here and into _os
_kinds = {}  # per directory ("/memory/") known to hold no journal: is it on FAT?


def append(path, data, line=True):
    """Append data (bytes) to the file at path, which is created if need be; all or nothing.

    With line=True an unfinished last line is closed first. Returns the offset in bytes at which
    data starts. Raises NoSpace or IOFailure; the old content then reads as before, followed at
    most by blank lines. A cut may leave a new file empty: readers take that for no file.
    """
    return _guard(_append, path, data, line)


def replace(path, chunks):
    """Give the file at path the content chunks (iterable of bytes); raises as append does."""
    _guard(_replace, path, ((path, chunks),))


def replace_many(files):
    """Replace several files of one directory at once: after any cut all are old or all are new.

    files: sequence of (path, chunks), None removes. Raises NoSpace or IOFailure, all unchanged.
    Without room for a journal, files that are only to be removed go one after the other.
    """
    _guard(_replace, files[0][0], files)


def derive(path, chunks):
    """Write a file that can be rebuilt at any time: as replace, but cheap and unsafe on FAT."""
    _guard(_replace, path, ((path, chunks),), True)


def remove(path):
    """Remove the file at path and tell whether there was one. Raises IOFailure or NoSpace."""
    return _guard(_remove, path)


def make_dirs(path):
    """Make the directory path and those above it as far as they are missing. Raises likewise."""
    return _guard(_make_dirs, path)


def recover(dir, own=None):
    """Complete or undo what a cut left in the directory dir; to be called before reading there.

    own: function that tells for a file name whether its temporary file may be removed, None for
    all. Returns sentences for the user. Writes nothing where there is nothing to do; a failing
    file system is reported in a sentence and the work is tried again before the next write.
    """
    prefix = dir.rstrip("/") + "/"
    notices = []
    if not platform.isdir(dir):
        return notices
    _kinds.pop(prefix, None)
    try:
        if _replay(prefix):
            notices.append("Finished a change in %s that a power cut had interrupted." % dir)
        for name in fatdir.names(prefix, lambda n: n.endswith(_TEMP)):
            if own is None or name.startswith("claw") or own(name[: -len(_TEMP)]):
                _unlink(prefix + name)
    except OSError as e:
        text = "An interrupted change in %s could not be finished (error %s): check the card."
        notices.append(text % (dir, e.errno))
    return notices


def _guard(work, path, *args):
    try:
        return work(path, *args)
    except OSError as e:
        code = e.args[0] if e.args else 0  # CPython leaves errno empty in OSError(28)
    if code == _EACCES and fatdir.holds(path) and not platform.isdir(path):
        code = _ENOSPC
    if code == _ENOSPC:
        raise NoSpace("No space left to write %s: delete something and try again." % path)
    raise IOFailure("Cannot write %s (error %s): check the card or the flash." % (path, code))


def _enter(path):
    """(directory of path with its slash, True on FAT); no journal is left in it."""
    prefix = path[: path.rfind("/") + 1]
    if prefix not in _kinds:
        _replay(prefix)
        _kinds[prefix] = fatdir.holds(path)
    return prefix, _kinds[prefix]


def _put(file, data):
    if file.write(data) != len(data):
        raise OSError(_ENOSPC)


def _write(path, chunks):
    with _open(path, "wb") as file:
        for chunk in chunks:
            _put(file, chunk)
        platform.fsync(file)


def _touch(path):
    _open(path, "ab").close()


def _create(path):
    if platform.size(path) < 0:
        _touch(path)
        fatdir.reveal(path, _touch, _unlink)


def _unlink(path):
    try:
        _os.remove(path)
    except OSError as e:
        if e.errno != _ENOENT:
            raise
        return False
    return True


def _append(path, data, line):
    prefix, fat = _enter(path)
    size = platform.size(path)
    start = max(0, size)
    if fat and not fatdir.room(prefix, ((size, start + 1 + len(data)),)):
        raise OSError(_ENOSPC)
    try:
        if fat:
            _create(path)
        with _open(path, "a+b") as file:
            if line and start:
                file.seek(start - 1)
                if file.read(1) != b"\n":
                    _put(file, b"\n")
                    start += 1
            _put(file, data)
            platform.fsync(file)
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
            with _open(path, "r+b") as file:
                file.seek(size)
                for _ in range(grown):
                    file.write(b"\n")
    except OSError:
        pass


def _discard(paths):
    try:
        for path in paths:
            _unlink(path)
    except OSError:
        return False
    return True


def _replace(path, files, derived=False):
    prefix, fat = _enter(path)
    if any([platform.isdir(p) for p, _ in files]):  # a journal for it would stay for ever
        raise OSError(21)
    made = []
    try:
        for p, chunks in files:
            if chunks is not None and (derived or not fat):
                made.append(p if fat else p + _TEMP)
                if fat:
                    _create(p)
                _write(made[-1], chunks)
        if made and len(files) == 1:
            if not fat:
                _os.rename(made[0], path)
            return
        made.insert(0, prefix + journal.NAME)
        _write_journal(prefix, files, fat)
    except BaseException as e:
        _kinds.pop(prefix, None)
        if _discard(made):
            _kinds[prefix] = fat
        full = isinstance(e, OSError) and e.args and e.args[0] in (_ENOSPC, _EACCES)
        if full and all([chunks is None for _, chunks in files]):
            # A full disk leaves no room for the journal, and removing is the way out of that.
            for p, _ in files:
                _unlink(p)
            return
        raise
    # The change is decided: until the journal is gone, whoever writes here next replays it first.
    _kinds.pop(prefix, None)
    try:
        replayed = _replay(prefix)
    except OSError:
        replayed = _replay(prefix)
    _kinds[prefix] = fat
    if not replayed:
        raise OSError(5)


def _write_journal(prefix, files, fat):
    crc = 0
    table = []
    sizes = []
    with _open(prefix + journal.NAME, "wb") as file:
        for path, chunks in files:
            what = "-" if chunks is None else "="
            if fat and chunks is not None:
                what = 0
                for chunk in chunks:
                    _put(file, chunk)
                    crc = crc32(chunk, crc)
                    what += len(chunk)
                sizes.append((platform.size(path), what))
            table.append((what, path[len(prefix) :]))
        tail = journal.seal(table, crc)
        sizes.append((0, len(tail)))
        if fat and not fatdir.room(prefix, sizes):
            raise OSError(_ENOSPC)
        _put(file, tail)
        platform.fsync(file)


def _replay(prefix):
    """Carry out the journal in prefix, if any, and remove it; True when it was complete."""
    at = prefix + journal.NAME
    try:
        size = _os.stat(at)[6]
    except OSError as e:
        if e.errno != _ENOENT:
            raise
        return False
    with open(at, "rb") as file:
        table = journal.table(file, size)
        offset = 0
        for what, name in table or ():
            path = prefix + name
            if what == "-":
                while _unlink(path):
                    pass  # twice where fatdir.reveal found an older one
                if fatdir.holds(path):
                    for short in fatdir.aliases(prefix, name):
                        _unlink(prefix + short)
            elif what == "=":
                if platform.exists(path + _TEMP):
                    _os.rename(path + _TEMP, path)
            else:
                file.seek(offset)
                offset += int(what)
                _create(path)
                _write(path, journal.pieces(file, int(what)))
    _os.remove(at)
    return table is not None


def _remove(path):
    if not _enter(path)[1] or not platform.exists(path):
        return _unlink(path)
    _replace(path, ((path, None),))
    return True


def _make_dirs(path):
    at = 0
    while at >= 0:
        at = path.find("/", at + 1)
        part = path if at < 0 else path[:at]
        if part and not platform.isdir(part):
            _os.mkdir(part)
            if fatdir.holds(part):
                fatdir.reveal(part, _touch, _unlink)
