"""The labels of a long-term item and its text as it is compared; item_texts puts texts into it."""

from claw_memory import limits, text
from claw_memory.itemline import Item, record

__all__ = ("Item", "record")


def labels(tags):
    """The labels of a tags text: its first three distinct terms, each at most 39 bytes."""
    found = []
    for term in distinct(text.csv(tags))[: limits.TERMS]:
        label = text.bare(text.cut(term, limits.LABEL_BYTES))
        if label and label not in found:
            found.append(label)
    return found


def label_words(tags):
    """The labels of a tags text (str or bytes) as a list of bytes."""
    data = text.to_bytes(tags)
    if not data:
        return []
    clean = text.clean_bytes(data)
    if len(clean) < len(data):
        data = clean.encode()
    words = data.split(b",")
    for word in words:
        # Tags as they are stored need no more than this; a byte above 127 may be a separator.
        if not 0 < len(word) < 40 or word[0] <= 32 or word[-1] <= 32:
            break
        if b";" in word or b"/" in word or b"|" in word or b"\xef" in word or b"\xe3" in word:
            break
    else:
        if len(words) == 1 or (len(words) <= limits.TERMS and len(set(words)) == len(words)):
            return words
    return [label.encode() for label in labels(clean)]


def distinct(terms):
    """terms without those that came before, as a list."""
    found = []
    for term in terms:
        if term not in found:
            found.append(term)
    return found


def norm(content):
    """The whole of content as it is compared, bytes."""
    return text.normalize(content, 1 << 20)
