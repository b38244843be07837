"""Reading single items from memory_records.jsonl; records_scan reads it as a whole."""

from claw_memory import itemline, platform
from claw_memory.errors import Corrupt, IOFailure


def read(path, rows, numbers):
    """Yield the Item of each of these row numbers (a list) of the Table rows.

    path: the file of records. Raises IOFailure, and Corrupt where the table does not fit it.
    """
    if not numbers:
        return
    try:
        with open(path, "rb") as f:
            for row in numbers:
                f.seek(rows.offset[row])
                item = itemline.from_line(f.read(rows.length[row]))
                if item is None or item.id.encode() != rows.ids[row]:
                    raise Corrupt("%s was changed by somebody else: restart to read it" % path)
                # A line of ESP-Claw, which cuts labels at 8 characters, may give other ids.
                item.summary_ids = tuple([rows.labels.ids[n] for n in rows.label_numbers(row)])
                yield item
    except OSError as e:
        raise IOFailure("Cannot read %s (error %s)." % (path, e.errno))


def superseded(lt):
    """outdated.superseded() of lt (LongTerm or view), imported where something may be."""
    whole = lt.whole()
    if whole.size <= whole.table.live_bytes + whole.foreign:
        if platform.size(whole.dir + "/history.jsonl") <= 0:
            return None
    from claw_memory import outdated

    return outdated.superseded(lt)
