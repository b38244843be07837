"""What search looks at: the long-term items, through the index where there is RAM for it."""

from claw_memory import derive
from claw_memory.errors import InvalidState
from claw_memory.platform import const

_ROWS = const(2)  # read in one step


def look(lt, pool, roomy):
    """Offer the items of lt (a LongTerm or a View of it) to pool (search_rank.Pool), in steps.

    roomy: there is RAM for an index. Raises what reading the records raises.
    """
    base = lt.whole()
    base._check()
    if not roomy or pool.question.common:
        yield from _read(lt, pool)
        return
    if base.terms is None:
        from claw_memory.search_index import Index

        base.terms = Index()
    while base.terms.step(base):
        yield
    # The rows are those of this moment; after a pause they may be others.
    found = base.terms.scan(pool, derive.visible(lt, lt.hidden()))
    ids = [(base.table.ids[row], row) for _, row in found[: pool.room]]
    for id, order in ids:
        row = base.table.ids.find(id)
        if row >= 0 and not base.table.deleted(row):
            for item in lt.read((row,)):
                offer(pool, item, order, True)
        yield


def _read(lt, pool):
    rows = derive.visible(lt, lt.hidden())
    generation = lt.generation
    while rows:
        if generation != lt.generation:
            raise InvalidState("the memory was compacted while it was searched")
        there = [row for row in rows[:_ROWS] if not lt.table.deleted(row)]
        for row, item in zip(there, lt.read(there)):
            offer(pool, item, row)
        rows = rows[_ROWS:]
        yield


def offer(pool, item, order, seen=False, source="memory", weight=1):
    """Offer one Item to pool; order and seen: see there."""
    labels = item.tags + "," + item.keywords
    pool.offer(source, item.id, day(item.updated_at), item.content, labels, weight, order, seen)


def day(seconds):
    """`YYYY-MM-DD` of unix seconds, "unknown" for 0."""
    return derive.date_time(seconds)[:10] if seconds else "unknown"
