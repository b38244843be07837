"""Sharing: the owner's items become the device's, which every user reads, and the other way."""

from claw_memory import limits, longterm_change, marks
from claw_memory.errors import InvalidState
from claw_memory.scope import DEVICE, OWNER, home


def share(memory, id):
    """Let every user of the device read an item of the owner; return the Item, with its new id.

    memory: as its user sees it. One append: the item ends under its old id and begins under the
    new one. Raises InvalidState for another user than the owner, InvalidArg (empty id), NotFound,
    NoSpace and IOFailure.
    """
    return _move(memory, id, DEVICE)


def unshare(memory, id):
    """Take an item back that share() gave to every user; return the Item. Raises as share()."""
    return _move(memory, id, "")


def _move(memory, id, suffix):
    if memory.scope and memory.scope.user:
        raise InvalidState("only the owner of the device shares memories")
    view = memory.view(memory.scope or OWNER)
    lt = view.whole()
    row = view._row(id, True)
    item = next(lt.read((row,)))
    whose = home(item.id.encode()).decode()
    if whose == suffix:
        return item
    new = item.id[: len(item.id) - len(whose)] + suffix
    if len(new.encode()) > limits.ID_BYTES or lt.table.ids.find(new.encode()) >= 0:
        new = longterm_change.new_id(lt, lt.clock(), suffix)
    item.id = new
    mark = marks.fingerprint(item)
    pinned = row in lt.table.pinned
    longterm_change.write(lt, -1, item, mark, "share" if suffix else "unshare", (row,))
    if pinned:
        from claw_memory import pins

        pins.also(lt, item.id)
    return item
