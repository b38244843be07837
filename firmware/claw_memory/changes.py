"""The changes since the last compaction, as the lines of the records tell them; the last undone.

A line of undo has the form of a compaction's line (`summary_labels`), which changes have not, and
its id was in the file before: it ends the change of that id before it. A first line of an id in
that form came from a compaction or out of the archive, and is no change. Nor is a line by which a
forgotten item is noted to have been told again.
"""

from array import array

from claw_memory import durable, itemline, itemodd, items
from claw_memory.errors import ClawError, NotFound
from claw_memory.platform import const
from claw_memory.records_scan import read_lines

_BASE = const(1)  # where an item began, as far as the file knows
_GRAVE = const(2)
_AGAIN = const(b',"again":[')  # see anew.py
_FORM = const(b'"summary_labels":[]')


class Changes:
    """The lines of a LongTerm that count, in the order of the file, those undone left out.

    Columns: `row` in the table, `offset` and `length` in bytes, `kind`. `undone`: (row, offset,
    length) of those left out; of these number n has the place ~n.
    """

    def __init__(self, lt):
        self._lt = lt
        self.row = array("H")
        self.offset = array("I")
        self.length = array("I")
        self.kind = array("B")
        self.undone = []
        seen = bytearray(len(lt.table))
        for offset, line in read_lines(lt.records):
            found = _read(line)
            row = lt.table.ids.find(found[0]) if found else -1
            if row < 0 or _AGAIN in line:
                continue
            formed = _FORM in line[-220:]
            if formed and seen[row]:
                self._drop(row)
                continue
            self.row.append(row)
            self.offset.append(offset)
            self.length.append(len(line))
            first = formed and not seen[row]
            self.kind.append((_BASE if first else 0) | (_GRAVE if found[1] else 0))
            seen[row] = 1  # pyright: ignore[reportCallIssue]

    def _drop(self, row):
        at = self.before(len(self.row), row)
        self.undone.append((row, self.offset[at], self.length[at]))
        for column in (self.row, self.offset, self.length, self.kind):
            column[at:] = column[at + 1 :]

    def __len__(self):
        return len(self.row)

    def before(self, at, row):
        """Place of the last line of row before place at, -1 when there is none."""
        at -= 1
        while at >= 0 and self.row[at] != row:
            at -= 1
        return at

    def item(self, at):
        """The Item of the line in place at. Raises OSError."""
        if at < 0:
            _, offset, length = self.undone[~at]
        else:
            offset, length = self.offset[at], self.length[at]
        with open(self._lt.records, "rb") as f:
            f.seek(offset)
            return itemline.from_line(f.read(length))

    def last(self, sees=None):
        """Places of the lines of the last change, the item's own first; () when there is none.

        sees: function that tells for an id (bytes) whether its changes count, None for all.
        """
        ids = self._lt.table.ids
        at = len(self) - 1
        while at >= 0 and (self.kind[at] & _BASE or (sees and not sees(ids[self.row[at]]))):
            at -= 1
        group = []
        # A fact told anew at the cap ends the old item of the same words in the same append.
        while at > 0 and self.kind[at] & _GRAVE and self._ends_for(at):
            group.insert(0, at)
            at -= 1
        return [at] + group if at >= 0 else ()

    def _ends_for(self, at):
        grave = self.item(at)
        while at > 0:
            at -= 1
            if not self.kind[at] & _GRAVE:
                item = self.item(at)
                same = items.norm(item.content) == items.norm(grave.content)
                return same and item.id != grave.id and not self.kind[at] & _BASE
        return False

    def superseded(self, row):
        """Places of the texts that the item of row had before its present one, oldest first."""
        found = []
        following = None
        at = self.before(len(self), row)
        while at >= 0:
            item = self.item(at)
            if following is not None and not item.deleted and item.content != following:
                found.insert(0, at)
            following = item.content
            at = self.before(at, row)
        return found


def _read(line):
    # (id, deleted) of a line, None when it holds no item. Damage in the numbers needs a parser.
    parts = itemline.split(line)
    if parts and all([number.isdigit() and len(number) < 11 for number in parts[5:8]]):
        return parts[0], parts[8] == b"true"
    found = itemodd.fields(itemodd.parse(line))
    return (found[0], found[3]) if found else None


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
    group = found.last(sees)
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
