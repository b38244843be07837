"""The files in which something that is erased may be told: looked through, and rewritten.

Everything here comes in steps (generators), so that a loop stays alive; each file is replaced at
once, and doing it all again after a cut changes nothing that was done.
"""

import struct

from claw_memory import durable, erase_texts, platform
from claw_memory.platform import const
from claw_memory.lines import read_lines
from claw_memory.session_log import CALLS, ENTRY, FORM, HEADER, RESULT, USER, SessionLog

_KEEP = const(0)
_REDACT = const(1)
_WHOLE = const(2)  # all texts of the record go
_STAND_IN = const(3)
_PIECE = const(512)  # bytes copied in one go
_OUT = const(500)  # bytes of packed entries
_STEP = const(16)  # lines looked at in one step
DROPPED = ("history.jsonl", "archive_0.jsonl", "archive_1.jsonl")
PLACES = const(8)  # numbers of turns or lines that are shown of a file


def folders(path):
    """Paths of the directories in the directory path."""
    found = [path + "/" + name for name in platform.listed(path, lambda name: True)]
    return [name for name in found if platform.isdir(name)]


def is_note(name):
    """True for the name of a daily note."""
    if name == "undated.md":
        return True
    digits = name[:4] + name[5:7] + name[8:10]
    return (
        len(name) == 13 and name[4] == name[7] == "-" and name[10:] == ".md" and digits.isdigit()
    )


class Session:
    """One session's log and what is to be done with each of its records."""

    def __init__(self, path, tells):
        self.path = path
        self.tells = tells
        self.log = SessionLog(path, platform.ignore)
        self.flags = bytearray()
        self.messages = 0  # records that change
        self.places = []  # numbers of the first turns in which some do
        self.gaps = False  # bytes of no record, which may hold anything
        hash = path[-12:-4]
        self._turns = set([turn for name, turn in tells.origins if name == hash])

    def turns(self):
        """Numbers of the turns of this session of which all goes."""
        return self._turns

    def scan(self):
        """Look at all records, one a step."""
        yield from self._look()
        if _STAND_IN in bytes(self.flags) and not self.log.rebuilt:
            self.log.rebuild()
            yield from self._look()

    def _look(self):
        self.flags = bytearray()
        self.places = []
        turn = max(0, self.log.before()) - 1
        end = 0
        broken = False
        self.gaps = self.log.size > 0 and not self.log.count()
        for offset, length, kind, _ in self._entries():
            if kind == USER or turn < 0:
                turn += 1
            self.gaps = self.gaps or offset != end
            end = offset + length
            flag = self._flag(offset, length, kind, turn)
            # Results of calls that are gone would be refused.
            broken = flag == _STAND_IN if kind == CALLS else broken and kind == RESULT
            self.flags.append(_STAND_IN if broken else flag)
            if flag or broken:
                noted(self.places, turn)
            yield
        self.gaps = self.gaps or end != self.log.size
        self.messages = len([flag for flag in self.flags if flag])

    def _flag(self, offset, length, kind, turn):
        every = turn in self._turns
        raw = self._read(offset, length)
        if raw is None:
            return _STAND_IN
        new = erase_texts.record(kind, raw, self.tells, every)
        if new is None:
            return _KEEP
        if kind == CALLS and new == erase_texts.stand_in(kind):
            return _STAND_IN
        return _WHOLE if every else _REDACT

    def _read(self, offset, length):
        # None for what is no record, or one that RAM does not hold: nobody can vouch for it.
        with open(self.path, "rb") as f:
            f.seek(offset)
            try:
                raw = f.read(length)
            except MemoryError:
                return None
        return raw[:-1] if raw[-1:] == b"\n" else None

    def _entries(self):
        at = 0
        while at < self.log.count():
            block = self.log.block(at)
            for i in range(0, len(block), ENTRY):
                yield struct.unpack_from(FORM, block, i)
                at += 1

    def rewrite(self):
        """Replace the files of the session; call it after scan(). Raises NoSpace or IOFailure."""
        if not self.messages and not self.gaps:
            return
        self.log.flush()
        self._head = b""
        self._lengths = []
        files = [(self.path, self._data()), (self.log.idx, self._index())]
        state = self.log.state()
        if state is not None:
            files.append((self.path + ".state", self._state(state)))
        durable.replace_many(files)

    def _data(self):
        for flag, (offset, length, kind, _) in zip(self.flags, self._entries()):
            size = 0
            for chunk in self._chunks(flag, offset, length, kind):
                size += len(chunk)
                if len(self._head) < _PIECE:
                    self._head += chunk
                yield chunk
            self._lengths.append(size)

    def _chunks(self, flag, offset, length, kind):
        if flag == _KEEP:
            yield from self._copied(offset, length)
            return
        new = None
        if flag != _STAND_IN:
            raw = self._read(offset, length)
            new = erase_texts.record(kind, raw or b"", self.tells, flag == _WHOLE)
        yield (new or erase_texts.stand_in(kind)) + b"\n"

    def _copied(self, offset, length):
        with open(self.path, "rb") as f:
            f.seek(offset)
            while length:
                chunk = f.read(min(_PIECE, length))
                if not chunk:
                    raise OSError(5)
                length -= len(chunk)
                yield chunk

    def _index(self):
        yield HEADER
        out = bytearray()
        at = 0
        for size, (_, _, kind, form) in zip(self._lengths, self._entries()):
            out.extend(struct.pack(FORM, at, size, kind, form))
            at += size
            if len(out) >= _OUT:
                yield bytes(out)
                out = bytearray()
        yield bytes(out)

    def _state(self, state):
        from claw_memory import session_state

        # It is recognised by how its log begins.
        yield from state.chunks(self._head[: session_state.HEAD])


def noted(places, place):
    """Add place (a number) to the list places, of which the first few are kept."""
    if place not in places and len(places) < PLACES:
        places.append(place)


def lines(path, judge, act, places=None):
    """Steps through the lines of a file; returns how many judge() changes. act: rewrite it then.

    judge(line) gives None for a line that stays, else bytes in its place. places: list for the
    numbers of the first lines that change, from 1. Raises NoSpace, IOFailure.
    """
    count = seen = 0
    for _, line in read_lines(path):
        seen += 1
        if judge(line) is not None:
            count += 1
            noted([] if places is None else places, seen)
        if not seen % _STEP:
            yield
    if act and count:
        durable.replace(path, _judged(path, judge))
    return count


def _judged(path, judge):
    for _, line in read_lines(path):
        new = judge(line)
        yield line if new is None else new


class Found:
    """What was found: numbers of `messages` and `lines` by path, the path of a session's log.

    `places`: by path the numbers of the first turns (from 0) or lines (from 1). `own`: (path, line
    number) of own texts. `names`: of files that tell it themselves.
    """

    def __init__(self):
        self.messages = {}
        self.lines = {}
        self.places = {}
        self.own = []
        self.names = []

    def message(self, path, count, places):
        """Count messages of the session whose log is at path, in these turns."""
        if count:
            self.messages[path] = self.messages.get(path, 0) + count
            known = self.places.setdefault(path, [])
            for place in places:
                noted(known, place)

    def line(self, path, count, places):
        """Count lines of the file at path."""
        if count:
            self.lines[path] = count
            self.places[path] = places


def sessions(memory, tells, found, act):
    """Steps through all sessions and their archives."""
    names = platform.listed(memory.sessions_dir, lambda name: name.startswith("s_"))
    for name in names:
        path = memory.sessions_dir + "/" + name
        if name.endswith(".log"):
            session = Session(path, tells)
            yield from session.scan()
            if act:
                session.rewrite()
            found.message(path, session.messages, session.places)
        elif name.endswith(".log.archive"):
            turns = set([turn for hash, turn in tells.origins if hash == name[-20:-12]])
            places = []

            def judge(line, turns=turns, places=places):
                new = erase_texts.turn_line(line, tells, turns)
                if new is not None:
                    noted(places, erase_texts.turn_of(line))
                return new

            count = yield from lines(path, judge, act)
            found.message(path[:-8], count, places)


def notes(memory, tells, found, act):
    """Steps through notes, history and archive of the owner and of all other users."""
    for folder in [memory.memory_dir] + folders(memory.memory_dir):
        for name in platform.listed(folder, lambda name: is_note(name) or name in DROPPED):
            rule = erase_texts.note_line if is_note(name) else erase_texts.item_line

            def judge(line, rule=rule):
                return rule(line, tells)

            places = []
            count = yield from lines(folder + "/" + name, judge, act, places)
            found.line(folder + "/" + name, count, places)


def digest(memory, tells):
    """Steps through the digest log; lines of it that have the id go."""

    def judge(line):
        return erase_texts.digest_line(line, tells)

    yield from lines(memory.memory_dir + "/memory_digest.log", judge, True)
