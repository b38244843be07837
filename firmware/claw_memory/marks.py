"""Fingerprints of the items of a store, by which equal and contained texts are found."""

from array import array

from claw_memory import items, limits
from claw_memory.platform import const

# The first word of a signature tells texts that are long enough for containment from short ones.
_LONG = const(1 << 28)
_SHORT = const(1 << 29)


def fingerprint(item):
    """The fingerprint of an item's content, see features()."""
    norm = items.norm(item.content)
    # What normalises to nothing is compared as it was typed.
    return features(norm or item.content.encode(), len(norm) >= limits.CONTAINED_BYTES)


def features(norm, long):
    """(hash, word, word, word) of normalised bytes; long: they take part in containment.

    Every feature of a part of a text is a feature of the text, so a long text can only contain
    another one when it has all bits of its words.
    """
    rolling = check = count = low = middle = high = 0
    for c in norm:
        rolling = ((rolling << 5) ^ c) & 0x7FFF  # exactly the last three bytes
        check = (check * 31 + c) & 0xFFFF
        count += 1
        # About half of all features, spread over 88 bits.
        bit = rolling * 37 % 179
        if bit < 88 and count > 2:
            if bit < 28:
                low |= 1 << bit
            elif bit < 58:
                middle |= 1 << (bit - 28)
            else:
                high |= 1 << (bit - 58)
    if long:
        return check, _LONG | low, middle, high
    return check, _SHORT, 0, 0


def warm(lt):
    """Have a fingerprint for every row; reads all items once after opening."""
    rows = lt.table
    if len(rows.hash) == len(rows):
        return
    active = [row for row in range(len(rows)) if not rows.deleted(row)]
    none = [0] * len(rows)
    marks = array("H", none), array("I", none), array("I", none), array("I", none)
    for row, item in zip(active, lt.read(active)):
        for column, value in zip(marks, fingerprint(item)):
            column[row] = value
    rows.hash, rows.sign0, rows.sign1, rows.sign2 = marks
