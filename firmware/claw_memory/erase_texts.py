"""Records and lines without what is being erased: same role, ids and order, other words."""

from claw_memory import jsonio, text
from claw_memory.erase_tells import BREAK
from claw_memory.session_log import RESULT, USER
from claw_memory.session_degrade import parse

MARK = "[removed at the user's request]"
SUMMARY = "Summary of our conversation so far: "

# Members that say what a part is, or which call it belongs to.
_FIXED = ("role", "type", "id", "tool_call_id", "tool_use_id", "name", "is_error")
_ORDER = ("role", "type", "id", "tool_call_id", "tool_use_id", "name", "content", "text")
_BLOCKS = ("text", "tool_use", "tool_result", "function")


def _inner(said):
    # Tools speak JSON in texts: there the words may be escaped.
    if said[:1] in ("{", "["):
        try:
            return BREAK.join(_texts(jsonio.loads(said)))
        except ValueError:
            pass
    return said


def _texts(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for part in value:
            yield from _texts(part)
    elif isinstance(value, dict):
        for name in value:
            if name not in ("role", "type"):
                yield name
                yield from _texts(value[name])


def _whole(value):
    return BREAK.join([_inner(said) for said in _texts(value)])


class _Redaction:
    # tells: the Tells. every: all texts go, not only those that tell it by themselves.
    def __init__(self, tells, every):
        self._tells = tells
        self._every = every

    def hits(self, said):
        return self._every or self._tells(said)

    def of(self, value):
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return [self.of(part) for part in value]
        if not isinstance(value, dict):
            return value
        kind = value.get("type")
        if isinstance(kind, str) and kind not in _BLOCKS and self.hits(_whole(value)):
            return jsonio.obj("type", "text", "text", MARK)
        new = jsonio.obj()
        for name in [n for n in _ORDER if n in value] + [n for n in value if n not in _ORDER]:
            part = value[name]
            if name == "arguments" and isinstance(part, str):
                part = "{}" if self.hits(_inner(part)) else part
            elif name == "input" and isinstance(part, dict):
                part = {} if self.hits(_whole(part)) else part
            elif name not in _FIXED:
                part = self.of(part)
            new[name] = part
        return new

    def text(self, said):
        if not said or not self.hits(_inner(said)):
            return said
        if said.startswith(SUMMARY) and not self._every:
            return SUMMARY + self._sentences(said[len(SUMMARY) :])
        return MARK

    def _sentences(self, said):
        # A summary tells of much else.
        kept = []
        for line in said.split("\n"):
            mark = "> " if line.startswith("> ") else ""
            parts = [part for part in line[len(mark) :].split(". ") if not self._tells(part)]
            kept.append(mark + ". ".join(parts))
        return "\n".join(kept)


def stand_in(kind):
    """JSON bytes of a record of this type that says nothing but that something was removed."""
    if kind == RESULT:
        return b"[]"
    role = "user" if kind == USER else "assistant"
    return jsonio.dumps(jsonio.obj("role", role, "content", MARK)).encode()


def record(kind, raw, tells, every=False):
    """The record raw (JSON bytes) of a session without what tells recognises; None: it is clean.

    every: all of its texts go, because its turn is where the memory came from.
    """
    try:
        value = parse(raw)
    except ValueError:
        return stand_in(kind)
    if not every and not tells(_whole(value)):
        return None
    new = _Redaction(tells, every).of(value)
    if not every and tells(_whole(new)):
        new = _Redaction(tells, True).of(value)
    if sorted(_texts(new)) == sorted(_texts(value)):
        return None  # redacted before
    made = jsonio.dumps(new).encode()
    return stand_in(kind) if tells(_whole(new)) else made


def turn_line(line, tells, turns):
    """A line of a session's archive likewise; turns: numbers of turns of which all goes."""
    value = _object(line) or {}
    said = jsonio.get(value, "content")
    if not isinstance(said, str):
        return b"" if tells(line) else None
    if value.get("turn") in turns or tells(said):
        if said == MARK:
            return None
        new = jsonio.obj()
        for name in ("turn", "role", "content", "at"):
            if name in value:
                new[name] = MARK if name == "content" else value[name]
        return jsonio.dumps(new).encode() + b"\n"
    return None


def turn_of(line):
    """The number of the turn that a line of a session's archive tells, -1 when it tells none."""
    turn = jsonio.get(_object(line) or {}, "turn")
    return turn if isinstance(turn, int) else -1


def item_line(line, tells):
    """b"" for a line of history or archive that has the id or tells it, None for another."""
    value = _object(line)
    id = jsonio.get(value, "id") if value else None
    if isinstance(id, str) and tells.is_id(id.encode()):
        return b""
    return b"" if tells(_whole(value) if value else line) else None


def note_line(line, tells):
    """b"" for a line of plain text that tells it, None for another."""
    return b"" if tells(line) else None


def digest_line(line, tells):
    """b"" for a line of the digest log that has the id or tells it, None for another."""
    fields = line.rstrip(b"\n").split(b"\t")
    if any([tells.is_id(field) for field in fields[2:]]):
        return b""
    return b"" if len(fields) > 2 and tells(b" ".join(fields[1:])) else None


def _object(line):
    try:
        value = jsonio.loads_prefix(text.clean_bytes(line))
    except ValueError:
        return None
    return value if isinstance(value, dict) else None
