"""What is known of a session besides its records: learned up to where, and what has left it."""

from binascii import crc32

from claw_memory import durable, jsonio, limits, platform

HEAD = 256  # bytes at the start of a log by which its state is recognised


class State:
    """The numbers in <session>.log.state; turns are counted from 0 for the session's whole life.

    flushed: the last turn up to which facts were extracted, None when none ever were. start: the
    first turn that goes into prompts. tries: failed attempts to extract from the turns before
    start. dropped: turns that are no longer in the log. summary: True when the first record of
    the log is a summary of them.
    """

    def __init__(self, flushed=None):
        self.flushed = flushed
        self.start = 0
        self.tries = 0
        self.dropped = 0
        self.summary = False

    def copy(self):
        """Another State with the same numbers."""
        other = State()
        for name in ("flushed", "start", "tries", "dropped", "summary"):
            setattr(other, name, getattr(self, name))
        return other

    def before(self):
        """What to add to the position of a turn in the log to get its number."""
        return self.dropped - self.summary

    def chunks(self, head):
        """The bytes of the file, in pieces; head: how its log starts (bytes), see head_of()."""
        value = jsonio.obj("flushed", self.flushed, "start", self.start, "tries", self.tries)
        value["dropped"] = self.dropped
        value["summary"] = self.summary
        value["head"] = [len(head), crc32(head)]
        return (jsonio.dumps(value).encode() + b"\n",)


def head_of(path, size=HEAD):
    """The first bytes of the log at path."""
    with open(path, "rb") as f:
        return f.read(size)


def load(path):
    """The State of the log at path; one that says nothing when there is none or it is damaged.

    When another program has rewritten the log meanwhile, turns go on being counted, no more.
    """
    state = State()
    size = platform.size(path + ".state")
    if not 0 < size <= limits.STATE_BYTES or platform.size(path) <= 0:
        return state
    try:
        with open(path + ".state", "rb") as f:
            value = jsonio.loads_prefix(f.read())
        length, crc = value["head"]
        numbers = [value[name] for name in ("start", "tries", "dropped", "flushed")]
        state.start, state.tries, state.dropped = [max(0, int(n)) for n in numbers[:3]]
        state.flushed = None if numbers[3] is None else int(numbers[3])
        state.summary = value["summary"] is True
        same = crc32(head_of(path, min(HEAD, int(length)))) == crc
    except (ValueError, KeyError, TypeError):
        return State()
    if not same:
        state.flushed = None
        state.tries = 0
        state.start = state.dropped
        state.summary = False
    return state


def save(log, state):
    """Write state for log (a SessionLog), and let it count. Raises NoSpace or IOFailure."""
    durable.replace(log.path + ".state", state.chunks(head_of(log.path)))
    log.kept = state
    log.looked = True
