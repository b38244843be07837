"""Reading memory_records.jsonl from the first line to the last, one line in RAM at a time."""

from array import array

from claw_memory import items, table
from claw_memory.errors import Corrupt, IOFailure


def read_lines(path):
    """Yield (offset, line with its newline) of a file; nothing when there is none."""
    try:
        f = open(path, "rb")
    except OSError:
        return
    offset = 0
    with f:
        while True:
            line = f.readline()
            if not line:
                return
            yield offset, line
            offset += len(line)


def read(path, rows, numbers):
    """Yield the Item of each of these row numbers (a list) of the Table rows.

    path: the file of records. Raises IOFailure, and Corrupt where the table does not fit it.
    """
    if not numbers:
        return
    try:
        with open(path, "rb") as f:
            for row in numbers:
                f.seek(rows.offset[row])
                line = f.read(rows.length[row])
                value = items.parse(line)
                if value is None or items.get_text(value, "id").encode() != rows.ids[row]:
                    raise Corrupt("%s was changed by somebody else: restart to read it" % path)
                item = items.from_record(value, line)
                # A line of ESP-Claw, which cuts labels at 8 characters, may give other ids.
                item.summary_ids = [rows.labels.ids[n] for n in rows.label_numbers(row)]
                yield item
    except OSError as e:
        raise IOFailure("Cannot read %s (error %s)." % (path, e.errno))


class Scan:
    """Fills an empty Table from the file at path.

    Afterwards: `size` bytes of the file, `foreign` lines that are JSON but no item, `unreadable`
    lines, `offline` the highest number among ids that were given out without a clock.
    """

    def __init__(self, path, rows):
        self.size = self.foreign = self.unreadable = self.offline = 0
        self._rows = rows
        # Labels as they come, those of dead lines among them, and the ids that records give them.
        self._words = table.Words()
        self._ids = array("H")
        for offset, line in read_lines(path):
            self.size = offset + len(line)
            value = items.parse(line)
            id = items.get_text(value, "id") if value is not None else ""
            if id:
                self._take(id, offset, len(line), value)
            elif value is not None:
                self.foreign += 1
            elif line.strip():
                self.unreadable += 1
        self._number_labels()

    def _take(self, id, offset, length, value):
        rows = self._rows
        key = id.encode()
        row = rows.ids.find(key)
        if row < 0:
            row = rows.add(key)
        deleted = items.jsonio.get(value, "deleted") is True
        updated = items.get_number(value, "updated_at", 0xFFFFFFFF)
        access = items.get_number(value, "access_count", 65535)
        rows.set(row, offset, length, updated, access, deleted)
        numbers = []
        if not deleted:
            wanted = items.get_ids(value)
            for label in items.label_words(items.get_text(value, "tags")):
                number = self._words.find(label)
                if number < 0:
                    number = self._words.add(label)
                    self._ids.append(0)
                if len(numbers) < len(wanted):
                    self._ids[number] = wanted[len(numbers)]
                numbers.append(number)
        rows.set_labels(row, numbers)
        if id.startswith("mem-0-"):
            try:
                self.offline = max(self.offline, int(id[6:]))
            except ValueError:
                pass

    def _number_labels(self):
        # Labels get their ids in the order of items, the one in their record if it is free.
        rows = self._rows
        labels = rows.labels
        final = array("H", [table.NONE] * len(self._words))
        for at in range(len(rows.label)):
            number = rows.label[at]
            if number == table.NONE:
                continue
            if final[number] == table.NONE:
                word = (self._words[number],)
                wanted = (self._ids[number],)
                final[number] = labels.take(word, labels.ids_for(word, wanted))[0]
            else:
                labels.refs[final[number]] += 1
            rows.label[at] = final[number]
