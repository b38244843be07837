"""What is remembered for one session alone: it goes when the session is deleted."""

from claw_memory import durable, itemline, scope, undo
from claw_memory.history import NAME
from claw_memory.lines import read_lines


def forget(lt, session_id):
    """Forget the items of a session that is deleted; return how many there were.

    lt: LongTerm. One append; no undo brings them back. Archived ones, and what they said before,
    leave the files. Raises NoSpace or IOFailure; call it again then.
    """
    end = (".s" + scope.number(session_id)).encode()
    rows = lt.table
    mine = [row for row in range(len(rows)) if scope.home(rows.ids[row]) == end]
    found = list(lt.read([row for row in mine if not rows.deleted(row)]))
    for item in found:
        item.deleted = True
        item.updated_at = lt.clock()
    if found:
        undo.write(lt, found, "forget")
    count = len(found)
    for name in ("/archive_0.jsonl", "/archive_1.jsonl", NAME):
        gone = [1 for line, stays in _lines(lt.dir + name, end) if not stays]
        if gone:
            kept = (line for line, stays in _lines(lt.dir + name, end) if stays)
            durable.replace(lt.dir + name, kept)
            count += len(gone) if name != NAME else 0
    return count


def _lines(path, end):
    for _, line in read_lines(path):
        item = itemline.from_line(line)
        yield line, item is None or scope.home(item.id.encode()) != end
