"""What a damaged file still holds, found without any code of the firmware."""

import json
import sys

_STRICT = sys.implementation.name == "cpython"


def is_json(line):
    """True when the bytes are one complete JSON value. False for all in the binary.

    MicroPython's parser takes things that are none, such as missing commas; there only lines
    that are as they were written count.
    """
    if not _STRICT:
        return False
    try:
        json.loads(line.decode("latin-1"), parse_constant=_no)
    except (ValueError, RecursionError):
        return False
    return True


def _no(word):
    raise ValueError(word)


def records(data, known):
    """The complete records of a log, in order, each without its newline.

    known: records as they were written, some of which go over several lines.
    """
    found = []
    longer = [raw for raw in known if b"\n" in raw]
    at = 0
    while at < len(data):
        for raw in longer:
            if data[at : at + len(raw) + 1] == raw + b"\n":
                found.append(raw)
                at += len(raw) + 1
                break
        else:
            end = data.find(b"\n", at)
            closed = end >= 0
            line = data[at : end if closed else len(data)].strip(b" \t\r")
            parts = _parts(line, known, b'{"role":"')
            for part in parts:
                good = part in known or is_json(part)
                if part and good and (closed or part[:1] in (b"{", b"[")):
                    found.append(part)
            at = end + 1 if closed else len(data)
    return found


def split(data, index):
    """The records of an intact log by its index, and by lines where that ends."""
    found = []
    at = 0
    for i in range(8, len(index) - 9, 10):
        length = int.from_bytes(index[i + 4 : i + 8], "little")
        found.append(data[at : at + length - 1])
        at += length
    return found + data[at:].split(b"\n")[:-1]


class Items:
    """The items in memory_records.jsonl: contents {id: text or None if forgotten}.

    unsure: ids that also occur in lines that are no complete items, behind their last good line:
    what becomes of those depends on how much a reader forgives.
    """

    def __init__(self, data, known):
        self.contents = {}
        self.foreign = []
        last = {}
        doubtful = []
        for number, whole in enumerate(data.split(b"\n")):
            for line in _parts(whole.strip(b" \t\r"), known, b'{"id":"'):
                item = _parsed(line) if line in known or is_json(line) else None
                if item is None:
                    doubtful.append((number, line))
                elif item[0]:
                    self.contents[item[0]] = item[1]
                    last[item[0]] = number
                else:
                    self.foreign.append(line)
        self.unsure = set()
        for id in last:
            for number, line in doubtful:
                if number > last[id] and id.encode() in line:
                    self.unsure.add(id)


def _parts(line, known, start):
    # The two values of a line in which only the newline between them was destroyed, or the line.
    # Both begin with the bytes start.
    second = line.find(start, 1)
    if not _STRICT or second < 0 or line in known or not is_json(line[second:]):
        return (line,)
    try:
        end = json.JSONDecoder().raw_decode(line.decode("latin-1"))[1]
    except (ValueError, RecursionError):
        return (line,)
    if end > second or not line.startswith(start):
        return (line,)
    if line[end:second].strip()[-1:] in (b"[", b",", b":"):
        # As good as a torn array or object that the second is a part of, and no record.
        return (line,)
    return line[:end], line[second:]


def _parsed(line):
    # (id, content or None) of a complete line, None when it must be read with care.
    try:
        pairs = json.loads(str(line, "utf-8"))
    except ValueError:
        return None
    if not isinstance(pairs, dict):
        return "", None
    for key in pairs:
        # Keys that differ in case only, or a NUL: rare, and a matter of its own.
        if key.lower() in ("id", "content", "deleted") and key != key.lower():
            return None
    id = pairs.get("id")
    content = pairs.get("content")
    if not isinstance(id, str) or not id:
        return "", None
    if not isinstance(content, str):
        content = ""
    if "\0" in id or "\0" in content:
        return None
    return id, None if pairs.get("deleted") is True else content
