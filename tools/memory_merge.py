"""Two stores become one without losing or doubling a fact.

Facts: the same id means the same fact when both sides agree on when it was stored; then the newer
wording counts, and a forget that is newer than the wording counts too. The same id for different
facts (boards without a clock number alike) gives the second fact a new id. Equal wordings under
different ids become one.
Sessions: a session that only grew on one side is taken from there; where both went on, the turns
of the first follow the common part, then those of the second.
"""

import json
import shutil
from pathlib import Path

from flash_console import Stop

import memory_store

_PROFILES = ("user.md", "soul.md", "identity.md")
_DERIVED = ("memory_index.json", "MEMORY.md", "memory_digest.log")


def merge(first, second, target):
    """Merge the stores `first` and `second` into the new folder `target`; returns notes.

    first, second: store folders or exports (.jsonl). Neither is changed. Raises Stop.
    """
    target = Path(target)
    if target.exists():
        raise Stop("%s exists already: choose another folder." % target)
    work = target.with_name(target.name + ".partial")
    shutil.rmtree(work, ignore_errors=True)
    sides = [_copy(source, work / name) for source, name in ((first, "a"), (second, "b"))]
    # Noted before tidying drops what was forgotten and turns the time of a recall into updated_at.
    forgotten = [_forgotten(side) for side in sides]
    worded = [_worded(side) for side in sides]
    notes = []
    for side in sides:
        notes += memory_store.tidy(side)
    result = work / "result"
    (result / "memory").mkdir(parents=True)
    (result / "sessions").mkdir()
    _facts(sides, forgotten, worded, result)
    _other_files(sides, result, notes)
    notes += memory_store.tidy(result)
    result.rename(target)
    shutil.rmtree(work)
    active = len(memory_store.read(target))
    if active > 128:
        notes.append("The merged store holds %d facts; the board keeps 128 and moves the least "
                     "used out of the way when it tidies up." % active)
    return notes


def _copy(source, folder):
    """A private copy of a store, or a store made of an export."""
    (folder / "memory").mkdir(parents=True)
    if Path(source).is_file():
        shutil.copy(source, folder / "memory" / memory_store.RECORDS)
        return folder
    found = memory_store.find(source)
    for part in ("memory", "sessions"):
        if (found / part).is_dir():
            shutil.copytree(found / part, folder / part, dirs_exist_ok=True)
    if (found / "config.json").exists():
        shutil.copy(found / "config.json", folder)
    return folder


def _forgotten(side):
    return {id: item for id, item in memory_store.read(side, deleted=True).items() if item.deleted}


def _worded(side):
    """{id: time of its present wording in unix seconds}, from the digest log where it tells."""
    times = {id: item.updated_at for id, item in memory_store.read(side).items()}
    digest = side / "memory" / "memory_digest.log"
    for line in digest.read_bytes().splitlines() if digest.exists() else ():
        fields = line.decode("utf-8", "replace").split("\t")
        if len(fields) >= 3 and fields[1] in ("store", "update", "update_store", "supersede") \
                and fields[2] in times and fields[0].isdigit():
            times[fields[2]] = int(fields[0])
    return times


def _facts(sides, forgotten, worded, result):
    """Write the records of both sides into `result`."""
    from claw_memory import itemline

    mine, theirs = [memory_store.read(side) for side in sides]
    merged = {}
    for id, item in mine.items():
        if not _gone(item, worded[0], forgotten[1].get(id)):
            merged[id] = item
    for id, item in theirs.items():
        if _gone(item, worded[1], forgotten[0].get(id)):
            continue
        other = mine.get(id)
        if other is not None and _same_fact(other, item):
            if id in merged:
                newer = worded[1].get(id, 0) > worded[0].get(id, 0)
                merged[id] = _joined(item, other) if newer else _joined(other, item)
            continue
        if id in merged or id in mine:
            item.id = _free_id(id, set(mine) | set(theirs) | set(merged))
        merged[item.id] = item
    lines = [itemline.record(item, True) for item in merged.values()]
    (result / "memory" / memory_store.RECORDS).write_bytes(b"".join(lines))


def _same_fact(one, other):
    from claw_memory import items

    if items.norm(one.content) == items.norm(other.content):
        return True
    # Two wordings that were never touched since the same second are two facts of two boards.
    touched = one.updated_at != one.created_at or other.updated_at != other.created_at
    return one.created_at != 0 and one.created_at == other.created_at and touched


def _gone(item, worded, tombstone):
    """True when `tombstone` (or None) says that this very fact was forgotten, and not before."""
    if tombstone is None or not _same_fact(item, tombstone):
        return False
    when = worded.get(item.id, 0)
    return not when or not tombstone.updated_at or tombstone.updated_at >= when


def _joined(kept, older):
    """The wording that is kept, with the higher count of uses of both."""
    kept.access_count = max(kept.access_count, older.access_count)
    kept.updated_at = max(kept.updated_at, older.updated_at)
    if not kept.extra:
        kept.extra = older.extra
    return kept


def _free_id(id, taken):
    for number in range(2, 100000):
        ending = "-%d" % number
        # 39 bytes is the room that ESP-Claw has for an id; ids are ASCII unless made by hand.
        free = id.encode()[:39 - len(ending)].decode("utf-8", "ignore") + ending
        if free not in taken:
            return free
    raise Stop("The two stores use the same ids too often to be merged.")


def _other_files(sides, result, notes):
    names = sorted({path.relative_to(side) for side in sides for path in side.rglob("*")
                    if path.is_file()})
    for name in names:
        if name.name == memory_store.RECORDS or name.name in _DERIVED or name.suffix == ".idx":
            continue
        data = [(side / name).read_bytes() for side in sides if (side / name).exists()]
        target = result / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if len(data) == 1 or data[0] == data[1]:
            target.write_bytes(data[0])
        elif name.name in _PROFILES:
            target.write_bytes(data[0])
            target.with_name(name.stem + ".other.md").write_bytes(data[1])
            notes.append("%s differs: the first one counts, the second is kept as %s.other.md."
                         % (name.as_posix(), name.stem))
        elif name.suffix == ".json" and name.parts[0] == "sessions":
            target.write_bytes(_maps(*data))
        elif name.suffix in (".log", ".archive", ".jsonl", ".md"):
            target.write_bytes(_lines(*data, doubles=name.suffix in (".log", ".archive")))
        else:
            target.write_bytes(data[0])


def _lines(first, second, doubles):
    """Lines of `first`, then those of `second` behind the common beginning.

    doubles: a line may occur twice (sessions: people say the same again); else it may not.
    """
    one, two = [data.splitlines(keepends=True) for data in (first, second)]
    common = 0
    while common < min(len(one), len(two)) and one[common] == two[common]:
        common += 1
    rest = two[common:]
    if not doubles:
        there = set(one)
        rest = [line for line in rest if line not in there]
    if rest and one and not one[-1].endswith(b"\n"):
        one[-1] += b"\n"
    return b"".join(one + rest)


def _maps(first, second):
    """One chat map or sub-agent map out of two: the union of names, the rest from the first."""
    try:
        one, two = json.loads(first), json.loads(second)
        for key in ("sessions", "child_ids"):
            if isinstance(one.get(key), list) and isinstance(two.get(key), list):
                one[key] += [name for name in two[key] if name not in one[key]]
        if "next_suffix" in one or "next_suffix" in two:
            one["next_suffix"] = max(one.get("next_suffix", 0), two.get("next_suffix", 0))
        return json.dumps(one, ensure_ascii=False, separators=(",", ":")).encode()
    except (ValueError, TypeError, AttributeError):
        return first
