"""What was forgotten, read from the records for forgotten.py; imported once per change."""

from claw_memory import items
from claw_memory.forgotten import weight, whose
from claw_memory.marks import fingerprint, warm
from claw_memory.platform import const
from claw_memory.wording import words

_NULL = const(b'"stated":null')
_AGAIN = const(b'"again":')


def found(lt, everybody, graves=None):
    """Yield what forgotten.texts() lists of lt. Raises IOFailure.

    graves: rows of those that count, None for all.
    """
    rows = lt.table
    warm(lt.whole())
    mine = range(len(rows))
    if not everybody and (lt.scope or rows.scoped):
        from claw_memory.scope import OWNER

        # What somebody else forgot, or still knows, must not show in what is missing here.
        mine = [row for row in mine if (lt.scope or OWNER).sees(rows.ids[row])]
    later = {}
    if graves is None:
        graves = [row for row in mine if rows.deleted(row)]
    for number, item in enumerate(_forgotten(lt, graves)):
        check = fingerprint(item)[0]
        alive = [row for row in mine if rows.hash[row] == check and not rows.deleted(row)]
        id = item.id.encode()
        # The last lines of all of them come first, and only these count.
        if number < len(graves) and (_NULL in item.extra or _AGAIN in item.extra):
            from claw_memory import anew

            later[item.id] = anew.later(item)
        if everybody and rows.scoped:
            alive = [row for row in alive if whose(rows.ids[row]) == whose(id)]
        norm = items.norm(item.content)
        if not any([items.norm(other.content) == norm for other in lt.read(alive)]):
            said = words(item.content)
            if said:
                whole = sum([weight(word) for word in said])
                yield whole, b"\0".join([id] + said), later.get(item.id)


def _forgotten(lt, deleted):
    # The last text of each of these rows, and what it said before.
    yield from lt.read(deleted)
    from claw_memory import changes, history

    ids = [str(lt.table.ids[row], "utf-8") for row in deleted]
    for item in history.entries(lt):
        if item.id in ids:
            yield item
    dead = changes.Changes(lt.whole())
    for row in deleted:
        for at in dead.superseded(row):
            yield dead.item(at)
        for at, line in enumerate(dead.undone):
            if line[0] == row:
                yield dead.item(~at)
