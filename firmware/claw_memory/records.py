"""Reading single items from memory_records.jsonl; records_scan reads it as a whole."""

from claw_memory import itemline


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
                    raise _refused().changed(path)
                # A line of ESP-Claw, which cuts labels at 8 characters, may give other ids.
                item.summary_ids = tuple([rows.labels.ids[n] for n in rows.label_numbers(row)])
                yield item
    except OSError as e:
        raise _refused().unread(path, e)


def _refused():
    from claw_memory import refused

    return refused
