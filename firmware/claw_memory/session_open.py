"""What opening a session's files takes: whether the end of the index fits the log."""

import struct

from claw_memory import platform
from claw_memory.jsonscan import BAD, DONE, VALUE, scan
from claw_memory.platform import const
from claw_memory.session_log import ENTRY, FORM, HEADER, valid

_PIECE = const(512)  # bytes of a record looked at in one go


def check(log):
    """Take over the index of the SessionLog log, or have it made anew."""
    have = platform.size(log.idx) - len(HEADER)
    if have < ENTRY or have % ENTRY:
        return log.rebuild()
    with open(log.idx, "rb") as f:
        head = f.read(len(HEADER))
        f.seek(have + len(HEADER) - ENTRY)
        entry = struct.unpack(FORM, f.read(ENTRY))
    if head != HEADER or not valid(*entry, size=log.size):
        return log.rebuild()
    end = entry[0] + entry[1]
    with open(log.path, "rb") as f:
        if not holds_value(f, entry[0], entry[1]):
            return log.rebuild()
    log.indexed = have // ENTRY
    if end < log.size:
        from claw_memory import session_repair

        session_repair.index_tail(log, end, entry)


def holds_value(file, offset, length):
    """True when exactly one JSON value and its newline lie there; in flat RAM for any length."""
    file.seek(offset)
    state = [VALUE]
    kept = chunk = b""
    while length > 0:
        chunk = file.read(min(length, _PIECE))
        if not chunk:
            return False
        length -= len(chunk)
        if state[0] != DONE:
            kept += chunk
            kept = kept[scan(kept, 0, state, False, length == 0) :]
            if state[0] == BAD:
                return False
        else:
            kept = chunk
        if state[0] == DONE and kept.strip(b" \t\r\n"):
            return False
    return state[0] == DONE and chunk[-1:] == b"\n"
