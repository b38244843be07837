"""Compaction of the long-term store: recalls folded in, equal items merged, few-used ones trimmed.

Records, index, digest log and history are replaced together: after a cut all are old or all are
new, so a recall is never counted twice. What is trimmed goes into the archive before, and what was
forgotten leaves all other files before. Imported only when a compaction is due; what a stage of it
needs is imported for the stage, as a board may not have room for all at once.
"""

from claw_memory import durable, items, limits, platform, table


def compact(lt):
    """Rewrite the records of lt. Raises NoSpace or IOFailure with the store as before."""
    rows = lt.table
    lt.memo = {}
    if len(rows.hash) != len(rows):
        from claw_memory.marks import warm

        warm(lt)
        warm = None
    platform.over("longterm_change item_texts marks")
    from claw_memory import digest_fold

    access, updated, _ = digest_fold.replay(lt.digest, rows.ids.find, len(rows))
    digest_fold = None
    platform.over("digest_fold")
    for row in range(len(rows)):
        access[row] = min(65535, access[row] + rows.access[row])
        updated[row] = max(updated[row], rows.updated[row])
    plan = _Plan(lt, access, updated)
    if rows.graves():
        from claw_memory import redact

        redact.forgotten_lines(lt)
        redact = None
        platform.over("redact notes_more notes bootstrap forgotten wording rewrite anew origin")
    for name in ("/history.jsonl", "/pins.json", "/archive_0.jsonl", "/archive_1.jsonl"):
        if platform.isdir(lt.dir + name):
            from claw_memory.directories import aside

            aside(lt.dir + name, lt._notice)
    if plan.gone:
        from claw_memory import archive

        archive.put(lt, plan.items(plan.gone))
        archive = None
        platform.over("archive rewrite")
    # The file whose making takes most RAM comes first.
    files = plan.more()
    files.append((lt.records, plan.records()))
    from claw_memory import digest_fold

    size, log = digest_fold.trimmed(lt.digest, lt.clock())
    files.append((lt.digest.path, log))
    files.append((lt.index, _index(plan, size)))
    digest_fold = log = None
    # Until the table has followed: RAM may not suffice for that, and what fails may fail after
    # the new files were decided on.
    lt.stale = True
    try:
        durable.replace_many(files)
    finally:
        for _, chunks in files:
            if hasattr(chunks, "close"):
                chunks.close()
    lt.compacted(plan.table, plan.size)


def _index(plan, folded):
    from claw_memory import derive

    chunks = derive.index_chunks(plan.items(plan.kept), plan.table, folded)
    try:
        for chunk in chunks:
            yield chunk
    finally:
        chunks.close()


def _history(lt, chunks):
    # These chunks, after which what made them leaves the heap.
    try:
        for chunk in chunks:
            yield chunk
    finally:
        chunks.close()
        chunks = None
        lt.memo = {}
        platform.over("history changes forgotten wording")


class _Plan:
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

    def more(self):
        """(path, chunks) of the other files that change with the records."""
        lt = self._lt
        rows = lt.table
        found = []
        if lt.size > rows.live_bytes + lt.foreign or platform.exists(lt.dir + "/history.jsonl"):
            from claw_memory import history

            chunks = history.kept(lt)
            platform.over("itemodd")
            if chunks is not None:
                found.append((lt.dir + history.NAME, _history(lt, chunks)))
        if any([row not in self.kept for row in rows.pinned]):
            from claw_memory import pins

            pinned = [row for row in rows.pinned if row in self.kept]
            found.append((lt.dir + pins.NAME, pins.chunks(rows, pinned)))
        return found

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
    from claw_memory.records_scan import read_lines

    for _, line in read_lines(path):
        value = itemodd.parse(line)
        if value is not None and not itemodd.get_text(value, "id"):
            yield line if line[-1:] == b"\n" else line + b"\n"
