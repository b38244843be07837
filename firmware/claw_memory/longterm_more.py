"""The methods of LongTerm that a turn seldom needs; each function takes the LongTerm first."""

from claw_memory import durable, items, table
from claw_memory.errors import InvalidArg, InvalidState, NotFound
from claw_memory.platform import const

_BATCH = const(16)


def closed(lt):
    """The InvalidState for a call after close()."""
    return InvalidState("the memory is closed")


def _row(lt, id, change=False):
    lt._check()
    if not isinstance(id, str) or not id:
        raise InvalidArg("memory_id is required")
    if lt.scope or lt.table.scoped:
        from claw_memory import scope

        id = scope.meant(lt.scope, id, change)
    row = lt.table.ids.find(id.encode())
    if row < 0 or lt.table.deleted(row):
        raise NotFound("there is no memory with the id %s" % id)
    return row


def get(lt, id):
    """The Item with this id. Raises InvalidArg (empty id) or NotFound."""
    return next(lt.read((_row(lt, id),)))


def count(lt):
    """Number of items that results are taken from, at most 128."""
    hidden = lt.hidden()
    if not hidden:
        return lt.table.active
    flags = lt.table.flags
    return len([row for row in range(len(flags)) if not (flags[row] or hidden[row])])


def labels(lt, item):
    """The labels of an item."""
    return items.labels(item.tags)


def list(lt):
    """Iterate over all items in priority order (most accesses, then newest, then by id).

    Raises InvalidState when a compaction happens in between.
    """
    lt._check()
    last = -1
    generation = lt.generation
    while True:
        rows = lt.table.first(_BATCH, lt.hidden(), None, last)
        if not rows:
            return
        for item in tuple(lt.read(rows)):
            yield item
            if generation != lt.generation:
                raise InvalidState("the memory was compacted while it was being listed")
        last = rows[-1]


def find(lt, text, limit=8):
    """See likeness.find()."""
    from claw_memory import likeness

    return likeness.find(lt, text, limit)


def update(lt, id, content="", tags="", keywords="", source="", origin=b""):
    """Replace the texts that are not empty; return (changed, Item). The id stays.

    origin: of the content, see origin.member(). Raises InvalidArg or NotFound.
    """
    from claw_memory import longterm_change as change

    row = _row(lt, id, True)
    return change.update(lt.whole(), row, content, tags, keywords, source, "update", origin)


def forget(lt, id, where=b""):
    """Forget an item, where: see origin.forgot(); the Item as it was. InvalidArg, NotFound."""
    return drop(lt.whole(), _row(lt, id, True), where)


def drop(lt, row, where=b""):
    """Append a last line that says deleted for the item of row; the Item as it was."""
    from claw_memory import longterm_change as change

    # First the file for people: were it last, a cut could leave it telling what was forgotten.
    lt.dirty = durable.remove(lt.markdown) or lt.dirty
    item, grave = lt.read((row, row))
    grave.deleted = True
    grave.updated_at = lt.clock()
    change.put_origin(grave, where)
    change.write(lt, row, grave, (0, 0, 0, 0), "forget")
    return item


def reload(lt):
    """Read the file anew: RAM did not suffice to note a change in the table.

    Raises IOFailure or NoSpace when a change that was decided cannot be completed.
    """
    from claw_memory import records_scan

    durable.settle(lt.records)
    rows = table.Table()
    scan = records_scan.Scan(lt.records, rows)
    lt.foreign = scan.foreign
    retry_at, untidy = lt._retry_at, lt.untidy
    lt.compacted(rows, scan.size)
    lt._retry_at, lt.untidy = retry_at, untidy


def compact(lt):
    """Rewrite the records: counts of recalls folded in, equal items merged, at most 128 kept.

    Raises NoSpace or IOFailure; the store is then as before.
    """
    lt._compact()
    rested = lt._rested()
    lt._quietly(lambda: _derive(lt, rested))


def derive(lt, now=True):
    """Write memory_index.json and MEMORY.md, unless now is false and they are up to date."""
    lt._check()
    if now or lt.dirty:
        lt.digest.flush()
        _derive(lt)


def _derive(lt, both=True):
    from claw_memory import derive

    derive.write_index(lt)
    if both:
        derive.write_markdown(lt)
        lt.dirty = False
        lt._derived_at = lt._now_ms()


def compacted(lt, rows, size):
    """A compaction has put a new file of size bytes in place, which rows (Table) describe."""
    lt.table = rows
    lt.size = size
    lt.generation += 1
    lt.memo = {}
    lt.stale = lt._retry_at = lt.untidy = 0
    lt.digest.written()
