"""The digest log read back: which recalls are not folded in yet, and the log trimmed.

Imported only for a compaction and for the files derived from the records.
"""

from array import array

from claw_memory import limits
from claw_memory.platform import const

_BLOCK = const(512)
_HINT = const(b'"last_compact_digest_size":')
# Last field of our own compact lines: everything above such a line is folded into the records.
_FOLDED = const(b"folded")


def _hint(log):
    # Bytes already folded in according to the index, -1 when it does not tell. Only a number
    # inside the file and at the end of a line is believed.
    size = log.size()
    found = _last_number(log.index)
    if found <= 0 or found > size:
        return 0 if found == 0 else -1
    with open(log.path, "rb") as f:
        f.seek(found - 1)
        return found if f.read(1) == b"\n" else -1


def replay(log, find, rows):
    """Count the recalls that are not folded in yet.

    log: the Digest. find: function from an id (bytes) to a row number or -1; rows: number of
    rows. Returns (counts, times, folded): arrays per row of recalls and their latest time, and
    the offset from which they were counted. ESP-Claw folds recalls in at every start without a
    line about it: where its index is gone nothing is counted, as no recall must count twice.
    """
    counts = array("H", bytes(2 * rows))
    times = array("I", bytes(4 * rows))
    hint = _hint(log)
    at = folded = start = max(0, hint)
    foreign = torn = False
    for line in _lines(log.path, start):
        at += len(line)
        whole = not torn and line[-1:] == b"\n"
        torn = line[-1:] != b"\n"  # the next one is then the rest of this one
        if not whole:
            continue
        fields = [f for f in line.replace(b"\r", b"\t").strip(b"\n").split(b"\t") if f]
        if len(fields) >= 2 and fields[1] == b"compact":
            for row in range(rows):
                counts[row] = times[row] = 0
            foreign = fields[-1] != _FOLDED
            folded = at
        elif len(fields) >= 4 and fields[1] == b"recall" and fields[3] == b"access_count+1":
            row = find(fields[2])
            if row >= 0:
                counts[row] = min(65535, counts[row] + 1)
                times[row] = max(times[row], _number(fields[0]))
    if foreign and hint < 0:
        return array("H", bytes(2 * rows)), array("I", bytes(4 * rows)), log.size()
    return counts, times, folded


def trimmed(log, now):
    """(size in bytes, iterable of chunks) of the Digest log as a compaction at `now` leaves it.

    The last lines including those that wait, then a compact line.
    """
    end = ("%d\tcompact\t-\trebuild=index+markdown\t" % now).encode() + _FOLDED + b"\n"
    data = bytes(log.waiting)
    keep = limits.DIGEST_LINES - 1 - data.count(b"\n")
    size = log.size()
    skip = 0
    torn = b""
    if size:
        lines = 0
        last = b"\n"
        for block in _blocks(log.path, 0):
            lines += block.count(b"\n")
            last = block[-1:]
        if last != b"\n":
            torn = b"\n"
            lines += 1
        skip = _offset(log.path, lines - keep, size)
    return size - skip + len(torn + data + end), _chunks(log.path, skip, torn + data + end)


def _offset(path, lines, size):
    # Offset behind the first so many lines.
    at = 0
    if lines <= 0:
        return 0
    for block in _blocks(path, 0):
        found = block.count(b"\n")
        if found >= lines:
            place = -1
            for _ in range(lines):
                place = block.find(b"\n", place + 1)
            return at + place + 1
        lines -= found
        at += len(block)
    return size


def _chunks(path, skip, end):
    for block in _blocks(path, skip):
        yield block
    yield end


def _blocks(path, start):
    # Blocks of the file from start on; nothing when there is no file.
    try:
        f = open(path, "rb")
    except OSError:
        return
    with f:
        f.seek(start)
        while True:
            block = f.read(_BLOCK)
            if not block:
                return
            yield block


def _lines(path, start):
    # Lines of the file with their newline; one longer than a block comes in pieces.
    rest = b""
    for block in _blocks(path, start):
        block = rest + block
        at = 0
        while True:
            end = block.find(b"\n", at) + 1
            if not end:
                break
            yield block[at:end]
            at = end
        rest = block[at:]
        if len(rest) > _BLOCK:
            yield rest
            rest = b""
    if rest:
        yield rest


def _number(digits):
    try:
        return max(0, min(int(digits), 0xFFFFFFFF))
    except ValueError:
        return 0


def _last_number(path):
    # The last well-formed last_compact_digest_size in the index file, -1 when there is none.
    found = -1
    rest = b""
    for block in _blocks(path, 0):
        rest += block
        at = rest.find(_HINT)
        while at >= 0:
            start = at + len(_HINT)
            end = start
            while end < len(rest) and 48 <= rest[end] <= 57:
                end += 1
            if start < end < len(rest) and rest[end] in b",}":
                found = int(str(rest[start:end], "utf-8"))
            at = rest.find(_HINT, start)
        rest = rest[-64:]
    return found
