"""Fingerprints of the items of a store, by which equal and contained texts are found."""

from array import array

from claw_memory import items, limits, table


def fingerprint(item):
    """The fingerprint of an item's content, see table.fingerprint."""
    norm = items.norm(item.content)
    # What normalises to nothing is compared as it was typed.
    return table.fingerprint(norm or item.content.encode(), len(norm) >= limits.CONTAINED_BYTES)


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
