"""Memories in folders on this computer: finding them, reading them, searching, tidying up.

The firmware's own claw_memory does the work that changes files, so that the result is what the
board itself would write. A store is a folder with memory/ and sessions/ in it.
"""

import sys
from pathlib import Path

from flash_console import Stop
from flash_files import FIRMWARE

RECORDS = "memory_records.jsonl"


def firmware():
    """Make firmware/ importable here; gives the package claw_memory."""
    if str(FIRMWARE) not in sys.path:
        sys.path.insert(0, str(FIRMWARE))
    import claw_memory

    return claw_memory


def find(path):
    """The folder at `path` that holds memory/ or sessions/: itself, or one level below.

    Raises Stop when there is none.
    """
    path = Path(path)
    if path.name in ("memory", "sessions") and path.is_dir():
        path = path.parent
    for folder in [path] + sorted(p for p in path.glob("*") if p.is_dir()):
        if (folder / "memory").is_dir() or (folder / "sessions").is_dir():
            return folder
    raise Stop("%s holds no memories: name a backup, or the folder in which memory/ and sessions/ "
               "are." % path)


def records_file(path):
    """The file of records that `path` means: an export (.jsonl) or the one in a store."""
    path = Path(path)
    if path.is_file():
        return path
    return find(path) / "memory" / RECORDS


def read(path, deleted=False):
    """{id: Item} of the latest records at `path` in their order, forgotten ones only if asked for.

    Lines that hold no record are skipped, as the board does.
    """
    firmware()
    from claw_memory import itemline

    found = {}
    try:
        lines = records_file(path).read_bytes().split(b"\n")
    except FileNotFoundError:
        return found
    for line in lines:
        item = itemline.from_line(line + b"\n") if line.strip() else None
        if item is not None:
            found[item.id] = item
    return {id: item for id, item in found.items() if deleted or not item.deleted}


def by_priority(items):
    """Items in the order in which the board lists them: most used first, then newest."""
    return sorted(items, key=lambda i: (-i.access_count, -i.updated_at, i.id.encode()))


def search(items, words):
    """Items that contain any of the words, those with most of them first (case aside)."""
    wanted = [word.lower() for word in words.split()]
    scored = []
    for item in by_priority(items):
        text = " ".join((item.content, item.tags, item.keywords)).lower()
        score = sum(word in text for word in wanted)
        if score:
            scored.append((-score, len(scored), item))
    return [item for _, _, item in sorted(scored, key=lambda entry: entry[:2])]


def tidy(folder):
    """Bring what is derived from the files of a store up to date, in place.

    Counts of recalls are folded into the records, equal facts merged, memory_index.json, MEMORY.md
    and every session's index written. Unlike on the board no fact is dropped beyond the 128th.
    """
    import contextlib

    firmware()
    from claw_memory import durable, limits, platform
    from claw_memory.longterm import LongTerm
    from claw_memory.session_log import SessionLog

    memory, sessions = folder / "memory", folder / "sessions"
    notes = []
    for directory in (memory, sessions, sessions / "chat_map", sessions / "subagent_map"):
        if directory.is_dir():
            notes += durable.recover(str(directory))
    if (memory / RECORDS).exists():
        kept = limits.ITEMS
        limits.ITEMS = 1 << 15
        try:
            store = LongTerm(str(memory), platform.unix_time, notes.append)
            store.compact()
            store.derive()
            store.close()
        finally:
            limits.ITEMS = kept
    for log in sorted(sessions.glob("*.log")) if sessions.is_dir() else ():
        with contextlib.suppress(FileNotFoundError):
            SessionLog(str(log), notes.append).flush()
    return notes
