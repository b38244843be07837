"""Makes the index of a session anew from its log: what fits of the old index, then the rest."""

import struct

from claw_memory import durable, jsonio, platform
from claw_memory.errors import ClawError
from claw_memory.platform import const
from claw_memory.session_log import (
    CALLS,
    ENTRY,
    FINAL,
    FORM,
    HEADER,
    RESULT,
    USER,
    valid,
)
from claw_memory.session_open import holds_value
from claw_memory.session_scan import Region, has_role, infer, load

_PIECE = const(512)  # bytes copied in one go
_HELD = const(2560)  # bytes of entries kept in RAM while a long tail is indexed


def _contradicts(kind, value):
    # An index of another state may fit by its lengths: then the roles give it away.
    role = jsonio.get(value, "role") if isinstance(value, dict) else None
    if role == "user":
        return kind not in (USER, RESULT)
    if role == "assistant":
        return kind not in (FINAL, CALLS)
    if role == "tool" or isinstance(value, list) and has_role(value):
        return kind != RESULT
    return False


def _old_entries(idx):
    if platform.size(idx) < len(HEADER) + ENTRY:
        return
    at = len(HEADER)
    while True:
        with open(idx, "rb") as f:
            f.seek(at)
            data = f.read(32 * ENTRY)
        at += len(data)
        for i in range(0, len(data) - ENTRY + 1, ENTRY):
            yield struct.unpack_from(FORM, data, i)
        if len(data) < 32 * ENTRY:
            return


class _Found:
    """All records of a log in order: what fits of the old index, and the bytes between."""

    def __init__(self, file, size, old, start=0, called=0):
        self.file = file
        self.size = size
        self.old = old
        self.start = start
        self.called = called
        self.skipped = 0
        self.unclosed = 0  # complete values without a newline

    def __iter__(self):
        """Yield (offset, length with the newline, type, format, closed)."""
        at = self.start
        for offset, length, kind, form in self.old:
            if offset < at or not valid(offset, length, kind, form, self.size):
                continue
            if not holds_value(self.file, offset, length):
                continue
            if _contradicts(kind, load(self.file, offset, length)):
                continue
            if offset > at:
                yield from self._between(at, offset)
            self._note(kind, form)
            yield offset, length, kind, form, True
            at = offset + length
        if at < self.size:
            yield from self._between(at, self.size)

    def _between(self, start, end):
        region = Region(self.file, start, end)
        for offset, length, closed in region:
            kind, form = infer(load(self.file, offset, length), self.called)
            self._note(kind, form)
            self.unclosed += not closed
            yield offset, length + (not closed), kind, form, closed
        self.skipped += region.skipped

    def _note(self, kind, form):
        if kind == CALLS:
            self.called = form
        elif kind != RESULT:
            self.called = 0


def index_tail(log, start, last):
    """Give log (a SessionLog) entries for the records behind start; last: the entry before."""
    with open(log.path, "rb") as f:
        found = _Found(f, log.size, (), start, last[3] if last[2] in (CALLS, RESULT) else 0)
        for offset, length, kind, form, closed in found:
            if not closed:
                break
            log.add(offset, length, kind, form)
            if len(log.pending) >= _HELD:
                log.flush()
    if found.unclosed:
        log.pending = bytearray()
        log.indexed = 0
        log.rebuild()
    else:
        _tell(log, found.skipped)


def rebuild(log):
    """Make the .idx of log (a SessionLog) anew; on a full disk the entries stay in RAM.

    A complete record that lost its newline, which no entry can describe, makes the log be
    rewritten as well, without what belongs to no record.
    """
    log.pending = bytearray()
    log.indexed = 0
    with open(log.path, "rb") as f:
        found = _Found(f, log.size, _old_entries(log.idx))
        count = [0]
        full = False
        try:
            durable.replace(log.idx, _packed(found, count))
            log.indexed = count[0]
        except ClawError as e:
            full = True
            log.notice(str(e))
            found = _Found(f, log.size, _old_entries(log.idx))
            for offset, length, kind, form, closed in found:
                if closed:
                    log.add(offset, length, kind, form)
        _tell(log, found.skipped)
        if found.unclosed and not full:
            try:
                _rewrite(log, f)
            except ClawError as e:
                log.notice(str(e))


def _packed(found, count):
    yield HEADER
    out = bytearray()
    for offset, length, kind, form, closed in found:
        if closed:
            out.extend(struct.pack(FORM, offset, length, kind, form))
            count[0] += 1
            if len(out) >= _PIECE:
                yield bytes(out)
                out = bytearray()
    yield bytes(out)


def _rewrite(log, file):
    size = [0]
    count = [0]
    durable.replace_many(
        (
            (log.path, _copied(file, _Found(file, log.size, _old_entries(log.idx)), size)),
            (log.idx, _packed(_moved(_Found(file, log.size, _old_entries(log.idx))), count)),
        )
    )
    log.size = size[0]
    log.indexed = count[0]


def _copied(file, found, size):
    for offset, length, _, _, closed in found:
        size[0] += length
        left = length if closed else length - 1
        while left:
            file.seek(offset)
            chunk = file.read(min(left, _PIECE))
            offset += len(chunk)
            left -= len(chunk)
            yield chunk
        if not closed:
            yield b"\n"


def _moved(found):
    at = 0
    for _, length, kind, form, _ in found:
        yield at, length, kind, form, True
        at += length


def _tell(log, skipped):
    if skipped and not log.count():
        said = "Session file %s: no record in its %d bytes can be read; what was said in it is "
        log.notice((said + "lost, unless a backup has it.") % (log.path, skipped))
    elif skipped:
        log.notice(
            "Session file %s: %d bytes that form no complete record were skipped, "
            "the %d records around them are kept." % (log.path, skipped, log.count())
        )


def number_at(log, offset):
    """Number of the first record that starts at offset or behind it."""
    at = 0
    while at < log.count():
        block = log.block(at)
        for i in range(0, len(block), ENTRY):
            if struct.unpack_from("<I", block, i)[0] >= offset:
                return at
            at += 1
    return at
