"""The job of an erasure: which texts go, kept in a file without the words until all is done.

erase.job: {"phase":"texts",...} with the hashes of a Tells while texts are removed, then
{"phase":"flash"} while what they were written on is overwritten.
"""

from claw_memory import (
    durable,
    erase_files,
    erase_tells,
    itemline,
    jsonio,
    limits,
    origin,
    platform,
)
from claw_memory import scope, text
from claw_memory.errors import Corrupt, InvalidArg, NotFound
from claw_memory.lines import read_lines

TEXTS = "texts"
FLASH = "flash"


def path(memory):
    """Path of the job file."""
    return memory.memory_dir + "/erase.job"


def load(memory):
    """(phase, Tells or None) of the job that is not finished; ("", None) without one.

    Raises Corrupt for a file that says nothing.
    """
    size = platform.size(path(memory))
    if size < 0:
        return "", None
    try:
        with open(path(memory), "rb") as f:
            value = jsonio.loads(f.read(min(size, limits.ERASE_JOB_BYTES)))
        if value["phase"] == FLASH:
            return FLASH, None
        if value["phase"] == TEXTS:
            return TEXTS, erase_tells.of(value)
    except (ValueError, KeyError, TypeError):
        pass
    raise Corrupt("The list of what was to be forgotten for good is damaged: forget it again.")


def save(memory, phase, tells=None):
    """Keep the job; "" for the phase when it is done. Raises NoSpace or IOFailure."""
    if not phase:
        durable.remove(path(memory))
        return
    value = jsonio.obj("phase", phase)
    if tells:
        value.update(tells.value())
    durable.replace(path(memory), (jsonio.dumps(value).encode(),))


def learn(memory, id):
    """(Tells, words, content) for the memory id: all that it ever said, from wherever it is left.

    words: the distinctive words, for people; of a long number its end, behind a "…". content: its
    latest text. Raises InvalidArg, NotFound.
    """
    if not isinstance(id, str) or not id:
        raise InvalidArg("memory_id is required")
    if "." in id and not scope.visible(id, memory.scope):
        raise NotFound("there is no memory with the id %s" % id)
    tells = erase_tells.Tells()
    tells.ids.add(tells.hash(id.encode()))
    words = set()
    content = None
    for item in _versions(memory, id):
        content = content if item.deleted and content else item.content
        tells.add(item.content)
        words.update(erase_tells.distinctive(item.content, item.keywords))
        where = _origin(item)
        if where:
            tells.origins.add(where)
    del tells.wordings[: -limits.ERASE_WORDINGS]
    if content is None:
        raise NotFound("there is no memory with the id %s" % id)
    for item in others(memory, tells):
        data = text.to_bytes(item.content)
        words.difference_update(erase_tells.bare(data))
        words.difference_update(erase_tells.numbers(data))
    tells.tokens.update([tells.hash(word) for word in words])
    shown = [str(word.replace(b"#", "…".encode()), "utf-8") for word in words]
    return tells, sorted(shown), content


def others(memory, tells):
    """Iterate the Items that are remembered and are not what is erased."""
    lt = memory.longterm
    rows = lt.table
    kept = []
    for row in range(len(rows)):
        if not rows.deleted(row) and not tells.is_id(rows.ids[row]):
            kept.append(row)
    return lt.read(kept)


def _versions(memory, id):
    # Oldest first: what was superseded, what was archived, then the records.
    folder = memory.memory_dir + "/"
    for name in erase_files.DROPPED + ("memory_records.jsonl",):
        for _, line in read_lines(folder + name):
            if id.encode() in line or b"\\" in line:
                item = itemline.from_line(line)
                if item is not None and item.id == id:
                    yield item


def _origin(item):
    # (hash in the name of the session's file, turn) where the memory came from.
    found = origin.of(item)
    return ("%08x" % text.fnv1a(found[0].encode()), found[1]) if found else None
