"""What a compaction leaves of history.jsonl, see history.py.

Superseded texts come in, also those of items that go into the archive; those of forgotten items
go, and those that tell what was forgotten, of which the hashes of the words come in.
"""

from array import array
from binascii import crc32, hexlify

from claw_memory import history, jsonio, limits
from claw_memory.changes import Changes
from claw_memory.platform import const
from claw_memory.lines import read_lines

_UNDONE = const(b',"undone":true')


def look(lt, texts, told=None):
    """What kept() must know of these of forgotten.texts(lt, True), added to what it knew (told).

    Three parts: for each line of the file, and for each place of Changes with those undone
    behind, 1 where it tells what was forgotten; for each text that was forgotten its id, session,
    turn and hashes, with a NUL between.
    """
    from claw_memory import forgotten

    dead = Changes(lt)
    if told is None:
        lines = sum([1 for _ in read_lines(lt.dir + history.NAME)])
        told = bytearray(lines), bytearray(len(dead) + len(dead.undone)), []
    old, new, marks = told
    at = 0
    for _, line in read_lines(lt.dir + history.NAME):
        if not (old[at] or history.MARK in line):
            value = history.parse(line)
            if value and forgotten.hides(texts, value["content"], value["id"]):
                old[at] = 1
        at += 1
    for at, item in _candidates(dead, _alive(lt)):
        if not new[at] and forgotten.hides(texts, item.content, item.id):
            new[at] = 1
    mine = []
    for _, said, later in texts:
        id, *words = said.split(b"\0")
        where, turn = b"", 0
        if later and later[0]:
            where, turn = history.session(later[0]).encode(), later[1]
        found = []
        for word in words[: limits.GONE_WORDS]:
            found.append(history.hashed(word) + bytes((min(255, forgotten.weight(word)),)))
        mine.append(b"%s\0%s\0%d\0" % (id, where, turn) + b"".join(found))
    marks.extend(mine)
    del marks[: -limits.GONE_TEXTS]
    return told


def kept(lt, told):
    """Chunks of the file as a compaction of lt leaves it; None: as it is.

    told: what look() told of all that was forgotten, None when nothing was.
    """
    old, new, gone = told or (None, None, ())
    alive = _alive(lt)
    dead = Changes(lt)
    places, size = _superseded(dead, alive, new)
    marks = sum([len(line) for line in _marks(gone)])
    left = 0
    over = [size - limits.HISTORY_FILE_BYTES, marks - limits.GONE_BYTES]
    for line, stays in _old(lt, alive, old):
        over[history.MARK in line] += len(line) if stays else 0
        left += not stays
    if not places and not left and not marks:
        return None
    return _chunks(lt, alive, told, dead, places, over)


def _marks(gone):
    for mark in gone:
        id, where, turn, hashes = mark.split(b"\0", 3)
        value = jsonio.obj("id", str(id, "utf-8"), "gone", str(hexlify(hashes), "utf-8"))
        if where:
            value["session"], value["turn"] = str(where, "utf-8"), int(turn)
        yield jsonio.dumps(value).encode() + b"\n"


def _alive(lt):
    alive = bytearray(len(lt.table))
    for row in range(len(alive)):
        alive[row] = not lt.table.deleted(row)  # pyright: ignore[reportCallIssue]
    return alive


def _line(item, undone=False):
    values = (item.id, item.updated_at, item.content, item.tags, item.keywords, item.source)
    pairs = []
    for key, value in zip(history.KEYS, values):
        pairs += [key, value]
    if undone:
        pairs += ["undone", True]
    return jsonio.dumps(jsonio.obj(*pairs)).encode() + b"\n"


def _old(lt, alive, hidden):
    # (line, whether it stays) of the file as it is
    at = 0
    for _, line in read_lines(lt.dir + history.NAME):
        value = history.parse(line)
        row = lt.table.ids.find(value["id"].encode()) if value else -1
        if value:
            stays = (row < 0 or alive[row]) and not (hidden and hidden[at])
        else:
            stays = history.parse(line, history.GONE) is not None
        at += 1
        yield _short(line), stays and line[-1:] == b"\n"


def _short(line):
    # What is older than the compaction before loses its labels: more of these find a place.
    at = line.find(b',"tags":"')
    return line if at < 0 else line[:at] + (_UNDONE if _UNDONE in line else b"") + b"}\n"


def _superseded(dead, alive, hidden):
    # (places of the lines that become history, as many of the newest as fit, bytes of these)
    found = []
    size = 0
    for at, item in _candidates(dead, alive):
        if hidden and hidden[at]:
            continue
        line = _line(item, at < 0)
        if size + len(line) > limits.HISTORY_FILE_BYTES:
            break
        size += len(line)
        if at < 0:
            found.append(at)
        else:
            found.insert(0, at)
    return found, size


def _candidates(dead, alive):
    # (place, Item) of what was undone, and of the superseded texts, the newest first
    for at in range(len(dead.undone)):
        item = dead.item(~at)
        if alive[dead.undone[at][0]] and not item.deleted:
            yield ~at, item
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
            yield at, item
        after[row] = here


def _chunks(lt, alive, told, dead, places, over):
    for line, stays in _old(lt, alive, told and told[0]):
        if stays:
            if over[history.MARK in line] <= 0:
                yield line
            over[history.MARK in line] -= len(line)
    for at in places:
        yield _line(dead.item(at), at < 0)
    if told:
        yield from _marks(told[2])
