"""What is damaged of the files beside records and logs, in a sentence; looked for when asked.

Readers pass over what they cannot read, and say nothing, as most of them run in every turn.
"""

from claw_memory import itemline, jsonio, platform, text
from claw_memory.platform import const
from claw_memory.lines import read_lines

_FILES = const(8)  # named in the sentence
_STEP = const(16)  # lines looked at in one step


def look(memory):
    """Steps (each yields ""); returns a sentence about what is damaged, "" for nothing."""
    found = []
    more = 0
    for path, sound in _files(memory):
        bad = seen = 0
        if not platform.isdir(path):
            bad, seen = yield from _count(path, sound)
            if not bad:
                continue
        if len(found) == _FILES:
            more += 1
        elif bad and bad == seen:
            found.append("all of " + path)
        elif bad:
            found.append("%d line%s of %s" % (bad, "" if bad == 1 else "s", path))
        else:
            found.append("%s, which is a folder" % path)
    if more:
        found.append("%d more files" % more)
    return ", ".join(found) + "; all else is in use" if found else ""


def _count(path, sound):
    bad = seen = 0
    for _, line in read_lines(path):
        if not line.strip():
            continue  # nothing, in any file
        seen += 1
        try:
            bad += not sound(line)
        except (ValueError, KeyError, TypeError, AttributeError, RuntimeError, MemoryError):
            bad += 1
        if not seen % _STEP:
            yield ""
    return bad, seen


def _files(memory):
    # (path, function that tells whether a line of it can be used)
    from claw_memory.erase_files import folders, is_note

    top = memory.memory_dir + "/"
    yield top + "memory_records.jsonl", _is_object
    yield top + "history.jsonl", _is_former
    for name in ("archive_0.jsonl", "archive_1.jsonl"):
        yield top + name, _is_archived
    yield top + "pins.json", _is_pins
    for folder in [memory.memory_dir] + folders(memory.memory_dir):
        for name in platform.listed(folder, is_note):
            yield folder + "/" + name, _is_text
    for end, sound in ((".archive", _is_turn), (".state", _is_state)):
        for name in platform.listed(memory.sessions_dir, lambda n, end=end: n.endswith(end)):
            yield memory.sessions_dir + "/" + name, sound


def _is_object(line):
    return itemline.from_line(line) is not None or isinstance(jsonio.loads(line), dict)


def _is_former(line):
    value = jsonio.loads(line)
    return isinstance(value["id"], str) and isinstance(
        value.get("content", value.get("gone")), str
    )


def _is_archived(line):
    return itemline.from_line(line) is not None or isinstance(jsonio.loads(line)["archive"], int)


def _is_pins(line):
    return all([isinstance(id, str) for id in jsonio.loads(line)["pins"]])


def _is_text(line):
    return 0 not in line and text.clean_bytes(line).encode() == line


def _is_turn(line):
    value = jsonio.loads(line)
    return isinstance(value["turn"], int) and isinstance(value["content"], str)


def _is_state(line):
    return isinstance(jsonio.loads(line)["dropped"], int)
