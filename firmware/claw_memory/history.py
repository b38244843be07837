"""What items said before: history.jsonl, filled at compactions, and the dead lines until then.

A line of the file: {"id","at","content","tags","keywords","source"}; at: when it was written,
unix seconds; from the second compaction on without the last three. With "undone":true it was
taken back: no history, and not to be told. Items that are alive or archived have a history,
limits.HISTORY_FILE_BYTES in all.
Of what was forgotten there is {"id","gone"} with the hashes of its words, see outdated.py, and
where it was forgotten if that is known.
"""

from binascii import crc32

from claw_memory import items, jsonio, limits, text
from claw_memory.platform import const
from claw_memory.lines import read_lines

NAME = "/history.jsonl"
KEYS = ("id", "at", "content", "tags", "keywords", "source")
GONE = ("id", "gone")
MARK = b'"gone":"'  # no text has it: a quote in one stands behind a backslash
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
    from claw_memory import changes  # readers of the file do without

    dead = changes.Changes(lt)
    return found + [_texts(dead.item(at)) for at in dead.superseded(row)]


def _texts(item):
    return item.updated_at, item.content, item.tags, item.keywords, item.source


def entries(lt, undone=True):
    """Yield the superseded texts in the file as Items, the oldest first; undone: these as well."""
    for _, line in read_lines(lt.whole().dir + NAME):
        value = None if MARK in line else parse(line)
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
        value = parse(line, GONE) if MARK in line else None
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


def parse(line, keys=KEYS):
    """The members of a line (bytes) as a dict, None when it is damaged or has not these keys."""
    try:
        value = jsonio.loads(line)
    except (ValueError, RuntimeError):
        return None
    except MemoryError:
        if len(line) <= limits.JSON_BYTES:
            raise  # it is the board that is short of RAM, and the line may be sound
        return None
    if not isinstance(value, dict):
        return None
    for key in KEYS[3:]:
        value.setdefault(key, "")
    for key in keys:
        if not isinstance(value.get(key), int if key == "at" else str):
            return None
    return value
