"""One long-term item and its line in memory_records.jsonl, both ways; see itemodd for odd lines.

A line has ESP-Claw's keys in ESP-Claw's order; keys that others added follow behind them.
"""

from claw_memory import jsonio, text
from claw_memory.platform import const

_ORIGIN = const(b',"origin":{"session":"')
_ENDS = const((b"]}\n", b'],"summary_labels":[]}\n', b"]}", b'],"summary_labels":[]}'))


class Item:
    """Fields of one memory: texts as str, times in unix seconds (0 unknown).

    `truncated` tells that something given to store or update was cut; `extra` holds the members
    that this firmware does not know, as JSON bytes.
    """

    # Values of the class: an item that is read sets most of them anyway.
    id = source = content = tags = keywords = ""
    created_at = updated_at = access_count = 0
    deleted = truncated = False
    summary_ids = ()
    extra = b""


def members(item):
    """The members of item in ESP-Claw's order, as JSON text without braces."""
    quoted = jsonio.literal
    return (
        '"id":%s,"source":%s,"content":%s,"tags":%s,"keywords":%s,"created_at":%d,'
        '"updated_at":%d,"access_count":%d,"deleted":%s,"summary_ids":[%s]'
        % (
            quoted(item.id),
            quoted(item.source),
            quoted(item.content),
            quoted(item.tags),
            quoted(item.keywords),
            item.created_at,
            item.updated_at,
            item.access_count,
            "true" if item.deleted else "false",
            ",".join([str(n) for n in item.summary_ids]),
        )
    )


def record(item, compacted=False):
    """The line of item, newline included, as bytes; the form of a compaction if asked for."""
    body = members(item).encode()
    if compacted:
        body += b',"summary_labels":[]'
    return b"{" + body + item.extra + b"}\n"


def split(line):
    """The values of a line (bytes) in the form that ESP-Claw and this firmware write, else None.

    (id, source, content, tags, keywords, created_at, updated_at, access_count, deleted,
    summary_ids, origin), each as the bytes between its key and the next; origin with its key, see
    origin.py. Without a backslash in the line no quote can be part of a text: finding the keys is
    then as good as parsing, and much faster.
    """
    if line[:7] != b'{"id":"' or b"\\" in line or b"\0" in line:
        return None
    source = line.find(b'","source":"', 7)
    content = line.find(b'","content":"', source)
    tags = line.find(b'","tags":"', content)
    keywords = line.find(b'","keywords":"', tags)
    created = line.find(b'","created_at":', keywords)
    updated = line.find(b',"updated_at":', created)
    access = line.find(b',"access_count":', updated)
    deleted = line.find(b',"deleted":', access)
    ids = line.find(b',"summary_ids":[', deleted)
    end = line.find(b"]", ids)
    # A search that fails makes all that follow it fail.
    if ids < 0 or end < 0 or source < 8:
        return None
    rest = line[end:]
    origin = b""
    if rest not in _ENDS:
        at = rest.find(_ORIGIN)
        origin = rest[at : rest.find(b"}", at) + 1]
        rest = rest[:at] + rest[at + len(origin) :]
        if at < 0 or rest not in _ENDS or not _is_origin(origin):
            return None
    if line.count(b'"') != (30 if rest[1] == 125 else 32) + (10 if origin else 0):
        return None
    return (
        line[7:source],
        line[source + 12 : content],
        line[content + 13 : tags],
        line[tags + 10 : keywords],
        line[keywords + 14 : created],
        line[created + 15 : updated],
        line[updated + 14 : access],
        line[access + 16 : deleted],
        line[deleted + 11 : ids],
        line[ids + 16 : end],
        origin,
    )


def _is_origin(origin):
    turn, _, told = origin[origin.find(b'","turn":') + 9 : -1].partition(b',"stated":')
    return (
        turn.isdigit() and str(int(turn)).encode() == turn and told in (b"true", b"false", b"null")
    )


def _plain(data):
    return str(data, "utf-8")


def from_line(line):
    """The Item of a line (bytes), None when the line holds no item."""
    item = Item()
    parts = split(line)
    if parts:
        try:
            clean = _plain if len(str(line, "utf-8")) == len(line) else text.clean_bytes
            item.id = clean(parts[0])
            item.source = clean(parts[1])
            item.content = clean(parts[2])
            item.tags = clean(parts[3])
            item.keywords = clean(parts[4])
            item.created_at = int(parts[5])
            item.updated_at = int(parts[6])
            item.access_count = int(parts[7])
            item.deleted = parts[8] == b"true"
            item.extra = parts[10]
            if not (item.created_at >> 32 or item.updated_at >> 32 or item.access_count >> 16):
                return item
        except ValueError:
            pass
    from claw_memory import itemodd

    return itemodd.read(item, line)
