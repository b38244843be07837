"""Results that say the same count once: an item rather than a note, a note rather than a turn."""

from claw_memory import search_terms
from claw_memory.platform import const

_SAME = const(75)  # percent of the terms of two texts together that they share
_ITEMS = const(("memory", "archive"))
_SOURCES = ("memory", "archive", "note", "turn")


def fold(ranked, limit):
    """Generator that pauses between steps and returns the first limit of ranked Candidates.

    Of those that say the same the one of the better source stays, in the better one's place.
    """
    kept = []
    for found in ranked:
        said = _said(found.snippet)
        for at, (other, other_said) in enumerate(kept):
            # A day's note has many lines, but what is said in one turn belongs together.
            same = found.id == other.id and found.source != "note"
            if found.source in _ITEMS and other.source in _ITEMS:
                # The store has told them apart: one word may be the value that matters.
                same = same or said == other_said
            else:
                same = same or _alike(said, other_said)
            if same:
                if _SOURCES.index(found.source) < _SOURCES.index(other.source):
                    found.score = other.score
                    kept[at] = found, said
                break
        else:
            if len(kept) == limit:
                break
            kept.append((found, said))
        yield
    return [found for found, _ in kept]


def _said(content):
    words, _ = search_terms.terms(search_terms.lower(content))
    return set(words)


def _alike(a, b):
    if 200 * len(a & b) < _SAME * (len(a) + len(b)):
        return False
    # Texts that differ in a number do not say the same.
    return not any([48 <= word[0] <= 57 for word in a ^ b])
