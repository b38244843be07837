"""What items said before: history.jsonl, filled at compactions, and the dead lines until then.

A line of the file: {"id","at","content","tags","keywords","source"}; at: when it was written,
unix seconds; from the second compaction on without the last three. With "undone":true it was
taken back: no history, and not to be told. Items that are alive or archived have a history,
limits.HISTORY_FILE_BYTES in all.
Of what was forgotten there is {"id","gone"} with the hashes of its words, see outdated.py, and
where it was forgotten if that is known.
"""

from array import array
from binascii import crc32, hexlify

from claw_memory import changes, items, jsonio, limits, text
from claw_memory.platform import const
from claw_memory.records_scan import read_lines

NAME = "/history.jsonl"
_KEYS = const(("id", "at", "content", "tags", "keywords", "source"))
_GONE = const(("id", "gone"))
_MARK = const(b'"gone":"')  # no text has it: a quote in one stands behind a backslash
_UNDONE = const(b',"undone":true')
_STEM = const(6)  # letters of a word that count


def of(lt, id):
    """The texts that an item had before its present one, oldest first.

    A list of (at, content, tags, keywords, source). Raises InvalidArg or NotFound.
    """
    row = lt._row(id)
    lt = lt.whole()
    id = str(lt.table.ids[row], "utf-8")
    found = []
    for item in entries(lt, False):
        if item.id == id:
            found.append(_texts(item))
    dead = changes.Changes(lt)
    return found + [_texts(dead.item(at)) for at in dead.superseded(row)]


def _texts(item):
    return item.updated_at, item.content, item.tags, item.keywords, item.source


def entries(lt, undone=True):
    """Yield the superseded texts in the file as Items, the oldest first; undone: these as well."""
    for _, line in read_lines(lt.whole().dir + NAME):
        value = None if _MARK in line else _parse(line)
        if value and (undone or "undone" not in value):
            item = items.Item()
            item.id = value["id"]
            item.updated_at = value["at"]
            item.content = value["content"]
            item.tags = value["tags"]
            item.keywords = value["keywords"]
            item.source = value["source"]
            yield item


def gone(lt):
    """Yield (id, hashes, session, turn) of what was forgotten, the oldest first.

    The session, see session(), "" when it is not known, and its turn are those in which that was.
    """
    for _, line in read_lines(lt.whole().dir + NAME):
        value = _parse(line, _GONE) if _MARK in line else None
        if value:
            turn = value.get("turn")
            known = isinstance(turn, int) and value.get("session")
            yield value["id"], value["gone"], known or "", turn


def session(id):
    """What stands for the id of a session."""
    return "%08x" % text.fnv1a(id.encode())


def hashed(word):
    """The two bytes that stand for a word (bytes) of a forgotten text."""
    return (crc32(word[:_STEM] if word[0] < 128 else word) & 0xFFFF).to_bytes(2, "little")


def _parse(line, keys=_KEYS):
    # The members of a line as a dict, None when it is damaged or has not these keys.
    try:
        value = jsonio.loads(line)
    except (ValueError, MemoryError, RuntimeError):
        return None
    if not isinstance(value, dict):
        return None
    for key in _KEYS[3:]:
        value.setdefault(key, "")
    for key in keys:
        if not isinstance(value.get(key), int if key == "at" else str):
            return None
    return value


def _line(item, undone=False):
    values = (item.id, item.updated_at, item.content, item.tags, item.keywords, item.source)
    pairs = []
    for key, value in zip(_KEYS, values):
        pairs += [key, value]
    if undone:
        pairs += ["undone", True]
    return jsonio.dumps(jsonio.obj(*pairs)).encode() + b"\n"


def kept(lt):
    """Chunks of the file as a compaction of lt leaves it; None: as it is.

    Superseded texts come in, also those of items that go into the archive; those of forgotten
    items go, and those that tell what was forgotten.
    """
    alive = bytearray(len(lt.table))
    for row in range(len(alive)):
        alive[row] = not lt.table.deleted(row)  # pyright: ignore[reportCallIssue]
    hidden = None
    marks = 0
    if lt.table.graves():
        from claw_memory import forgotten

        hidden = forgotten.teller(lt)
        marks = sum([len(mark) for mark in _marks(lt)])
    dead = changes.Changes(lt)
    new, size = _superseded(dead, alive, hidden)
    left = 0
    over = [size - limits.HISTORY_FILE_BYTES, marks - limits.GONE_BYTES]
    for line, stays in _old(lt, alive, hidden):
        over[_MARK in line] += len(line) if stays else 0
        left += not stays
    if not new and not left and not marks:
        return None
    return _chunks(lt, alive, hidden, dead, new, over)


def _marks(lt):
    if lt.table.graves():
        from claw_memory import forgotten

        for entry in forgotten.texts(lt, True)[-limits.GONE_TEXTS :]:
            yield _mark(*entry)


def _mark(_, said, later):
    from claw_memory.forgotten import weight

    id, *words = said.split(b"\0")
    found = [hashed(word) + bytes((min(255, weight(word)),)) for word in words]
    found = str(hexlify(b"".join(found[: limits.GONE_WORDS])), "utf-8")
    value = jsonio.obj("id", str(id, "utf-8"), "gone", found)
    if later and later[0]:
        value["session"], value["turn"] = session(later[0]), later[1]
    return jsonio.dumps(value).encode() + b"\n"


def _old(lt, alive, hidden):
    # (line, whether it stays) of the file as it is
    for _, line in read_lines(lt.dir + NAME):
        value = _parse(line)
        row = lt.table.ids.find(value["id"].encode()) if value else -1
        if value:
            stays = (row < 0 or alive[row]) and not (
                hidden and hidden(value["content"], value["id"])
            )
        else:
            stays = _parse(line, _GONE) is not None
        yield _short(line), stays and line[-1:] == b"\n"


def _short(line):
    # What is older than the compaction before loses its labels: more of these find a place.
    at = line.find(b',"tags":"')
    return line if at < 0 else line[:at] + (_UNDONE if _UNDONE in line else b"") + b"}\n"


def _superseded(dead, alive, hidden):
    # (places of the lines that become history, as many of the newest as fit, bytes of these)
    found = []
    size = 0
    for at in range(len(dead.undone)):
        item = dead.item(~at)
        if alive[dead.undone[at][0]] and not item.deleted:
            if not (hidden and hidden(item.content, item.id)):
                size += len(_line(item, True))
                if size > limits.HISTORY_FILE_BYTES:
                    return found, size - len(_line(item, True))
                found.append(~at)
    lines = bytearray(len(alive))
    for row in dead.row:
        lines[row] = min(255, lines[row] + 1)  # pyright: ignore[reportCallIssue]
    after = array("I", bytes(4 * len(alive)))  # CRC of the content that follows
    for at in range(len(dead) - 1, -1, -1):
        row = dead.row[at]
        if not alive[row] or lines[row] < 2:
            continue
        item = dead.item(at)
        here = crc32(item.content.encode()) or 1
        if after[row] not in (0, here) and not item.deleted:
            if not (hidden and hidden(item.content, item.id)):
                size += len(_line(item))
                if size > limits.HISTORY_FILE_BYTES:
                    return found, size - len(_line(item))
                found.insert(0, at)
        after[row] = here
    return found, size


def _chunks(lt, alive, hidden, dead, new, over):
    for line, stays in _old(lt, alive, hidden):
        if stays:
            if over[_MARK in line] <= 0:
                yield line
            over[_MARK in line] -= len(line)
    for at in new:
        yield _line(dead.item(at), at < 0)
    yield from _marks(lt)
