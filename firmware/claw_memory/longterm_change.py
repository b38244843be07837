"""Changes to the long-term store: each is one append of one line (or two) to the records."""

from claw_memory import durable, item_texts, items, limits, text
from claw_memory.errors import ClawError, InvalidArg
from claw_memory.marks import fingerprint, warm


def store(lt, content, tags, keywords, source, id, instead_of, scope=None, origin=b""):
    """LongTerm.store: remember content, unless an item says the same; (changed, Item).

    scope: whose it becomes and who must know it already (None: the owner).
    """
    new = items.Item()
    item_texts.set_texts(new, content, tags, keywords, source or "manual")
    now = lt.clock()
    if id:
        new.id = _own_id(id)
        new.truncated = new.truncated or new.id != id
        if scope or "." in new.id:
            from claw_memory.scope import given

            new.id = given(lt, scope, new.id)
        row = lt.table.ids.find(text.to_bytes(new.id))
        if row >= 0:
            if lt.table.deleted(row):
                raise InvalidArg("the memory %s was forgotten; store without an id" % new.id)
            return update(lt, row, content, tags, keywords, source, "update", origin)
    else:
        new.id = new_id(lt, now, scope.suffix if scope else "")
    new.created_at = new.updated_at = now
    mark = fingerprint(new)
    same, richer, replaced = compare(lt, new, mark, scope)
    if same:
        same.truncated = new.truncated
        return False, same
    if richer is None and instead_of:
        row = lt.table.ids.find(instead_of.encode())
        if row >= 0 and not lt.table.deleted(row) and _alike(lt, row, new):
            return update(lt, row, content, tags, keywords, source, "supersede", origin)
    if richer is None:
        put_origin(new, origin)
        write(lt, -1, new, mark, "store", replaced)
        return True, new
    row, item = richer
    item.content = new.content
    item.updated_at = now
    item.truncated = new.truncated
    item_texts.merge_terms(item, new)
    put_origin(item, origin)
    write(lt, row, item, fingerprint(item), "update", replaced)
    return True, item


def update(lt, row, content, tags, keywords, source, action, origin=b""):
    """LongTerm.update: one new line under the same id; (changed, Item)."""
    old = next(lt.read((row,)))
    new = items.Item()
    item_texts.set_texts(
        new,
        content or old.content,
        tags or old.tags,
        keywords or old.keywords,
        source or old.source,
        0 if content else len(old.content.encode()),
    )
    if (new.source, new.content, new.tags, new.keywords) == (
        old.source,
        old.content,
        old.tags,
        old.keywords,
    ):
        old.truncated = new.truncated
        return False, old
    new.id = old.id
    new.created_at = old.created_at
    new.updated_at = lt.clock()
    new.access_count = old.access_count
    new.extra = old.extra
    if new.content != old.content:
        put_origin(new, origin)
    write(lt, row, new, fingerprint(new), action)
    return True, new


def put_origin(item, origin):
    """Give an item its origin, from origin.member() or origin.forgot(); b"" takes an old one."""
    # An older origin is that of an older text.
    if origin or item.extra:
        from claw_memory.origin import put

        put(item, origin)


def new_id(lt, now, suffix):
    """An id that no item of the file has or had; each call consumes a number."""
    while True:
        lt.seq += 1
        id = "mem-%d-%04d%s" % (now, lt.seq % 10000, suffix)
        if lt.table.ids.find(id.encode()) < 0:
            return id


def _own_id(id):
    id = item_texts.field(id, limits.ID_BYTES)[0]
    if not id or any(ord(char) < 32 for char in id):
        raise InvalidArg("an id is a text without control characters")
    return id


def _alike(lt, row, new):
    # Whether the item of row is whose new is: nothing else may end or change for it.
    if not lt.table.scoped and "." not in new.id:
        return True
    from claw_memory.scope import home

    return home(lt.table.ids[row]) == home(new.id.encode())


def compare(lt, new, mark, scope):
    """(item that says the same, (row, item) that says less, rows it takes the place of).

    Rows beyond the 128 that say the same are replaced: their item is on its way out. What scope
    does not see is not looked at; what is the device's or the session's counts, and stays.
    """
    warm(lt)
    rows = lt.table
    norm = items.norm(new.content)
    long = len(norm) >= limits.CONTAINED_BYTES
    check, low, middle, high = mark
    near = []
    first = rows.sign0
    for row in range(len(rows)):
        # A short text is only compared as a whole.
        if long:
            word = first[row]
            both = word & low
            if both != low and both != word:
                continue
        elif rows.hash[row] != check:
            continue
        inside = rows.sign1[row] & middle == middle and rows.sign2[row] & high == high
        around = rows.sign1[row] & middle == rows.sign1[row] and (
            rows.sign2[row] & high == rows.sign2[row]
        )
        if (inside or around) and not rows.flags[row]:
            near.append(row)
    if not near:
        return None, None, ()
    from claw_memory.wording import contains

    richer = None
    replaced = []
    hidden = lt.hidden()
    if scope or rows.scoped:
        from claw_memory import scope as scopes
        from claw_memory import trim

        near = [row for row in near if (scope or scopes.OWNER).sees(rows.ids[row])]
        hidden = trim.beyond(rows)
    for row, item in zip(near, lt.read(near)):
        old = items.norm(item.content)
        same = norm == old if norm else item.content == new.content
        if hidden and hidden[row]:
            if same and _alike(lt, row, new):
                replaced.append(row)
        elif same:
            return item, None, ()
        elif long and len(old) >= limits.CONTAINED_BYTES:
            if contains(item.content, norm):
                return item, None, ()
            if richer is None and _alike(lt, row, new) and contains(new.content, old):
                richer = row, item
    return None, richer, replaced


def write(lt, row, item, mark, action, replaced=()):
    """Append the line of item and point its row (-1: a new one) to it.

    replaced: rows whose items end with this change, in the same append.
    """
    rows = lt.table
    words = () if item.deleted else items.label_words(item.tags)
    if not item.deleted:
        item.summary_ids = rows.labels.ids_for(words)
    line = items.record(item)
    graves = []
    for grave in lt.read(replaced) if replaced else ():
        grave.deleted = True
        graves.append(items.record(grave))
    lt.stale = True  # until the table has followed: RAM may not suffice for that
    try:
        offset = durable.append(lt.records, line + b"".join(graves))
    except ClawError:
        lt.stale = False
        raise
    row = place(lt, row, item, mark)
    point(rows, row, offset, len(line), item, words)
    offset += len(line)
    for dead, grave in zip(replaced, graves):
        rows.set(dead, offset, len(grave), rows.updated[dead], rows.access[dead], True)
        rows.labels.release(rows.label_numbers(dead))
        rows.set_labels(dead, ())
        offset += len(grave)
    lt.stale = False
    lt.size = offset
    lt.digest.note(lt.clock(), action, item.id, item.id if action == "supersede" else "")
    changed(lt)


def changed(lt):
    """A line was appended: derived files are old, and it may be time to compact."""
    lt.dirty = True
    lt.memo = {}
    rows = lt.table
    # Of more than 128 items only as many are alive; on average their lines are alike.
    alive = min(rows.active, limits.ITEMS)
    live = rows.live_bytes * alive // max(1, rows.active) + lt.foreign
    most = max(live, limits.DEAD_BYTES)
    dead = lt.size - live
    # What was forgotten is compared with notes and old turns until a compaction.
    many = lt._rests and len(rows) - rows.active > limits.GRAVES
    if (dead > most or many) and lt.size >= lt._retry_at:
        # A turn may need all of a small heap, and its user waits.
        lt.untidy = lt._rests
        if not lt._rests or dead > 2 * most:
            lt._quietly(lt._compact, True)
    elif lt.digest.full():
        lt._quietly(lt.digest.flush)


def place(lt, row, item, mark):
    """The row of item, a new one for row -1, with mark as its fingerprint."""
    rows = lt.table
    if row < 0:
        row = rows.add(item.id.encode())
        if len(rows.hash) == row:
            for column in (rows.hash, rows.sign0, rows.sign1, rows.sign2):
                column.append(0)
    if len(rows.hash) == len(rows):
        rows.hash[row], rows.sign0[row], rows.sign1[row], rows.sign2[row] = mark
    return row


def point(rows, row, offset, length, item, words):
    """Let row stand for the line of item at offset, which has these labels (bytes)."""
    before = rows.label_numbers(row)
    rows.set(row, offset, length, item.updated_at, item.access_count, item.deleted)
    rows.set_labels(row, rows.labels.take(words, item.summary_ids) if words else ())
    rows.labels.release(before)
