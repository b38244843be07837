"""Which rows a compaction keeps with which values: equal items merged, few-used ones trimmed."""

from claw_memory import items, limits, table


class Plan:
    """Which rows are kept with which values, and the table that the new file will have."""

    def __init__(self, lt, access, updated):
        self._lt = lt
        self._access = access
        self._updated = updated
        self._merged = {}  # row -> rows that say the same and end in it
        rows = lt.table
        same = self._same()
        kept = [row for row in range(len(rows)) if not rows.deleted(row) and row not in same]
        if same:
            # What is trimmed is decided by the values after the merging.
            access = access[:]
            updated = updated[:]
            for row in self._merged:
                for other in self._merged[row]:
                    access[row] = max(access[row], access[other])
                    updated[row] = max(updated[row], updated[other])
        from claw_memory import trim

        self.gone = trim.excess(rows, kept, access, updated, limits.ITEMS)
        self.kept = [row for row in kept if row not in self.gone]
        self.table = table.Table()
        self.size = 0

    def _same(self):
        # Rows to be merged into an earlier one with equal normalised content.
        rows = self._lt.table
        order = [rows.hash[row] << 16 | row for row in range(len(rows)) if not rows.deleted(row)]
        order.sort()
        merged = set()
        for at in range(len(order)):
            row = order[at] & 0xFFFF
            if row in merged:
                continue
            for other in order[at + 1 :]:
                if other >> 16 != order[at] >> 16:
                    break
                other &= 0xFFFF
                if other not in merged and self._equal(row, other):
                    merged.add(other)
                    if other in rows.pinned and row not in rows.pinned:
                        rows.pinned += (row,)
                    self._merged.setdefault(row, []).append(other)
        return merged

    def _equal(self, row, other):
        ids = self._lt.table.ids
        if self._lt.table.scoped:
            from claw_memory.scope import home

            if home(ids[row]) != home(ids[other]):
                return False
        a, b = [item.content for item in self._lt.read((row, other))]
        norm = items.norm(a)
        return norm == items.norm(b) and (norm or a == b)

    def items(self, chosen):
        """Yield the items of these rows as they will be."""
        lt = self._lt
        for row, item in zip(chosen, lt.read(chosen)):
            item.access_count = self._access[row]
            item.updated_at = self._updated[row]
            for other, twin in zip(self._merged.get(row, ()), lt.read(self._merged.get(row, ()))):
                item.access_count = max(item.access_count, self._access[other])
                if self._updated[other] > item.updated_at:
                    item.updated_at = self._updated[other]
                    item.content = twin.content
                    item.tags = twin.tags
                    item.source = twin.source
                    from claw_memory import item_texts

                    item_texts.fit(item)
                if not item.created_at or 0 < twin.created_at < item.created_at:
                    item.created_at = twin.created_at
                item.extra = item.extra or twin.extra
            yield item

    def records(self):
        """Yield the lines of the new file, filling the new table."""
        old = self._lt.table
        new = self.table
        for row, item in zip(self.kept, self.items(self.kept)):
            words = items.label_words(item.tags)
            before = [old.labels.find(word) for word in words]
            wanted = [old.labels.ids[number] if number >= 0 else 0 for number in before]
            item.summary_ids = new.labels.ids_for(words, wanted)
            line = items.record(item, True)
            at = new.add(item.id.encode())
            if row in old.pinned:
                new.pinned += (at,)
            new.set(at, self.size, len(line), item.updated_at, item.access_count, False)
            new.set_labels(at, new.labels.take(words, item.summary_ids))
            new.hash.append(old.hash[row])
            new.sign0.append(old.sign0[row])
            new.sign1.append(old.sign1[row])
            new.sign2.append(old.sign2[row])
            self.size += len(line)
            yield line
        if self._lt.foreign:
            for line in _foreign(self._lt.records):
                self.size += len(line)
                yield line


def _foreign(path):
    # Lines that are JSON but no item of ours: somebody else's, kept as they are.
    from claw_memory import itemodd
    from claw_memory.lines import read_lines

    for _, line in read_lines(path):
        value = itemodd.parse(line)
        if value is not None and not itemodd.get_text(value, "id"):
            yield line if line[-1:] == b"\n" else line + b"\n"
