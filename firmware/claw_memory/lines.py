"""Reading a file from its first line to the last, one line in RAM at a time."""

from claw_memory import limits
from claw_memory.platform import const

_PIECE = const(512)  # readline() allocates as many bytes as it may return


def read_lines(path):
    """Yield (offset, line with its newline) of a file; nothing when there is none.

    A long line for which the RAM does not suffice, which is damage, comes in pieces.
    """
    try:
        f = open(path, "rb")
    except OSError:
        return
    offset = 0
    with f:
        while True:
            line = f.readline(_PIECE)
            if not line:
                return
            try:
                while line[-1:] != b"\n":
                    more = f.readline(_PIECE)
                    if not more:
                        break
                    line += more
            except MemoryError:
                if len(line) <= limits.JSON_BYTES:
                    raise  # no damage
                f.seek(offset + len(line))
            yield offset, line
            offset += len(line)
