"""The digest log: one line per change and per recalled item; digest_fold.py reads it back.

Line: time, action, item id or `-`, extras, separated by tabs. Lines about changes are for people
and may wait in RAM; the lines of a recall are written at once, in one append.
"""

from claw_memory import durable, limits, platform
from claw_memory.platform import const

_BLOCK = const(512)


class Digest:
    """memory_digest.log in a directory; `waiting` holds the lines that are not written yet."""

    def __init__(self, dir):
        self.path = dir + "/memory_digest.log"
        self.index = dir + "/memory_index.json"
        self.waiting = bytearray()

    def note(self, now, action, id="-", extra=""):
        """Queue a line about a change; it is written with the next lines that are."""
        line = "%d\t%s\t%s%s\n" % (now, action, id, "\t" + extra if extra else "")
        self.waiting.extend(line.encode())
        # Whoever keeps failing to write them keeps the newest.
        if len(self.waiting) > 4 * limits.DIGEST_WAITING:
            self.waiting = self.waiting[self.waiting.find(b"\n", _BLOCK) + 1 :]

    def full(self):
        """True when so many lines wait that they should be written."""
        return len(self.waiting) > limits.DIGEST_WAITING

    def recalled(self, now, ids):
        """Write one recall line for each of ids. Raises NoSpace or IOFailure: none counts."""
        # An id with control characters would be read back as another line or another id.
        ids = [id for id in ids if min(id.encode()) > 31]
        lead = "%d\trecall\t" % now
        data = "".join([lead + id + "\taccess_count+1\n" for id in ids])
        durable.append(self.path, self.waiting + data.encode())
        self.waiting = bytearray()

    def flush(self):
        """Write the lines that wait. Raises NoSpace or IOFailure; they then go on waiting."""
        if self.waiting:
            durable.append(self.path, bytes(self.waiting))
            self.waiting = bytearray()

    def size(self):
        """Bytes of the file."""
        return max(0, platform.size(self.path))

    def written(self):
        """A trimmed log is in place: nothing waits any more."""
        self.waiting = bytearray()
