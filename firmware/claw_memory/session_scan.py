"""Finds complete records, and their type, in bytes of a session log that no entry covers."""

from claw_memory import jsonio, text
from claw_memory.jsonscan import BAD, DONE, VALUE, scan
from claw_memory.platform import const
from claw_memory.session_log import CALLS, FINAL, RESULT, USER

_PIECE = const(512)  # bytes looked at in one go
_TRIES = const(64)  # places within one damaged line at which a record is looked for
_PARSED = const(16384)  # bytes up to which a record is parsed to find its type


def _value_end(file, start, end):
    # Index after the JSON value that starts at start, -1 when none is complete before end.
    state = [VALUE]
    kept = b""
    at = start
    file.seek(start)
    while at < end:
        chunk = file.read(min(_PIECE, end - at))
        if not chunk:
            break
        at += len(chunk)
        kept += chunk
        kept = kept[scan(kept, 0, state, False, False) :]
        if state[0] == DONE:
            return at - len(kept)
        if state[0] == BAD:
            break
        file.seek(at)
    return -1


def _find(file, marks, start, end):
    # Index of the first byte out of marks in [start, end), or end.
    while start < end:
        file.seek(start)
        chunk = file.read(min(_PIECE, end - start))
        if not chunk:
            break
        best = len(chunk)
        for mark in marks:
            i = chunk.find(mark, 0, best)
            if i >= 0:
                best = i
        if best < len(chunk):
            return start + best
        start += best
    return end


def _skip_blank(file, start, end):
    while start < end:
        file.seek(start)
        chunk = file.read(min(_PIECE, end - start))
        if not chunk:
            return end
        rest = chunk.lstrip(b" \t\r\n")
        start += len(chunk) - len(rest)
        if rest:
            break
    return start


def _newline_after(file, at, end):
    # Index after the newline that ends the value before at, -1 when something else follows.
    while at < end:
        file.seek(at)
        c = file.read(1)
        at += 1
        if c == b"\n":
            return at
        if c not in (b" ", b"\t", b"\r"):
            return -1
    return 0


class Region:
    """Iterates over the complete records in bytes start..end of a log that no entry covers."""

    def __init__(self, file, start, end):
        self.file = file
        self.at = start
        self.end = end
        self.skipped = 0  # bytes that belong to no complete record

    def __iter__(self):
        return self

    def __next__(self):
        """(offset, length, closed): length counts the newline if closed, which tells of one."""
        end = self.end
        while True:
            at = self.at = _skip_blank(self.file, self.at, end)
            if at >= end:
                raise StopIteration
            found = self._record(at, True)
            if found:
                return found
            line_end = _find(self.file, (b"\n",), at, end)
            found = self._inside(at, line_end)
            if found:
                return found
            self.skipped += line_end - at
            self.at = line_end + 1

    def _inside(self, start, line_end):
        # What was written right behind a torn record, or behind a sector of garbage.
        self.file.seek(start)
        torn = self.file.read(1) in (b"{", b"[")
        at = start
        for _ in range(_TRIES):
            at = _find(self.file, (b"{", b"["), at + 1, line_end)
            if at >= line_end:
                return None
            self.file.seek(max(start, at - 8))
            before = self.file.read(at - max(start, at - 8)).strip()
            # Behind these a value may be part of the damaged record: of one whose end is
            # torn off it is, of one whose start is lost unless the line ends with it.
            part = before[-1:] in (b"[", b",", b":")
            if part and torn:
                continue
            found = self._record(at, False)
            if found and (found[2] or not part):
                self.skipped += at - start
                return found
        return None

    def _record(self, at, whole_line):
        stop = _value_end(self.file, at, self.end)
        if stop < 0:
            return None
        after = _newline_after(self.file, stop, self.end)
        self.file.seek(at)
        nested = self.file.read(1) in (b"{", b"[")
        if not (whole_line and (after > 0 or after == 0 and nested)):
            # Not alone on its line: only what is plainly a message counts.
            if not nested or not has_role(load(self.file, at, stop - at)):
                return None
        if after > 0:
            self.at = after
            return at, after - at, True
        self.at = stop
        return at, stop - at, False


def load(file, offset, length):
    """The record there, parsed; of one too long for that a likeness with what tells its type."""
    if length <= _PARSED:
        file.seek(offset)
        try:
            return jsonio.loads_prefix(text.clean_bytes(file.read(length)))
        except ValueError:
            return None
    file.seek(offset)
    head = file.read(1)
    roles = ("user", "assistant", "tool")
    blocks = ("tool_use", "tool_result")
    value = {}
    kinds = []
    before = b""
    end = offset + length
    while offset < end:
        file.seek(offset)
        chunk = file.read(min(_PIECE, end - offset))
        if not chunk:
            break
        offset += len(chunk)
        before += chunk
        for role in roles:
            if "role" not in value and b'"role":"' + role.encode() + b'"' in before:
                value["role"] = role
        if b'"tool_calls":[{' in before:
            value["tool_calls"] = True
        kinds += [k for k in blocks if b'"type":"' + k.encode() + b'"' in before]
        before = before[-24:]
    value["content"] = [{"type": kind} for kind in kinds]
    return [value] if head == b"[" else value


def has_role(value):
    """True when value is a message, or an array that starts with one."""
    if isinstance(value, list):
        value = value[0] if value else None
    # Any role: a byte of it may be damaged.
    return isinstance(value, dict) and isinstance(jsonio.get(value, "role"), str)


def infer(value, called):
    """(record type, backend format) of a parsed record.

    called: format of the tool calls right before it, which a result with role tool takes over.
    """
    if isinstance(value, list):
        for item in value:
            # Lists in lists are no results, and could be nested deeper than the stack.
            form = 0 if isinstance(item, list) else infer(item, called)[1]
            if form:
                return RESULT, form
        return RESULT, called
    if not isinstance(value, dict):
        return FINAL, 0
    role = jsonio.get(value, "role")
    content = jsonio.get(value, "content")
    kinds = ()
    if isinstance(content, list):
        kinds = [jsonio.get(b, "type") for b in content if isinstance(b, dict)]
    if role == "tool":
        return RESULT, called or 1
    if role == "user":
        if "tool_result" in kinds:
            return RESULT, 2
        return USER, 1 if "image_url" in kinds else 2 if "image" in kinds else 0
    if jsonio.get(value, "tool_calls"):
        return CALLS, 1
    if "tool_use" in kinds:
        return CALLS, 2
    # Only Anthropic answers in blocks.
    return FINAL, 2 if kinds else 0


def has_record(file, start, end):
    """True when a complete record lies in bytes start..end of the log."""
    for _ in Region(file, start, end):
        return True
    return False
