"""Undoing the last change of the long-term store, and lines in the form of a compaction.

See changes.py for what such a line means.
"""

from claw_memory import durable, items
from claw_memory.changes import BASE, GRAVE, Changes
from claw_memory.errors import ClawError, NotFound


def hold(lt, id):
    """Keep the last change, of this id, for undo(): no compaction between turns until another one.

    lt: LongTerm or view. False when the change has already led to a compaction.
    """
    lt = lt.whole()
    lt.held = lt.size
    return lt.table.ids.find(id.encode()) >= 0


def undo(lt):
    """Undo the last change; return (Item as it was changed, Item as it is now or None).

    A forgotten item comes back, an update goes back to the text before, a new item ends. Of a
    view, changes of what it may change count. Raises NotFound when there is no change since the
    last compaction, NoSpace or IOFailure with all as it was.
    """
    lt._check()
    sees = None
    if lt.scope or lt.table.scoped:
        from claw_memory.scope import OWNER

        sees = (lt.scope or OWNER).changes
    lt = lt.whole()
    found = Changes(lt)
    group = _last(found, lt.table.ids, sees)
    if not group:
        raise NotFound("There is no change to undo since the store was last compacted.")
    changed = found.item(group[0])
    back = []
    for at in group:
        before = found.before(at, found.row[at])
        item = found.item(before if before >= 0 else at)
        item.deleted = item.deleted or before < 0
        back.append(item)
    # As with a forget: the file for people must not go on telling what is no more.
    lt.dirty = durable.remove(lt.markdown) or lt.dirty
    write(lt, back, "undo")
    lt.held = lt.size  # the changes before can be undone, too
    return changed, None if back[0].deleted else back[0]


def write(lt, found, action):
    """Append the lines of these items, in the form of a compaction, and point their rows to them.

    action: word for the digest log. Raises NoSpace or IOFailure with all as it was.
    """
    from claw_memory import longterm_change, marks  # readers of changes do without them

    rows = lt.table
    lines = []
    words = []
    for item in found:
        words.append(() if item.deleted else items.label_words(item.tags))
        if words[-1]:
            item.summary_ids = rows.labels.ids_for(words[-1], item.summary_ids)
        lines.append(items.record(item, True))
    lt.stale = True  # until the table has followed: RAM may not suffice for that
    try:
        offset = durable.append(lt.records, b"".join(lines))
    except ClawError:
        lt.stale = False
        raise
    for item, line, labels in zip(found, lines, words):
        mark = (0, 0, 0, 0) if item.deleted else marks.fingerprint(item)
        row = longterm_change.place(lt, rows.ids.find(item.id.encode()), item, mark)
        longterm_change.point(rows, row, offset, len(line), item, labels)
        offset += len(line)
    lt.stale = False
    lt.size = offset
    lt.digest.note(lt.clock(), action, found[0].id)
    longterm_change.changed(lt)


def _last(dead, ids, sees):
    # Places of the lines of the last change, the item's own first; () when there is none.
    # sees: function that tells for an id (bytes) whether its changes count, None for all.
    at = len(dead) - 1
    while at >= 0 and (dead.kind[at] & BASE or (sees and not sees(ids[dead.row[at]]))):
        at -= 1
    group = []
    # A fact told anew at the cap ends the old item of the same words in the same append.
    while at > 0 and dead.kind[at] & GRAVE and _ends_for(dead, at):
        group.insert(0, at)
        at -= 1
    return [at] + group if at >= 0 else ()


def _ends_for(dead, at):
    grave = dead.item(at)
    while at > 0:
        at -= 1
        if not dead.kind[at] & GRAVE:
            item = dead.item(at)
            same = items.norm(item.content) == items.norm(grave.content)
            return same and item.id != grave.id and not dead.kind[at] & BASE
    return False
