"""Every write of the firmware goes through here: append, replace and remove, each all or nothing.

On LittleFS2 a new file is written beside the old one and renamed over it. On FAT, where that is
not safe, the new files go into a journal (journal.py) first, which is then copied into place and
which is replayed when a cut got in between. What needs more than one write is in rewrite.py,
imported when it happens. docs/durability.md argues each step.
"""

import os as _os

from claw_memory import platform
from claw_memory.platform import const

_ENOENT = const(2)
_ENOSPC = const(28)
_JOURNAL = "claw.jnl"

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
    _guard(_rewrite, path, ((path, chunks),))


def replace_many(files):
    """Replace several files of one directory at once: after any cut all are old or all are new.

    files: sequence of (path, chunks), None removes. Raises NoSpace or IOFailure, all unchanged.
    Without room for a journal, files that are only to be removed go one after the other.
    """
    _guard(_rewrite, files[0][0], files)


def write_derived(path, chunks):
    """Write a file that can be rebuilt at any time: as replace, but cheap and unsafe on FAT."""
    _guard(_rewrite, path, ((path, chunks),), True)


def remove(path):
    """Remove the file at path and tell whether there was one. Raises IOFailure or NoSpace."""
    return _guard(_remove, path)


def make_dirs(path):
    """Make the directory path and those above it as far as they are missing. Raises likewise."""
    return _guard(_open_up().make_dirs, path)


def settle(path):
    """Complete a change in the directory of path that was decided. Raises as append does."""
    _guard(_enter, path)


def recover(dir, own=None):
    """Complete or undo what a cut left in the directory dir; to be called before reading there.

    own: function that tells for a file name whether its temporary file may be removed, None for
    all. Returns sentences for the user. Writes nothing where there is nothing to do; a failing
    file system is reported in a sentence and the work is tried again before the next write.
    """
    return _open_up().recover(dir, own)


def _guard(work, path, *args):
    try:
        return work(path, *args)
    except OSError as e:
        from claw_memory import refused

        raise refused.failure(path, e)


def _enter(path):
    """(directory of path with its slash, True on FAT); no journal is left in it."""
    prefix = path[: path.rfind("/") + 1]
    if prefix not in _kinds:
        _replay(prefix)
        _kinds[prefix] = platform.on_fat(path)
    return prefix, _kinds[prefix]


def _put(file, data):
    if file.write(data) != len(data):
        raise OSError(_ENOSPC)


def _rewrite(path, files, derived=False):
    from claw_memory import rewrite

    rewrite.replace(path, files, derived)


def _replay(prefix):
    """Carry out the journal in prefix, if any, and remove it; True when it was complete."""
    try:
        size = _os.stat(prefix + _JOURNAL)[6]
    except OSError as e:
        if e.errno != _ENOENT:
            raise
        return False
    from claw_memory import rewrite

    return rewrite.replay(prefix, size)


def _unlink(path):
    try:
        _os.remove(path)
    except OSError as e:
        if e.errno != _ENOENT:
            raise
        return False
    return True


def _append(path, data, line):
    size = None
    fat = _enter(path)[1]
    try:
        if fat:
            from claw_memory import fatdir

            size = platform.size(path)
            fatdir.prepare(path, size, len(data))
        with _open(path, "a+b") as file:
            # Asking the open file saves a search through the directory.
            start = file.seek(0, 2)
            if not size:
                size = start
            if line and start:
                file.seek(start - 1)
                if file.read(1) != b"\n":
                    _put(file, b"\n")
                    start += 1
            _put(file, data)
            platform.fsync(file)
    except OSError:
        if size is not None:
            from claw_memory import refused

            refused.undo(path, size, line)
        raise
    return start


def _remove(path):
    if not _enter(path)[1] or not platform.exists(path):
        return _unlink(path)
    _rewrite(path, ((path, None),))
    return True


def _open_up():
    from claw_memory import directories

    return directories
