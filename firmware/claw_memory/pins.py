"""Pinned items: pins.json, {"pins":[ids]}; they never leave the 128.

Read once when a store is opened, and only where there is such a file; Table.pinned has the rows.
"""

from claw_memory import durable, jsonio, limits, platform
from claw_memory.errors import InvalidArg

NAME = "/pins.json"


def load(path, rows):
    """Let rows (Table) know what the file at path pins; "", or a sentence about damage to it."""
    rows.pinned = ()
    try:
        if platform.size(path) > limits.MAP_BYTES:
            raise ValueError
        with open(path, "rb") as f:
            data = f.read()
        found = jsonio.loads(data)["pins"] if data else ()
        for id in found:
            row = rows.ids.find(id.encode())
            if row >= 0:
                rows.pinned += (row,)
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RuntimeError):
        return "%s is damaged: pin again what is to stay." % path
    return ""


def pin(lt, id, on):
    """Pin the item with this id, or let it go again; return whether that changes anything.

    Raises InvalidArg (too many), NotFound, NoSpace or IOFailure.
    """
    row = lt._row(id, True)
    lt = lt.whole()
    rows = lt.table
    if (row in rows.pinned) == on:
        return False
    pinned = tuple([one for one in rows.pinned if one != row and not rows.deleted(one)])
    if on:
        if len(pinned) >= limits.PINS:
            raise InvalidArg("At most %d memories can be pinned: unpin one." % limits.PINS)
        pinned += (row,)
    durable.replace(lt.dir + NAME, chunks(rows, pinned))
    rows.pinned = pinned
    lt.memo = {}
    return True


def also(lt, id):
    """Pin the item with this id beside all that is; for one that goes on under another id.

    The old id stays pinned, for an undo. lt: LongTerm. Raises NoSpace or IOFailure.
    """
    rows = lt.table
    row = rows.ids.find(id.encode())
    if row >= 0 and row not in rows.pinned:
        pinned = rows.pinned + (row,)
        durable.replace(lt.dir + NAME, chunks(rows, pinned))
        rows.pinned = pinned
        lt.memo = {}


def chunks(rows, pinned):
    """The bytes of the file for these rows, in pieces."""
    ids = [str(rows.ids[row], "utf-8") for row in pinned]
    return (jsonio.dumps(jsonio.obj("pins", ids)).encode() + b"\n",)
