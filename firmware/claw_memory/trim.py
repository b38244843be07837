"""Which rows results leave out: what is beyond the 128 items, and what is somebody else's.

Imported only when there is any of that.
"""

from claw_memory import limits


def beyond(table):
    """Flags of the rows that a trim would remove, None when there are none."""
    if table.active <= limits.ITEMS:
        return None
    flags = bytearray(len(table))
    active = [row for row in range(len(table)) if not table.deleted(row)]
    for row in excess(table, active, table.access, table.updated, limits.ITEMS):
        flags[row] = 1
    return flags


def hidden(table, scope):
    """Flags of the rows that scope (None: the owner) gets no results from, or None."""
    flags = beyond(table)
    if not scope and not table.scoped:
        return flags
    from claw_memory.scope import OWNER

    scope = scope or OWNER
    if flags is None:
        flags = bytearray(len(table))
    for row in range(len(table)):
        if not scope.sees(table.ids[row]):
            flags[row] = 1
    return flags


def excess(table, rows, access, updated, keep):
    """Those of rows that a trim to keep items removes: lowest 3 * access + hours of updated.

    table: which they are rows of; what it has pinned stays. Of equal ones the earlier row goes
    first. An item with unknown time counts as the newest. Where items are of several users,
    sessions or the device, each keeps its best up to an equal share.
    """
    over = len(rows) - keep
    if over <= 0:
        return []
    newest = 0
    for row in rows:
        newest = max(newest, updated[row])
    scored = [(3 * access[row] + (updated[row] or newest) // 3600, row) for row in rows]
    scored.sort()
    order = [row for _, row in scored if row not in table.pinned]
    if table.scoped:
        order = _spared(order, table, keep)
    return order[:over]


def _spared(order, table, keep):
    # The rows of order, of which the first go first, those at the end that a share protects.
    from claw_memory.scope import home

    counts = {}
    for row in order:
        whose = home(table.ids[row])
        counts[whose] = counts.get(whose, 0) + 1
    share = keep // len(counts)
    going = []
    staying = []
    for row in order:
        whose = home(table.ids[row])
        if counts[whose] > share:
            counts[whose] -= 1
            going.append(row)
        else:
            staying.append(row)
    return going + staying
