"""Item lines in any other form than the usual one: foreign, damaged, with members of others."""

import json

from claw_memory import jsonio, limits, text

_KNOWN = (
    "id",
    "source",
    "content",
    "tags",
    "keywords",
    "created_at",
    "updated_at",
    "access_count",
    "deleted",
    "summary_ids",
    "summary_labels",
)


def parse(line):
    """The JSON object of one line (bytes) as a dict, None when there is none.

    As ESP-Claw reads: what follows the first value is ignored. Unlike there, a record that was
    appended to the torn rest of another one is found.
    """
    size = len(line)
    try:
        line = text.clean_bytes(line)
        try:
            # The fast parser first: it does not join surrogates and accepts less.
            value = jsonio.loads(line) if "\\u" in line else json.loads(line)
        except (ValueError, RuntimeError):
            value = _parse_odd(line)
    except MemoryError:
        if size <= limits.JSON_BYTES:
            raise
        return None  # damage, such as very deep nesting
    return value if isinstance(value, dict) else None


def _parse_odd(line):
    data = line.encode()
    while data:
        try:
            return jsonio.loads_prefix(data)
        except ValueError:
            again = data.find(b'{"id":"', 1)
            data = data[again:] if again > 0 else b""
    return None


def fields(value):
    """What the table needs of a parsed record, None when it is no item.

    (id in bytes, updated_at, access_count, deleted, tags, summary ids)
    """
    id = get_text(value, "id") if value is not None else ""
    if not id:
        return None
    deleted = jsonio.get(value, "deleted") is True
    return (
        id.encode(),
        get_number(value, "updated_at", 0xFFFFFFFF),
        get_number(value, "access_count", 65535),
        deleted,
        "" if deleted else get_text(value, "tags"),
        get_ids(value),
    )


def scan(into, offset, line):
    """Have a records_scan.Scan take note of the line (bytes) at offset."""
    value = parse(line)
    found = fields(value)
    if found:
        into.take(found[0], offset, len(line), *found[1:])
        # Where the newline between two items was destroyed they share a line.
        second = line.find(b'{"id":"', 1)
        if second > 0 and 0 < jsonio.value_end(line) <= second:
            scan(into, offset + second, line[second:])
    elif value is not None:
        into.foreign += len(line)
    elif line.strip():
        into.unreadable += 1


def get_text(value, key):
    """The member key of a parsed record as str, "" when it is no text; NUL ends it."""
    found = jsonio.get(value, key)
    if not isinstance(found, str):
        return ""
    return found.split("\0")[0] if "\0" in found else found


def get_number(value, key, most):
    """The member key of a parsed record as an integer of 0 to most, 0 when it is no number."""
    found = jsonio.get(value, key)
    if found is True or found is False or not isinstance(found, (int, float)):
        return 0
    try:
        return max(0, min(int(found), most))
    except (ValueError, OverflowError):
        return 0


def get_ids(value):
    """The summary ids (at most three) of a parsed record."""
    found = jsonio.get(value, "summary_ids")
    if not isinstance(found, list):
        return []
    return [n if isinstance(n, int) and 0 < n < 65536 else 0 for n in found[: limits.TERMS]]


def read(item, line):
    """item with the fields of the line (bytes), None when the line holds no item."""
    value = parse(line)
    item.id = get_text(value, "id") if value is not None else ""
    if not item.id:
        return None
    item.source = get_text(value, "source")
    item.content = get_text(value, "content")
    item.tags = get_text(value, "tags")
    item.keywords = get_text(value, "keywords")
    item.created_at = get_number(value, "created_at", 0xFFFFFFFF)
    item.updated_at = get_number(value, "updated_at", 0xFFFFFFFF)
    item.access_count = get_number(value, "access_count", 65535)
    item.deleted = jsonio.get(value, "deleted") is True
    for key in value:
        if key not in _KNOWN:
            item.extra = _unknown(line)
            break
    return item


def _unknown(line):
    # The members that are not ours, in their own spelling: ,"key":value,"key":value
    out = b""
    at = line.find(b"{") + 1
    while True:
        while at < len(line) and line[at] in b" \t,":
            at += 1
        key_end = jsonio.value_end(line, at)
        colon = line.find(b":", key_end)
        if line[at : at + 1] != b'"' or key_end < 0 or colon < 0:
            return out
        end = jsonio.value_end(line, colon + 1)
        if end < 0:
            return out
        if jsonio.loads_prefix(text.clean_bytes(line[at:key_end])).lower() not in _KNOWN:
            out += b"," + line[at:key_end] + b":" + line[colon + 1 : end].strip()
        at = end
