"""Reading memory_records.jsonl as a whole into the table of its items, when a store is opened."""

from array import array

from claw_memory import durable, itemline, items, platform, table, text
from claw_memory.lines import read_lines


def open_store(lt, notice):
    """What opening the LongTerm lt takes: recovery, its table, what is left to derive."""
    for sentence in durable.recover(lt.dir):
        notice(sentence)
    scan = Scan(lt.records, lt.table)
    if not scan.damage and not scan.size:
        from claw_memory import lost

        scan.damage = lost.records(lt.dir, lt.records)
        platform.unload("claw_memory", "lost")
    if scan.damage:
        notice(scan.damage)
    lt.size = scan.size
    lt.foreign = scan.foreign
    now = lt.clock()
    lt.seq = now % 10000 if now else scan.offline
    # Left so by a cut: somebody appended, or forgot something, after the last derivation.
    lt.dirty = lt.size > 0 and (
        not platform.exists(lt.markdown)
        or platform.mtime(lt.records) > platform.mtime(lt.markdown)
    )


class Scan:
    """Fills an empty Table from the file at path.

    Afterwards: `size` bytes of the file, `foreign` bytes in lines that are JSON but no item,
    `offline` the highest number among ids that were given out without a clock, `damage` a
    sentence about what could not be read, or "".
    """

    def __init__(self, path, rows):
        self.size = self.foreign = self.offline = 0
        self.unreadable = 0
        self.damage = ""
        self._rows = rows
        # Labels as they come, those of dead lines among them, and the ids that records give them.
        self._words = table.Words()
        self._ids = array("H")
        self._last = b""  # the greatest id so far: a greater one is new without a search
        try:
            for offset, line in read_lines(path):
                self.size = offset + len(line)
                if not self._fast(offset, line):
                    from claw_memory import itemodd

                    itemodd.scan(self, offset, line)
        except OSError as e:
            from claw_memory import lost

            self.damage = lost.end(path, e)
        self._number_labels()
        if self.unreadable:
            from claw_memory import lost

            self._add(lost.lines(path, self.unreadable, len(rows) or self.foreign))
            platform.unload("claw_memory", "lost")
        pins = path[: path.rfind("/")] + "/pins.json"
        if platform.exists(pins):
            from claw_memory.pins import load

            self._add(load(pins, rows))

    def _add(self, sentence):
        self.damage += (" " if self.damage and sentence else "") + sentence

    def _fast(self, offset, line):
        parts = itemline.split(line)
        if not parts:
            return False
        deleted = parts[8] == b"true"
        if not deleted and parts[8] != b"false":
            return False
        try:
            int(parts[5])
            updated = int(parts[6])
            access = int(parts[7])
            ids = () if deleted or not parts[9] else [int(n) for n in parts[9].split(b",")]
        except ValueError:
            return False
        sound = text.clean_bytes(parts[0]).encode() == parts[0]
        if not sound or access >> 16 or updated >> 32 or any([n >> 16 for n in ids]):
            return False
        tags = b"" if deleted else parts[3]
        self.take(parts[0], offset, len(line), updated, access, deleted, tags, ids)
        return True

    def take(self, id, offset, length, updated, access, deleted, tags, ids):
        """Note a line of the item id (bytes); the others: see itemodd.fields()."""
        rows = self._rows
        row = -1
        if id > self._last:
            self._last = id
        else:
            row = rows.ids.find(id)
        if row < 0:
            row = rows.add(id)
        rows.set(row, offset, length, updated, access, deleted)
        numbers = []
        for label in items.label_words(tags):
            number = self._words.find(label)
            if number < 0:
                number = self._words.add(label)
                self._ids.append(0)
            if len(numbers) < len(ids):
                self._ids[number] = ids[len(numbers)]
            numbers.append(number)
        rows.set_labels(row, numbers)
        if id[:6] == b"mem-0-":
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
