"""What was said again after it had been forgotten: marks in the last lines of forgotten items.

Behind ESP-Claw's keys such a line tells where the item was forgotten, see origin.forgot(), and it
may have "again":[...], the CRC-32 of lines of notes that told it afterwards.
"""

from binascii import crc32

from claw_memory import forgotten, jsonio, origin
from claw_memory.platform import const

_KEY = const(b',"again":')


def later(item):
    """(session id, turn, CRCs) behind which a forgotten Item was told again; None: not known."""
    again = _again(item)
    where = origin.forgotten(item)
    return (where or ("", 0)) + (again,) if where or again else None


def _again(item):
    at, end = _place(item.extra)
    try:
        found = jsonio.loads(item.extra[at + len(_KEY) : end])
    except ValueError:
        return ()
    return tuple(found) if isinstance(found, list) else ()


def _place(extra):
    at = extra.find(_KEY)
    end = jsonio.value_end(extra, at + len(_KEY)) if at >= 0 else -1
    return (at, end) if end >= 0 else (len(extra), len(extra))


def noted(lt, texts, lines):
    """Lines of a note (bytes) are about to be written: what was forgotten may not hide them.

    lt: a LongTerm or a view, texts: its forgotten.texts(). Raises NoSpace or IOFailure.
    """
    from claw_memory import undo  # a compaction reads the marks, and has no room for more

    found = {}
    for entry in texts:
        told = [line for line in lines if forgotten.hides((entry,), str(line, "utf-8"))]
        if told:
            found.setdefault(forgotten.id_of(entry), set()).update(map(crc32, told))
    lt = lt.whole()
    rows = lt.table
    graves = []
    for row in [rows.ids.find(id) for id in found]:
        for grave in lt.read((row,) if row >= 0 else ()):
            _put(grave, found[grave.id.encode()])
            graves.append(grave)
    if graves:
        held = lt.held == lt.size
        undo.write(lt, graves, "again")
        if held:
            lt.held = lt.size


def _put(grave, marks):
    from claw_memory import item_texts, items, limits

    known = [mark for mark in _again(grave) if mark not in marks] + list(marks)
    at, end = _place(grave.extra)
    rest = grave.extra[:at] + grave.extra[end:]
    while known:
        grave.extra = rest + _KEY + jsonio.dumps(known).encode()
        if len(items.record(grave, True)) + item_texts.GROWTH <= limits.RECORD_BYTES:
            return
        del known[0]
    grave.extra = rest
