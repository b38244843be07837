"""The table in RAM over memory_records.jsonl: where each item's line is and what orders items.

About 45 bytes per item in arrays; the items themselves stay on disk.
"""

from array import array

from claw_memory.platform import const

NONE = const(0xFFFF)  # no label in this place
_DELETED = const(1)
_ID_MAX = const(65535)


class Words:
    """Short byte strings without NUL, numbered from 0, in one block."""

    def __init__(self):
        self._block = bytearray(b"\0")
        self._at = array("I")

    def __len__(self):
        return len(self._at)

    def __getitem__(self, number):
        start = self._at[number]
        return bytes(self._block[start : self._block.find(b"\0", start)])

    def add(self, word):
        """Append word and return its number."""
        self._at.append(len(self._block))
        self._block.extend(word)
        self._block.append(0)
        return len(self._at) - 1

    def find(self, word):
        """Number of the word that was added last among equal ones, -1 when there is none."""
        pos = self._block.rfind(b"\0" + word + b"\0") + 1
        if not pos:
            return -1
        low = 0
        high = len(self._at) - 1
        while low < high:
            middle = (low + high) // 2
            if self._at[middle] < pos:
                low = middle + 1
            else:
                high = middle
        return low


class Labels:
    """The labels in use with their ids and the number of items that carry each."""

    def __init__(self):
        self.words = Words()
        self.ids = array("H")
        self.refs = array("H")
        self.next_id = 1

    def find(self, word):
        """Number of a label (bytes) that some item carries, -1 when there is none."""
        number = self.words.find(word)
        return number if number >= 0 and self.refs[number] else -1

    def ids_for(self, words, preferred=()):
        """The label ids that an item with these labels gets; nothing is changed.

        A label in use keeps its id. A new one gets the preferred id if that is free, else the
        next one.
        """
        out = []
        after = self.next_id
        for i, word in enumerate(words):
            number = self.find(word)
            if number >= 0:
                out.append(self.ids[number])
                continue
            new = preferred[i] if i < len(preferred) else 0
            if not new or new in out or self._used(new):
                new = after
                if new > _ID_MAX:
                    new = 1
                    while new in out or self._used(new):
                        new += 1
            out.append(new)
            after = max(after, new + 1)
        return out

    def _used(self, label_id):
        for number in range(len(self.ids)):
            if self.ids[number] == label_id and self.refs[number]:
                return True
        return False

    def take(self, words, ids):
        """Count one more item with these labels; return the labels' numbers."""
        numbers = []
        for word, label_id in zip(words, ids):
            number = self.find(word)
            if number < 0:
                number = self.words.add(word)
                self.ids.append(label_id)
                self.refs.append(0)
                self.next_id = max(self.next_id, label_id + 1)
            self.refs[number] += 1
            numbers.append(number)
        return numbers

    def release(self, numbers):
        """Count one item less with each of these labels."""
        for number in numbers:
            self.refs[number] -= 1


class Table:
    """Rows in the order in which items first occur in the file.

    scoped: whether an id may have a suffix that tells whose it is, see scope.py. pinned: rows that
    always stay.
    """

    scoped = False
    pinned = ()  # type: tuple[int, ...]

    def __init__(self):
        self.ids = Words()
        self.labels = Labels()
        self.offset = array("I")
        self.length = array("I")
        self.updated = array("I")
        self.access = array("H")
        self.flags = array("B")
        self.label = array("H")  # three places per row
        # Fingerprints of the normalised content; as many as rows, or none (not computed yet).
        self.hash = array("H")
        self.sign0 = array("I")
        self.sign1 = array("I")
        self.sign2 = array("I")
        self.active = 0
        self.live_bytes = 0

    def __len__(self):
        return len(self.offset)

    def add(self, id):
        """Append an empty row, marked deleted, for an item id (bytes); return its number."""
        self.ids.add(id)
        self.scoped = self.scoped or b"." in id
        for column in (self.offset, self.length, self.updated, self.access):
            column.append(0)
        self.flags.append(_DELETED)
        for _ in range(3):
            self.label.append(NONE)
        return len(self.offset) - 1

    def graves(self):
        """True when an item was forgotten, or ended otherwise, since the last compaction."""
        return len(self.flags) > self.active

    def deleted(self, row):
        """True when the item of this row was forgotten."""
        return bool(self.flags[row] & _DELETED)

    def label_numbers(self, row):
        """Numbers of the labels of this row."""
        return [n for n in self.label[3 * row : 3 * row + 3] if n != NONE]

    def set_labels(self, row, numbers):
        """Put these label numbers (at most three) into the row."""
        for i in range(3):
            self.label[3 * row + i] = numbers[i] if i < len(numbers) else NONE

    def set(self, row, offset, length, updated, access, deleted):
        """Point the row to a line at offset with length bytes; the older line is dead."""
        if not self.flags[row] & _DELETED:
            self.active -= 1
            self.live_bytes -= self.length[row]
        self.offset[row] = offset
        self.length[row] = length
        self.updated[row] = updated
        self.access[row] = access
        self.flags[row] = _DELETED if deleted else 0
        if not deleted:
            self.active += 1
            self.live_bytes += length

    def before(self, a, b):
        """True when row a comes before row b: more accesses, then newer, then smaller id."""
        if self.access[a] != self.access[b]:
            return self.access[a] > self.access[b]
        if self.updated[a] != self.updated[b]:
            return self.updated[a] > self.updated[b]
        return self.ids[a] < self.ids[b]

    def first(self, limit, hidden=None, labels=None, after=-1):
        """The first rows in priority order, at most limit.

        hidden: flags of rows to leave out. labels: numbers of which a row must carry one.
        after: only rows behind this one.
        """
        best = []
        access = self.access
        updated = self.updated
        label = self.label
        full = False
        last_access = last_updated = 0
        # Newest rows first: the others then rarely have to be moved.
        for row in range(len(self.flags) - 1, -1, -1):
            if full:
                here = access[row]
                if here < last_access or (here == last_access and updated[row] < last_updated):
                    continue
            if self.flags[row] or (hidden and hidden[row]):
                continue
            if labels is not None:
                at = 3 * row
                if not (label[at] in labels or label[at + 1] in labels or label[at + 2] in labels):
                    continue
            if after >= 0 and not self.before(after, row):
                continue
            if full:
                if not self.before(row, best[-1]):
                    continue
                best.pop()
            place = len(best)
            while place and self.before(row, best[place - 1]):
                place -= 1
            best.insert(place, row)
            full = len(best) >= limit
            if full:
                last_access = access[best[-1]]
                last_updated = updated[best[-1]]
        return best

    def labels_in_use(self, hidden, by_priority):
        """Numbers of the labels of the rows that are not hidden, by number or by priority."""
        if not by_priority:
            used = bytearray(len(self.labels.words))
            for row in range(len(self.flags)):
                if not (self.flags[row] or (hidden and hidden[row])):
                    for number in self.label_numbers(row):
                        used[number] = 1  # pyright: ignore[reportCallIssue]
            return [number for number in range(len(used)) if used[number]]
        numbers = []
        for row in self.first(len(self.flags), hidden):
            numbers += [n for n in self.label_numbers(row) if n not in numbers]
        return numbers
