"""Where an item comes from: session, turn, and whether the user said it or it was inferred.

It is a member of the item's line, behind those of ESP-Claw. Only code makes it, never a model. In
the line that ends an item it tells where the item was forgotten instead, with "stated":null.
"""

from claw_memory import items, jsonio, limits
from claw_memory.wording import words
from claw_memory.platform import const

_KEY = const(b',"origin":{')
_STEM = const(4)  # first letters that make two forms of a word alike


def member(session_id, turn, content, message):
    """The member for an item with this content, learned from message (str), as bytes.

    turn: number of the message in its session.
    """
    return _member(session_id, turn, b"true" if stated(content, message) else b"false")


def forgot(session_id, turn):
    """The member for an item that is forgotten in this turn, or behind it in its session."""
    return _member(session_id, turn, b"null")


def _member(session_id, turn, told):
    session_id = jsonio.literal(session_id).encode()
    return b',"origin":{"session":%s,"turn":%d,"stated":%s}' % (session_id, turn, told)


def stated(content, message):
    """True when three fifths of the words of content are, in some form, words of message."""
    said = words(message[: limits.MESSAGE_CHARS])
    stems = [word[:_STEM] for word in said]
    wanted = words(content)
    there = [w for w in wanted if w in said or (len(w) >= _STEM and w[:_STEM] in stems)]
    return bool(wanted) and 5 * len(there) >= 3 * len(wanted)


def put(item, origin):
    """Give item this member (b"": none) in place of its own, if the line has room for it."""
    from claw_memory import item_texts  # readers do without

    at, end = _place(item.extra)
    item.extra = item.extra[:at] + item.extra[end:]
    if len(items.record(item)) + len(origin) + item_texts.GROWTH <= limits.RECORD_BYTES:
        item.extra += origin


def of(item):
    """(session id, turn, stated) of item, None when it is not known; stated None: see forgot()."""
    found = _read(item)
    return found if found and found[2] is not None else None


def forgotten(item):
    """(session id, turn) where item was forgotten, None when it is not known."""
    found = _read(item)
    return found[:2] if found and found[2] is None else None


def _read(item):
    at, end = _place(item.extra)
    if at == end:
        return None
    try:
        found = jsonio.loads(item.extra[at + len(_KEY) - 1 : end])
    except ValueError:
        return None
    session_id = jsonio.get(found, "session")
    turn = jsonio.get(found, "turn")
    if not isinstance(session_id, str) or not isinstance(turn, int):
        return None
    told = jsonio.get(found, "stated")
    return session_id, turn, told is True if told is not None else None


def _place(extra):
    # Where the member is among extra: from, to; equal when there is none.
    at = extra.find(_KEY)
    end = jsonio.value_end(extra, at + len(_KEY) - 1) if at >= 0 else -1
    return (at, end) if end >= 0 else (len(extra), len(extra))
