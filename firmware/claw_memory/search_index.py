"""The index of the long-term items in RAM: 16-bit hashes of their terms, row by row.

Only boards with PSRAM make it, when somebody searches; elsewhere the items are read each time.
"""

from array import array

from claw_memory import limits, search_rank, search_terms, trim
from claw_memory.platform import const

_NONE = const(0xFFFFFFFF)  # instead of an offset: no terms of this row are in the index
_ROWS = const(1)  # read in one step


class Index:
    """The terms of a LongTerm's items. A row is brought up to date when its line has moved."""

    def __init__(self):
        self._generation = -1
        self._reset(0)

    def _reset(self, generation):
        if generation != self._generation:
            self._generation = generation
            self._block = bytearray()  # hashes, those of labels first in each row
            self._start = array("H", (0,))  # of each row in the block, in hashes, and the end
            self._labels = array("B")  # hashes of labels per row
            self._size = array("B")  # see search_rank.size_of
            self._offset = array("I")  # of the line that the terms are from

    def step(self, lt):
        """Bring a few rows of lt, the LongTerm of everybody, up to date; False when all were.

        Raises what reading the records raises.
        """
        self._reset(lt.generation)
        table = lt.table
        if "beyond" not in lt.memo:
            lt.memo["beyond"] = trim.beyond(table)
        hidden = lt.memo["beyond"]
        rows = []
        for row in range(len(table)):
            gone = table.deleted(row) or (hidden and hidden[row])
            offset = _NONE if gone else table.offset[row]
            if row == len(self._offset):
                self._offset.append(_NONE)
                self._start.append(self._start[row])
                self._labels.append(0)
                self._size.append(0)
            if offset == self._offset[row]:
                continue
            if gone:
                self._put(row, _NONE, (), 0, 0)
                continue
            rows.append(row)
            if len(rows) == _ROWS:
                break
        for row, item in zip(rows, lt.read(rows)):
            found, count = _terms(item)
            size = min(search_rank.size_of(item.content), 255)
            self._put(row, table.offset[row], found, count, size)
        return bool(rows)

    def _put(self, row, offset, found, labels, size):
        start = self._start
        self._block[2 * start[row] : 2 * start[row + 1]] = search_terms.hashed(found)
        grown = len(found) - start[row + 1] + start[row]
        for later in range(row + 1, len(start)):
            start[later] += grown
        self._offset[row] = offset
        self._labels[row] = labels
        self._size[row] = size

    def scan(self, pool, rows):
        """Count the texts of rows in pool; return [(score, row)] of the matching, best first."""
        question = pool.question
        start = self._start
        counts = {}
        for i, term in enumerate(question.terms):
            mark = search_terms.hashed((term,))
            at = self._block.find(mark)
            row = 0
            while at >= 0:
                if not at & 1:
                    place = at >> 1
                    while start[row + 1] <= place:
                        row += 1
                    if row not in counts:
                        counts[row] = bytearray(len(question.terms))
                    labelled = place - start[row] < self._labels[row]
                    counts[row][i] += search_rank.LABEL if labelled else 1
                at = self._block.find(mark, at + 1)
        for row in rows:
            pool.seen(self._size[row], counts.get(row))
        found = [(pool.score(counts[row], self._size[row]), row) for row in rows if row in counts]
        found.sort(reverse=True)
        return found


def _terms(item):
    # (terms of an item, labels first, how many of them are labels), as many as have a place
    found = []
    marks, chars = search_terms.terms(search_terms.lower(item.tags + "," + item.keywords))
    for term in marks + chars:
        if term not in found:
            found.append(term)
    labels = len(found)
    words, chars = search_terms.terms(search_terms.lower(item.content))
    found += words
    found += chars
    return found[: limits.INDEX_TERMS], min(labels, limits.INDEX_TERMS)
