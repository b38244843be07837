"""The changes since the last compaction, as the lines of the records tell them.

A line of undo has the form of a compaction's line (`summary_labels`), which changes have not, and
its id was in the file before: it ends the change of that id before it. A first line of an id in
that form came from a compaction or out of the archive, and is no change. Nor is a line by which a
forgotten item is noted to have been told again.
"""

from array import array

from claw_memory import itemline
from claw_memory.platform import const
from claw_memory.lines import read_lines

BASE = 1  # where an item began, as far as the file knows
GRAVE = 2
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
            self.kind.append((BASE if first else 0) | (GRAVE if found[1] else 0))
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
    from claw_memory import itemodd

    found = itemodd.fields(itemodd.parse(line))
    return (found[0], found[3]) if found else None
