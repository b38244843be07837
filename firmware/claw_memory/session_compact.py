"""Makes a session smaller: old tool records go first, then the oldest turns become a summary."""

import struct

from claw_memory import durable, limits, platform
from claw_memory.errors import InvalidState
from claw_memory.platform import const
from claw_memory.session_log import CALLS, ENTRY, FINAL, FORM, HEADER, USER

FULL = (
    "This session has reached its size limit and takes no more messages: "
    "start another with /session new, or remove one with /session delete."
)
_BLOCK = const(64)  # entries read at a time
_PIECE = const(4096)  # bytes copied in one go


class Plan:
    """Which records of a log stay: user and final records, and the tools of two turns.

    These are the last completed turn that used tools, and the last turn while it is not
    completed. A turn starts at record 0 and at every user record.
    """

    def __init__(self, log):
        self.log = log
        self.first = 0  # records before this one are left out
        self.keep = self.keep_end = 0  # records of the turn whose tool records stay
        at = turn = 0
        text = tools = kept_tools = 0  # bytes
        done = False
        while at < log.count():
            block = log.block(at, _BLOCK)
            for i in range(0, len(block), ENTRY):
                kind = block[i + 8]
                if kind == USER and at:
                    if done and tools:
                        self.keep, self.keep_end, kept_tools = turn, at, tools
                    turn = at
                    tools = 0
                    done = False
                length = struct.unpack_from("<I", block, i + 4)[0]
                if kind >= CALLS:
                    tools += length
                else:
                    text += length
                    done = done or kind == FINAL
                at += 1
        if done and tools:
            self.keep, self.keep_end, kept_tools = turn, at, tools
        self.turn = turn  # first record of the last turn
        self.open = at if done else turn  # from here on all records stay
        self.bytes = text + kept_tools + (0 if done else tools)

    def kept(self):
        """Iterate (offset, length, type, format, number) of the records that stay."""
        at = self.first
        while at < self.log.count():
            block = self.log.block(at, _BLOCK)
            for i in range(0, len(block), ENTRY):
                if block[i + 8] < CALLS or self.keep <= at < self.keep_end or at >= self.open:
                    yield struct.unpack_from(FORM, block, i) + (at,)
                at += 1

    def cut(self, room):
        """Number of the first turn from which on the kept bytes fit room; 0 when none does."""
        left = self.bytes
        for _, length, kind, _, at in self.kept():
            if at and kind == USER and left <= room:
                return at
            left -= length
        return 0

    def _spans(self):
        start = end = 0
        for offset, length, _, _, _ in self.kept():
            if offset != end:
                if end > start:
                    yield start, end
                start = offset
            end = offset + length
        if end > start:
            yield start, end

    def _data(self, head, size):
        yield head
        size[0] += len(head)
        with open(self.log.path, "rb") as f:
            for start, end in self._spans():
                f.seek(start)
                size[0] += end - start
                while start < end:
                    chunk = f.read(min(_PIECE, end - start))
                    start += len(chunk)
                    yield chunk

    def _entries(self, head, count):
        yield HEADER
        at = 0
        out = bytearray()
        if head:
            out.extend(struct.pack(FORM, 0, len(head), USER, 0))
            at = len(head)
            count[0] += 1
        for _, length, kind, form, _ in self.kept():
            out.extend(struct.pack(FORM, at, length, kind, form))
            at += length
            count[0] += 1
            if len(out) >= 512:
                yield bytes(out)
                out = bytearray()
        yield bytes(out)

    def write(self, head=b"", more=()):
        """Write the pair of files anew, at once: head (one record, bytes), then what stays.

        more: further files of the session, as for durable.replace_many.
        """
        log = self.log
        size = [0]
        count = [0]
        pair = ((log.path, self._data(head, size)), (log.idx, self._entries(head, count)))
        durable.replace_many(pair + more)
        log.size = size[0]
        log.indexed = count[0]
        log.users = -1
        log.generation += 1


def _compact(log):
    # None when leaving out old tool records is enough. Otherwise nothing changes, and the answer
    # is the number of the first record that must not become part of a summary; 0 when a turn
    # that is not completed is too large alone.
    log.flush()
    plan = Plan(log)
    if plan.bytes <= limits.SESSION_BYTES:
        if log.state():
            _condensing(log).tidy()
        else:
            plan.write()
        return None
    first = plan.cut(limits.SESSION_BYTES // 2) or plan.cut(limits.SESSION_BYTES)
    # One turn alone is too large: if it is completed, it can be summarised as well.
    return first or (plan.open if plan.open == log.count() else 0)


def _install(sessions, log, first, summary):
    # Puts the summary in the place of all records before first; True when that fits.
    record = sessions.raw_record(USER, "Summary of our conversation so far: " + summary, None)
    change = _condensing(log)
    if change.size(first, record) >= limits.SESSION_BYTES:
        return False
    change.write(first, record + b"\n")
    return True


def _condensing(log):
    from claw_memory.session_condense import Condensing

    return Condensing(log)


def _block(sessions, log):
    log.open = False
    if platform.size(log.path + ".blocked") < 0:
        durable.append(log.path + ".blocked", b"", line=False)
        sessions.notice(FULL)


def shrink(sessions, session_id, log):
    """Bring a session under limits.SESSION_BYTES, else block it; True when it takes more."""
    first = _compact(log)
    if first is None:
        durable.remove(log.path + ".blocked")
        return True
    if first and log.size <= sessions.patience:
        sessions.waiting = (session_id, first, log.generation)
        return True
    summary = None
    if sessions.summarise and first:
        try:
            summary = sessions.summarise(session_id, 0, first)
        except Exception as e:  # whatever a model call may raise: the session comes first
            sessions.notice("The summary of the session failed: %s." % e)
    if summary is True:
        sessions.waiting = (session_id, first, log.generation)
        return True
    if summary and _install(sessions, log, first, summary):
        return True
    _block(sessions, log)
    return False


def put_summary(sessions, session_id, log, summary):
    """See session_more.put_summary."""
    waiting = sessions.waiting
    sessions.waiting = ()
    if not waiting or waiting[0] != session_id or waiting[2] != log.generation:
        raise InvalidState("No summary of this session is waited for.")
    if not summary or not _install(sessions, log, waiting[1], summary):
        _block(sessions, log)
