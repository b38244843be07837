"""One session's pair of files: the .log of JSON records and the .idx of their entries."""

import struct

from claw_memory import durable, platform
from claw_memory.errors import ClawError
from claw_memory.jsonscan import is_value
from claw_memory.platform import const

USER = const(1)
FINAL = const(2)
CALLS = const(3)
RESULT = const(4)

# Magic, version 1, entry size 10; little endian as all of the index.
HEADER = b"CHDX\x01\x00\x0a\x00"
FORM = "<IIBB"  # offset, length with the newline, record type, backend format
ENTRY = const(10)
_HEAD = const(8)
_BLOCK = const(32)  # entries read at a time


def valid(offset, length, kind, form, size):
    """True when an index entry can be one of a log of size bytes."""
    return 1 <= kind <= 4 and form <= 2 and length > 1 and offset + length <= size


class SessionLog:
    """The records of one session; opening checks the end of the index and looks no further.

    Entries of the latest records wait in RAM (pending) until flush(); a power cut costs
    nothing, for opening finds those records again by scanning the log behind the last entry.
    """

    def __init__(self, path, notice):
        self.path = path
        self.idx = path + ".idx"
        self.notice = notice
        self.pending = bytearray()
        self.indexed = 0  # entries in the .idx file
        self.generation = 0  # grows whenever records get other numbers
        self.rebuilt = False
        self.users = -1  # user records, -1: not counted yet
        self.kept = None  # its State, when there is one and it was looked for
        self.looked = False
        self.open = False  # known not to be blocked
        self._told = False  # that a record did not fit into the RAM
        self.size = max(0, platform.size(path))
        if self.size:
            from claw_memory import session_open

            session_open.check(self)
        elif platform.size(self.idx) > _HEAD:
            from claw_memory import lost

            lost.session(self)
            platform.unload("claw_memory", "lost")

    def count(self):
        """Number of records."""
        return self.indexed + len(self.pending) // ENTRY

    def rebuild(self):
        """Make the index anew from the log (and from what fits of the old index)."""
        from claw_memory import session_repair

        self.rebuilt = True
        self.users = -1
        self.generation += 1
        session_repair.rebuild(self)

    def append(self, raws, kinds, form):
        """Append records (JSON bytes without newline, in a list) in one write, or none of them.

        Raises NoSpace or IOFailure with the session as it was.
        """
        if not self.size:
            # What a deletion that was cut leaves without data says nothing of the new session.
            for end in (".idx", ".state", ".archive"):
                durable.remove(self.path + end)
            self.kept = None
        raws.append(b"")
        offset = durable.append(self.path, b"\n".join(raws))
        for i in range(len(kinds)):
            self.add(offset, len(raws[i]) + 1, kinds[i], form)
            offset += len(raws[i]) + 1
        self.size = offset
        # ESP-Claw empties a session that has data but no index entry.
        if not self.indexed or len(self.pending) >= 2 * _BLOCK * ENTRY:
            self.flush()

    def add(self, offset, length, kind, form):
        """Note an entry that is not in the .idx file yet."""
        self.pending.extend(struct.pack(FORM, offset, length, kind, form))
        if self.users >= 0:
            self.users += kind == USER

    def flush(self):
        """Let the .idx file catch up. A failure costs nothing and is only noticed."""
        if not self.pending:
            return
        try:
            if self.indexed:
                if platform.size(self.idx) != _HEAD + self.indexed * ENTRY:
                    return self.rebuild()
                durable.append(self.idx, bytes(self.pending), line=False)
            else:
                durable.remove(self.idx)
                durable.append(self.idx, HEADER + self.pending, line=False)
        except ClawError as e:
            self.notice(str(e))
            return
        self.indexed += len(self.pending) // ENTRY
        self.pending = bytearray()

    def block(self, first, count=_BLOCK):
        """Packed entries of records first.. as bytes: at least one, at most count."""
        if first >= self.indexed:
            at = (first - self.indexed) * ENTRY
            return self.pending[at : at + count * ENTRY]
        with open(self.idx, "rb") as f:
            f.seek(_HEAD + first * ENTRY)
            data = f.read(min(count, self.indexed - first) * ENTRY)
        if len(data) < ENTRY or len(data) % ENTRY:
            raise _stale(False)
        return data

    def records(self, first=0, last=None):
        """Iterate (type, format, JSON bytes) of records first..last-1, one in RAM at a time.

        A record that is not what its entry says makes the index anew; one that is beyond
        repair, or larger than the free RAM, is left out.
        """
        last = self.count() if last is None else min(last, self.count())
        generation = self.generation
        at = first
        seen = 0 if first == 0 else -1  # end of the record before, -1: not known
        while at < last:
            block = self.block(at)
            with open(self.path, "rb") as f:
                for i in range(0, len(block), ENTRY):
                    if at >= last:
                        break
                    offset, length, kind, form = struct.unpack_from(FORM, block, i)
                    raw = None
                    if valid(offset, length, kind, form, self.size) and offset >= seen:
                        if seen < 0 or offset == seen or not self._lost(f, seen, offset):
                            raw = self._read(f, offset, length)
                    if raw is None and not self.rebuilt:
                        self.rebuild()
                        generation = self.generation
                        at = (
                            _repair().number_at(self, seen) if seen >= 0 else min(at, self.count())
                        )
                        last = self.count()
                        break
                    seen = offset + length
                    at += 1
                    if raw:
                        yield kind, form, raw
                        if generation != self.generation:
                            raise _stale(True)

    def _read(self, file, offset, length):
        # The JSON without its newline; None when it is not what the entry says, b"" when RAM
        # does not hold it.
        file.seek(offset)
        try:
            raw = file.read(length - 1)
            if file.read(1) != b"\n":
                return None
            return raw if is_value(raw) or is_value(raw, False) else None
        except MemoryError:
            if not self._told:
                self._told = True  # once will do: it is read again and again
                self.notice(
                    "A record of %d bytes was left out: not enough RAM to read it." % length
                )
            return b""

    def _lost(self, file, start, end):
        # A torn record that was closed leaves a gap; one with complete records needs a rebuild.
        from claw_memory.session_scan import has_record

        return not self.rebuilt and has_record(file, start, end)

    def turn_start(self, budget):
        """Number of the first record of the oldest turn from which on all fits budget bytes.

        When the latest turn alone does not fit, that is where the answer points to.
        """
        found = at = self.count()
        end = at
        total = 0
        while at > 0:
            start = max(0, at - _BLOCK)
            if start < self.indexed < at:
                start = self.indexed
            block = self.block(start, at - start)
            while at > start:
                at -= 1
                _, length, kind, _ = struct.unpack_from(FORM, block, (at - start) * ENTRY)
                total += length
                if total > budget and found < end:
                    return found
                if kind == USER or at == 0:
                    found = at
        return found

    def turns(self):
        """Number of user records; counted once."""
        if self.users < 0:
            at = turns = 0
            while at < self.count():
                block = self.block(at)
                for i in range(8, len(block), ENTRY):
                    turns += block[i] == USER
                    at += 1
            self.users = turns
        return self.users

    def before(self):
        """What to add to the position of a turn in the log to get its number in the session."""
        state = self.state()
        return state.before() if state else 0

    def state(self):
        """The State of a session that was compacted or learned from before that, else None."""
        if not self.looked:
            if self.size and platform.size(self.path + ".state") >= 0:
                from claw_memory import session_state

                self.kept = session_state.load(self.path)
            self.looked = True  # now: with too little RAM for that there is another time
        return self.kept


def _repair():
    from claw_memory import session_repair

    return session_repair


def _stale(rewritten):
    from claw_memory import session_more

    return session_more.stale(rewritten)
