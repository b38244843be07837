"""What a person may ask of the memory: why an item is there, what it was, undo, pins, figures.

Imported for the commands of the console. memory: a Memory whose long-term store is on.
"""

from claw_memory import limits, origin, platform, session_archive, text
from claw_memory.errors import ClawError, NotFound


def why(memory, id):
    """(Item, origin, words) of an item: origin as origin.of() has it, words: the user's message.

    words is "" when the item has no origin or the conversation is no longer there. An archived
    item stays archived. Raises InvalidArg or NotFound.
    """
    lt = memory.longterm
    try:
        item = lt.get(id)
    except NotFound:
        from claw_memory import archive

        found = [item for item in archive.entries(lt) if item.id == id]
        if not found:
            raise
        item = found[0]
    found = origin.of(item)
    if memory.scope and not memory.scope.changes(item.id.encode()):
        found = None  # the owner's conversation
    words = ""
    if found:
        session_id, turn, stated = found
        words = said(memory, session_id, turn)
        # A session that was deleted and begun anew has other words in the same place.
        if stated and words and not origin.stated(item.content, words):
            words = ""
    return item, found, words


def said(memory, session_id, turn):
    """The user's message of a turn, from the log or the session's archive, "" when it is gone."""
    try:
        for number, role, content in session_archive.said(
            memory.sessions, session_id, turn, memory.longterm
        ):
            if number == turn and role == "user":
                return text.bare(content)
            if number > turn:
                break
    except (ClawError, OSError):
        pass
    return ""


def history(memory, id):
    """The texts that an item had before, see history.of()."""
    from claw_memory.history import of

    return of(memory.longterm, id)


def hold(memory, id):
    """Keep the change just made for undo(); False when it is too late, see undo.hold()."""
    from claw_memory import undo

    return undo.hold(memory.longterm, id)


def undo(memory):
    """Undo the last change, see undo.undo()."""
    from claw_memory import undo

    return undo.undo(memory.longterm)


def pin(memory, id, on):
    """Pin or unpin an item, see pins.pin(); one that is archived comes back first."""
    from claw_memory import archive, pins

    return pins.pin(memory.longterm, archive.bring_back(memory.longterm, id).id, on)


def export(memory):
    """Yield the record line of every visible item as str, without its newline."""
    from claw_memory import itemline

    for item in memory.longterm.list():
        yield str(itemline.record(item), "utf-8").strip()


def stats(memory):
    """[(what, figure)] of the long-term store, figures as str."""
    from claw_memory import archive

    lt = memory.longterm
    rows = lt.table
    archived = sum([1 for _ in archive.everything(lt)])
    dead = lt.size - rows.live_bytes - lt.foreign
    return [
        ("memories", "%d of %d" % (lt.count(), limits.ITEMS)),
        ("pinned", str(len([row for row in rows.pinned if not rows.deleted(row)]))),
        ("archived", str(archived)),
        ("forgotten, not yet compacted", str(len(rows) - rows.active)),
        ("records", "%d bytes, %d of them dead" % (lt.size, dead)),
        ("history", "%d bytes" % max(0, platform.size(lt.dir + "/history.jsonl"))),
    ]
