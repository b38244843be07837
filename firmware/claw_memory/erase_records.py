"""The long-term store without what is erased: its records, and what a compaction moves."""

from claw_memory import durable, erase_files, erase_texts, itemline, longterm_more
from claw_memory.erase_job import others
from claw_memory.lines import read_lines


def hide(memory, tells):
    """Forget the memory, so that nobody is told it any more. Raises NoSpace or IOFailure."""
    lt = memory.longterm
    rows = lt.table
    for row in range(len(rows)):
        if tells.is_id(rows.ids[row]) and not rows.deleted(row):
            longterm_more.drop(lt, row)
            break


def dead(memory, tells, found):
    """Steps through the records; found gets the lines of other memories' former texts."""
    lt = memory.longterm
    count = number = 0
    places = []
    for at, line in read_lines(lt.records):
        number += 1
        item = itemline.from_line(line)
        if item is None or not tells.is_id(item.id.encode()):
            row = -1 if item is None else lt.table.ids.find(item.id.encode())
            counts = row < 0 or lt.table.deleted(row) or lt.table.offset[row] != at
            if counts and erase_texts.item_line(line, tells) is not None:
                count += 1
                erase_files.noted(places, number)
        yield
    found.line(lt.records, count, places)


def remove(memory, tells):
    """Steps that take all lines of the memory out of the store. Raises NoSpace or IOFailure."""
    path = memory.memory_dir + "/memory_records.jsonl"
    lt = memory.longterm

    def judge(line):
        item = itemline.from_line(line)
        if item is None:
            return erase_texts.item_line(line, tells)
        return b"" if tells.is_id(item.id.encode()) else None

    # A compaction redacts what tells forgotten items, by another rule than was shown: this one
    # leaves the store before.
    count = yield from erase_files.lines(path, judge, True)
    if lt is None:
        yield from erase_files.digest(memory, tells)
        durable.remove(memory.memory_dir + "/memory_index.json")
        return
    if count:
        lt.reload()
    stay = [item.id for item in others(memory, tells) if tells(item.content)]
    lt.compact()
    yield
    # Former texts are in the history now, and what left the 128 is in the archive.
    for name in erase_files.DROPPED:

        def moved(line, name=name):
            if name != erase_files.DROPPED[0]:
                item = itemline.from_line(line)
                if item is not None and item.id in stay:
                    return None
            return erase_texts.item_line(line, tells)

        yield from erase_files.lines(memory.memory_dir + "/" + name, moved, True)
    yield from erase_files.digest(memory, tells)
    lt.derive()
