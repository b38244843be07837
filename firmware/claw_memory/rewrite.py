"""Whole new files: put beside the old ones or into a journal, then in place. See durable.py."""

from binascii import crc32

from claw_memory import durable, fatdir, journal, platform
from claw_memory.platform import const

_EACCES = const(13)
_ENOSPC = const(28)
_TEMP = const(".tmp")


def _write(path, chunks):
    with durable._open(path, "wb") as file:
        for chunk in chunks:
            durable._put(file, chunk)
        platform.fsync(file)


def _discard(paths):
    try:
        for path in paths:
            durable._unlink(path)
    except OSError:
        return False
    return True


def replace(path, files, derived):
    """Do what durable.replace_many, replace and derive promise. Raises OSError."""
    prefix, fat = durable._enter(path)
    if any([platform.isdir(p) for p, _ in files]):  # a journal for it would stay for ever
        raise OSError(21)
    made = []
    try:
        for p, chunks in files:
            if chunks is not None and (derived or not fat):
                made.append(p if fat else p + _TEMP)
                if fat:
                    fatdir.create(p)
                _write(made[-1], chunks)
        if made and len(files) == 1:
            if not fat:
                durable._os.rename(made[0], path)
            return
        made.insert(0, prefix + journal.NAME)
        _write_journal(prefix, files, fat)
    except BaseException as e:
        durable._kinds.pop(prefix, None)
        full = isinstance(e, OSError) and e.args and e.args[0] in (_ENOSPC, _EACCES)
        # Without RAM MicroPython has one place for an exception, which the next one takes, too.
        short = isinstance(e, MemoryError)
        if _discard(made):
            durable._kinds[prefix] = fat
        if short:
            raise MemoryError
        if full and all([chunks is None for _, chunks in files]):
            # A full disk leaves no room for the journal, and removing is the way out of that.
            for p, _ in files:
                durable._unlink(p)
            return
        raise
    # The change is decided: until the journal is gone, whoever writes here next replays it first.
    durable._kinds.pop(prefix, None)
    try:
        replayed = durable._replay(prefix)
    except OSError:
        replayed = durable._replay(prefix)
    durable._kinds[prefix] = fat
    if not replayed:
        raise OSError(5)


def _write_journal(prefix, files, fat):
    crc = 0
    table = []
    sizes = []
    with durable._open(prefix + journal.NAME, "wb") as file:
        for path, chunks in files:
            what = "-" if chunks is None else "="
            if fat and chunks is not None:
                what = 0
                for chunk in chunks:
                    durable._put(file, chunk)
                    crc = crc32(chunk, crc)
                    what += len(chunk)
                sizes.append((platform.size(path), what))
            table.append((what, path[len(prefix) :]))
        tail = journal.seal(table, crc)
        sizes.append((0, len(tail)))
        if fat and not fatdir.room(prefix, sizes):
            raise OSError(_ENOSPC)
        durable._put(file, tail)
        platform.fsync(file)


def replay(prefix, size):
    """Carry out the journal of size bytes in prefix and remove it; True when it was complete."""
    at = prefix + journal.NAME
    with open(at, "rb") as file:
        table = journal.table(file, size)
        offset = 0
        for what, name in table or ():
            path = prefix + name
            if what == "-":
                while durable._unlink(path):
                    pass  # twice where fatdir.reveal found an older one
                if platform.on_fat(path):
                    for short in fatdir.aliases(prefix, name):
                        durable._unlink(prefix + short)
            elif what == "=":
                if platform.exists(path + _TEMP):
                    durable._os.rename(path + _TEMP, path)
            else:
                file.seek(offset)
                offset += int(what)
                fatdir.create(path)
                _write(path, journal.pieces(file, int(what)))
    durable._os.remove(at)
    return table is not None
