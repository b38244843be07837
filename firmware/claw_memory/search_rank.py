"""How well a text fits a question: BM25 over terms, the pool of the best texts, snippets."""

from math import log

from claw_memory import limits, search_terms, text
from claw_memory.platform import const

_SLACK = const(8)  # texts kept beyond the best before they are sorted out
_AROUND = const(10)  # by how much names and numbers around a text make its line larger
_TERMS = const(32)  # terms of one question that count
_CHAR = 0.3  # weight of a single character beside pairs
_WHOLE = 0.95  # least weight of an archived item that has all words of the question
LABEL = 1  # occurrences that a label or keyword is worth besides those in the text
_K1 = 1.2
_B = 0.4


class Question:
    """The terms of a question (str) with their weights; `common` when it has no others."""

    def __init__(self, question):
        low = search_terms.lower(question[: limits.QUERY_CHARS])
        found, singles = search_terms.terms(low)
        self.common = not found
        if self.common:
            found, singles = search_terms.terms(low, True)
            # what has no words: pictures
            found = found or [word for word in low.split() if max(word) >= 0x80]
        self.terms = []
        self.weights = []
        for some, weight in ((found, 1), (singles, _CHAR)):
            for term in some:
                if term not in self.terms and len(self.terms) < _TERMS:
                    self.terms.append(term)
                    self.weights.append(weight)

    def counts(self, low, labels):
        """How often each term occurs, as bytes; None when none does.

        low: the text, labels: its labels and keywords, both as search_terms.lower gives them.
        """
        counts = bytearray(len(self.terms))
        for i, term in enumerate(self.terms):
            n = search_terms.count(term, low) if term in low else 0
            if term in labels and search_terms.place(term, labels) >= 0:
                n += LABEL
            counts[i] = min(n, 255)
        return bytes(counts) if any(counts) else None


def size_of(content):
    """The length of a text (str) as it counts: about its number of words or wide characters."""
    chars = len(content)
    wide = (len(content.encode()) - chars) // 2
    return wide + (chars - wide) // 6 + 1


class Candidate:
    """A text that may be an answer."""

    def __init__(self, source, id, date, content, size, weight, counts, order):
        self.source = source
        self.id = id
        self.date = date
        self.snippet = content
        self.size = size
        self.weight = weight
        self.counts = counts
        self.order = order
        self.score = 0


class Pool:
    """The best texts among all that were looked at, and how common each term is among them."""

    def __init__(self, question, room):
        self.question = question
        self.room = room
        self.best = []  # Candidates
        self.matched = 0  # texts that have a term in common with the question
        self.texts = 0
        self.sizes = 0
        self.have = [0] * len(question.terms)

    def seen(self, size, counts):
        """Count a text of that size (see size_of); counts: see Question.counts."""
        self.texts += 1
        self.sizes += size
        if counts:
            self.matched += 1
            for i in range(len(counts)):
                if counts[i]:
                    self.have[i] += 1

    def score(self, counts, size):
        """How well a text with these counts fits, by what has been seen so far."""
        score = 0
        norm = _K1 * (1 - _B + _B * size * self.texts / (self.sizes or 1))
        for i in range(len(counts)):
            n = counts[i]
            if n:
                rare = (self.texts - self.have[i] + 0.5) / (self.have[i] + 0.5)
                part = n * (_K1 + 1) / (n + norm)
                score += self.question.weights[i] * log(1 + max(0, rare)) * part
        return score

    def _whole(self, counts):
        # Whether a text has every term of the question that any text has.
        for i in range(len(counts)):
            if not counts[i] and self.have[i] and self.question.weights[i] == 1:
                return False
        return True

    def offer(
        self, source, id, date, content, labels="", weight=1, order=0, seen=False, hidden=None
    ):
        """Look at a text (str); keep its best part when it is among the best so far.

        date: what the result shows. order: of equal ones the greater comes first. seen: the text
        has been counted already. hidden: function that tells for content whether it must not be
        found; only asked where it could be, as it may take long.
        """
        low = search_terms.lower(content)
        counts = self.question.counts(low, search_terms.lower(labels) if labels else b"")
        if counts and hidden and hidden(content):
            return
        size = size_of(content)
        if not seen:
            self.seen(size, counts)
        if not counts:
            return
        part = snippet(content, self.question)
        self.best.append(Candidate(source, id, date, part, size, weight, counts, order))
        if len(self.best) > self.room + _SLACK:
            del self.ranked()[self.room :]

    def may_match(self, line):
        """False for a line (bytes) of JSON that cannot match, which then is counted.

        Without taking it apart, as that takes longer than all else.
        """
        low = line.lower()
        if b"\\u" in low or any([term in low for term in self.question.terms]):
            return True
        self.seen(max(1, size_of(text.clean_bytes(line)) - _AROUND), None)
        return False

    def drop(self, id):
        """Take out what was offered under an id that says something else now."""
        self.best = [found for found in self.best if found.id != id]

    def ranked(self):
        """The kept Candidates, best first, scored by all that was seen."""
        for found in self.best:
            weight = found.weight
            if found.source == "archive" and self._whole(found.counts):
                weight = max(weight, _WHOLE)
            found.score = self.score(found.counts, found.size) * weight
        self.best.sort(key=_order)
        return self.best


def _order(found):
    return -found.score, -found.order


def snippet(content, question):
    """The part of content (str) with the most terms of question, at most limits.SNIPPET_BYTES."""
    data = text.to_bytes(content)
    room = limits.SNIPPET_BYTES
    if len(data) <= room:
        return content
    low = data.lower()
    places = []
    for i, term in enumerate(question.terms):
        at = search_terms.place(term, low)
        if at >= 0:
            places.append((at, question.weights[i]))
    start = most = 0
    for at, _ in places:
        inside = sum([weight for other, weight in places if at <= other < at + room * 3 // 4])
        if inside > most:
            start, most = at, inside
    start = max(0, min(start - room // 4, len(data) - room))
    if start:
        while start < len(data) and data[start] & 0xC0 == 0x80:
            start += 1
        blank = data.find(b" ", start, start + 24)
        start = blank + 1 if blank >= 0 else start
    part = text.cut(data[start:], room)
    more = start + len(part) < len(data)
    return ("…" if start else "") + text.clean_bytes(part) + ("…" if more else "")
