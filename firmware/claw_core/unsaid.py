"""A conversation without what was forgotten, for a model that condenses it or learns from it."""

from claw_memory import forgotten, history, outdated
from claw_memory.wording import words

MARK = "[left out]"
_ENTRY = 3  # bytes of a word in what outdated.py keeps: hash, hash, weight


class Unsaid:
    """What was forgotten. longterm: a LongTerm, a view, or None. Raises IOFailure.

    session_id: of the conversation.
    """

    def __init__(self, longterm, session_id):
        self._tells = None
        if longterm is not None:
            self._tells = outdated.gone(longterm, True, session_id)
        self._texts = forgotten.texts(longterm) if self._tells else ()
        self._hashes = set()
        for marks, _ in outdated._gone(longterm) if self._tells else ():
            self._hashes.update([marks[at : at + 2] for at in range(0, len(marks), _ENTRY)])

    def __call__(self, said, turn=-1):
        """True when said (str), in the turn of this number, tells what was forgotten later."""
        return self._tells is not None and self._tells(said, turn)

    def holds(self, name):
        """True when name (str), a number or the like, is part of something forgotten."""
        parts = words(name) if self._tells else ()
        return bool(parts) and all([self._part(word) for word in parts])

    def _part(self, word):
        if self._hashes and history.hashed(word) in self._hashes:
            return True
        return any([b"\0" + word + b"\0" in said + b"\0" for _, said, _ in self._texts])

    def rest(self, summary, lost, stale):
        """A summary (str) without the parts of its lines that tell it.

        lost: how a line begins that holds no sentences but parts of them; of these go those for
        which the function stale(part) is true.
        """
        kept = []
        for line in summary.split("\n"):
            torn = line.lstrip("> ")[: len(lost)] == lost
            sentences = []
            for sentence in line.split(". "):
                # what was lost by a model stands between these
                parts = [part for part in sentence.split("; ") if not self(part)]
                if torn:
                    parts = [part for part in parts if not stale(part)]
                if parts:
                    sentences.append("; ".join(parts))
            kept.append(". ".join(sentences))
        return "\n".join(kept)
