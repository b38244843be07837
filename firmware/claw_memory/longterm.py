"""The long-term store: items in memory_records.jsonl, one appended line per change.

The file is the truth. In RAM there is a table of where each line is and what orders the items;
texts are read when they are needed. memory_index.json and MEMORY.md are derived from the file.
"""

from claw_memory import limits, platform, records, table
from claw_memory.digest import Digest
from claw_memory.errors import ClawError


class LongTerm:
    """The items of one directory; results are the owner's, see view.py for other users.

    dir: existing directory. clock: function giving unix seconds, 0 while unset. notice: function
    that gets a sentence about damage that was found. now_ms: function giving milliseconds, for
    the pause between two rewrites of the derived files. Opening writes nothing. Every method
    raises InvalidState after close, and NoSpace or IOFailure when the file system refuses.

    More methods are in longterm_more.py: get, list, find, count, labels, update, forget, compact
    and derive.
    """

    scope = None  # whose results these are: the owner's
    __getattr__ = platform.seldom("claw_memory.longterm_more")

    def __init__(self, dir, clock, notice=None, now_ms=None):
        self.dir = dir
        self.records = dir + "/memory_records.jsonl"
        self.markdown = dir + "/MEMORY.md"
        self.index = dir + "/memory_index.json"
        self.clock = clock
        self.digest = Digest(dir)
        self._notice = notice or platform.ignore
        self._now_ms = now_ms or platform.ticks_ms
        self._derived_at = self.memory = None  # memory: the Memory of which this is a part
        self._closed = False
        self.table = table.Table()
        self.size = 0  # bytes of the file as far as we know; held: see undo.hold()
        self.foreign = 0  # bytes of lines that are no items; they survive compactions
        self.generation = 0  # grows when row numbers change
        self.memo = {}  # what was computed from the rows as they are: a change empties it
        self.terms = None  # search's index, once it was needed
        # rests: rest() is called; untidy: it will compact. stale: the table has to be read anew.
        self._retry_at = self.untidy = self.stale = self._rests = self.held = 0
        self.seq = 0
        self.dirty = False
        from claw_memory import records_scan

        records_scan.open_store(self, self._notice)

    def _check(self):
        if self._closed:
            raise self.closed()
        if self.stale:
            self.reload()

    def read(self, rows):
        """Yield the Item of each row number, as the file has it."""
        return records.read(self.records, self.table, rows)

    def whole(self):
        """The LongTerm of everybody, which changes are made to."""
        return self

    def hidden(self):
        """Flags of the rows that are left out of results, None when there are none."""
        rows = self.table
        if "hidden" not in self.memo and (rows.scoped or rows.active > limits.ITEMS):
            from claw_memory import trim

            self.memo["hidden"] = trim.hidden(rows, self.scope)
        return self.memo.get("hidden")

    def recall(self, labels=(), limit=8, fits=None):
        """The first items, in priority order, that carry one of the labels (all without labels).

        Only the first three labels count; labels that nobody carries are ignored, and when none
        is left the result is empty. limit: items, 0 for the default of 8, negative for all. fits:
        function that ends the result by returning False for an item. Every item that is returned
        gains an access at the next compaction.
        """
        self._check()
        found = []
        limit = limits.ITEMS if limit < 0 else limit or limits.RECALL_DEFAULT
        for item in self.read(self.rows_with(labels, limit)):
            if fits and not fits(item):
                break
            found.append(item)
        if not found:
            return found
        try:
            self.digest.recalled(self.clock(), [item.id for item in found])
        except ClawError as e:
            # What is remembered must not depend on room for counting it.
            self._notice("A recall was not counted: %s" % e)
        return found

    def rows_with(self, labels, limit):
        """Rows of the first items that carry one of the labels, of all without labels."""
        numbers = None
        if labels:
            known = self.table.labels
            numbers = [known.find(word.encode()) for word in list(labels)[: limits.TERMS]]
            numbers = [n for n in numbers if n >= 0]
            if not numbers:
                return ()
        return self.table.first(limit, self.hidden(), numbers)

    def catalog(self, by_priority=False):
        """The labels in use, as a list of str, in the order of their creation or by priority."""
        self._check()
        words = self.table.labels.words
        numbers = self.table.labels_in_use(self.hidden(), by_priority)
        return [str(words[n], "utf-8") for n in numbers]

    def store(self, content, tags="", keywords="", source="", id="", instead_of="", origin=b""):
        """Remember content; return (changed, Item).

        Unchanged when an item says the same already: that one is returned. An item whose text is
        contained in content becomes content under its own id, with the terms of both. Else the
        item with the id instead_of, if any, is updated. An id that exists is updated.

        origin: from origin.member(). Raises InvalidArg for blank content, texts of a wrong type,
        and ids that were forgotten or hold control characters.
        """
        self._check()
        from claw_memory import longterm_change

        return longterm_change.store(
            self.whole(), content, tags, keywords, source, id, instead_of, self.scope, origin
        )

    def log(self, action, id="-", extra=""):
        """Add a line to the digest log, for people; a few may wait in RAM for the next write."""
        self.digest.note(self.clock(), action, id, extra)
        if self.digest.full():
            self._quietly(self.digest.flush)

    def _quietly(self, work, again=False):
        # The change itself is safe: what is done on top must not make it look as if it failed.
        try:
            work()
        except Exception as e:
            self._retry_at = self.size + limits.DEAD_BYTES
            if again and isinstance(e, MemoryError):
                self.untidy = True
            else:
                self._notice("The memory could not be tidied up: %s" % e)

    def rest(self):
        """Between two turns, when RAM is free: compact if a change left that to do; True if so."""
        self._rests = True
        due = self.untidy and self.held != self.size and not self._closed
        if due:
            self.untidy = False
            self._quietly(self._compact)
        return due

    def _compact(self):
        # In the middle of a turn the derived files wait for a quiet moment.
        self._check()
        from claw_memory import longterm_compact

        longterm_compact.compact(self)
        self.dirty = True

    def _rested(self):
        if self._derived_at is None:
            return True
        past = platform.ticks_diff(self._now_ms(), self._derived_at)
        return past < 0 or past >= limits.DERIVE_SECONDS * 1000

    def idle(self):
        """Use a quiet moment: derive what is old, at most once in ten minutes; never raises."""
        if self._closed:
            return
        if self.digest.size() > limits.DIGEST_BYTES and self.held != self.size >= self._retry_at:
            self.untidy = self._rests or self._quietly(self._compact)  # rest() has more RAM
        if self.dirty and self._rested():
            self._derived_at = self._now_ms()
            self._quietly(self.derive)

    def close(self):
        """Bring log and derived files up to date; the store takes no more calls then."""
        if self._closed:
            return
        self._quietly(self.digest.flush)
        if self.dirty:
            self._quietly(self.derive)
        self._closed = True
