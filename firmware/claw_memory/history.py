"""What items said before: history.jsonl, filled at compactions, and the dead lines until then.

A line of the file: {"id","at","content","tags","keywords","source"}; at: when it was written,
unix seconds. Only items that are alive have a history, limits.HISTORY_FILE_BYTES in all.
"""

from array import array
from binascii import crc32

from claw_memory import changes, jsonio, limits
from claw_memory.records_scan import read_lines
from claw_memory.platform import const

NAME = "/history.jsonl"
_KEYS = const(("id", "at", "content", "tags", "keywords", "source"))


def of(lt, id):
    """The texts that an item had before its present one, oldest first.

    A list of (at, content, tags, keywords, source). Raises InvalidArg or NotFound.
    """
    row = lt._row(id)
    lt = lt.whole()
    id = str(lt.table.ids[row], "utf-8")
    found = []
    for _, line in read_lines(lt.dir + NAME):
        value = _parse(line)
        if value and value["id"] == id:
            found.append(tuple([value[key] for key in _KEYS[1:]]))
    dead = changes.Changes(lt)
    for at in dead.superseded(row):
        item = dead.item(at)
        found.append((item.updated_at, item.content, item.tags, item.keywords, item.source))
    return found


def _parse(line):
    # The members of a line as a dict, None when it is damaged.
    try:
        value = jsonio.loads(line)
    except (ValueError, MemoryError, RuntimeError):
        return None
    if not isinstance(value, dict):
        return None
    for key in _KEYS:
        if not isinstance(value.get(key), int if key == "at" else str):
            return None
    return value


def _line(item):
    values = (item.id, item.updated_at, item.content, item.tags, item.keywords, item.source)
    pairs = []
    for key, value in zip(_KEYS, values):
        pairs += [key, value]
    return jsonio.dumps(jsonio.obj(*pairs)).encode() + b"\n"


def kept(lt, rows):
    """Chunks of the file as a compaction that keeps these rows of lt leaves it; None: as it is.

    Superseded texts come in; those of other items go, and those that tell what was forgotten.
    """
    alive = bytearray(len(lt.table))
    for row in rows:
        alive[row] = 1  # pyright: ignore[reportCallIssue]
    hidden = None
    if lt.table.graves():
        from claw_memory import forgotten

        hidden = forgotten.teller(lt)
    dead = changes.Changes(lt)
    new, size = _superseded(dead, alive, hidden)
    old = gone = 0
    for line, stays in _old(lt, alive, hidden):
        old += len(line) if stays else 0
        gone += not stays
    if not new and not gone:
        return None
    return _chunks(lt, alive, hidden, dead, new, old + size - limits.HISTORY_FILE_BYTES)


def _old(lt, alive, hidden):
    # (line, whether it stays) of the file as it is
    for _, line in read_lines(lt.dir + NAME):
        value = _parse(line)
        row = lt.table.ids.find(value["id"].encode()) if value else -1
        stays = row >= 0 and alive[row] and not (hidden and hidden(value["content"], value["id"]))
        yield line, stays and line[-1:] == b"\n"


def _superseded(dead, alive, hidden):
    # (places of the lines that become history, as many of the newest as fit, bytes of these)
    found = []
    size = 0
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
            if over <= 0:
                yield line
            over -= len(line)
    for at in new:
        yield _line(dead.item(at))
