"""The journal of a directory: the format of claw.jnl, made and read; durable.py writes it.

The new files come one after the other, then a table with a line `<what> <name>` per file (what:
bytes of the file, `-` to remove it, `=` when the new file lies in name.tmp), then b"CLAW", the
bytes of the table and the CRC32 of all that precedes it (both u32, little endian). A journal that
is not complete counts as absent.
"""

import struct
from binascii import crc32

from claw_memory.platform import const

# Lower case and 8.3: a single directory entry on FAT, which no cut divides.
NAME = "claw.jnl"
TAIL = 12  # bytes after the table
_PIECE = const(512)  # bytes read at a time


def seal(table, crc):
    """Bytes that complete a journal. table: list of (what, name); crc: CRC32 of the files."""
    body = "".join(["%s %s\n" % entry for entry in table]).encode()
    body += struct.pack("<4sI", b"CLAW", len(body))
    return body + struct.pack("<I", crc32(body, crc))


def pieces(file, count):
    """Iterator of the next count bytes of file in pieces, each valid until the next one."""
    view = memoryview(bytearray(_PIECE))
    while count:
        n = file.readinto(view[: min(count, _PIECE)])
        if not n:
            raise OSError(5)
        yield view[:n]
        count -= n


def table(file, size):
    """Entries (what, name) of the journal in file, of size bytes; None when it is incomplete."""
    if size < TAIL:
        return None
    file.seek(size - TAIL)
    mark, length, check = struct.unpack("<4sII", file.read(TAIL))
    if mark != b"CLAW" or length > size - TAIL:
        return None
    crc = 0
    file.seek(0)
    for piece in pieces(file, size - 4):
        crc = crc32(piece, crc)
    if crc != check:
        return None
    file.seek(size - TAIL - length)
    return [line.split(" ", 1) for line in file.read(length).decode().split("\n")[:-1]]
