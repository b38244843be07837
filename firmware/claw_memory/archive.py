"""Items that left the 128: two files that take turns, found by search and brought back by use.

archive_0.jsonl and archive_1.jsonl hold lines of the records behind a first line {"archive":N};
the one with the greater N is appended to until it is full, then the other is begun anew. What the
records know of an id, alive or forgotten, counts instead of its line here.
"""

from array import array

from claw_memory import durable, itemline, items, jsonio, limits, platform, table
from claw_memory.errors import NotFound
from claw_memory.platform import const
from claw_memory.lines import read_lines

_BATCH = const(2048)  # bytes appended at once
_HEAD = const(64)


def _paths(lt):
    return lt.dir + "/archive_0.jsonl", lt.dir + "/archive_1.jsonl"


def exists(lt):
    """True when something was archived, or will be by the next compaction."""
    return lt.whole().table.active > limits.ITEMS or any(
        [platform.size(path) > 0 for path in _paths(lt)]
    )


def _number(path):
    # N of the first line, -1 for no file, 0 for a damaged one
    for _, line in read_lines(path):
        try:
            found = jsonio.loads(line[:_HEAD])["archive"]
            return found if isinstance(found, int) and found > 0 else 0
        except (ValueError, KeyError, TypeError, RuntimeError):
            return 0
    return -1


def _ordered(lt):
    # The paths, that which is appended to last.
    first, second = _paths(lt)
    return (first, second) if _number(first) < _number(second) else (second, first)


def put(lt, found):
    """Append found (iterable of Items) to the archive. Raises NoSpace or IOFailure.

    An item that is there as it is, which a compaction left that failed, is not written again.
    """
    there = Index(lt)
    batch = []
    size = 0
    for item in found:
        old = there.of(item.id)
        if old and (old.content, old.updated_at) == (item.content, item.updated_at):
            continue
        line = items.record(item, True)
        if size + len(line) > _BATCH:
            _append(lt, batch, size)
            batch = []
            size = 0
        batch.append(line)
        size += len(line)
    if batch:
        _append(lt, batch, size)


def _append(lt, batch, size):
    other, path = _ordered(lt)
    there = platform.size(path)
    if there <= 0 or there + size > limits.ARCHIVE_FILE_BYTES:
        batch.insert(0, b'{"archive":%d}\n' % (max(0, _number(path)) + 1))
        if there > 0:
            durable.remove(other)
            path = other
    durable.append(path, b"".join(batch))


class Index:
    """Ids and places of the archived lines, as far as they can be read."""

    def __init__(self, lt):
        self.ids = table.Words()
        self._offset = array("I")  # the number of the file in the highest bit
        self._length = array("H")
        self._paths = _ordered(lt)
        for number, path in enumerate(self._paths):
            try:
                for offset, line in read_lines(path):
                    id = _id(line)
                    if id and len(line) >> 16 == 0:
                        self.ids.add(id)
                        self._offset.append(number << 31 | offset)
                        self._length.append(len(line))
            except OSError:
                pass

    def __len__(self):
        return len(self._length)

    def item(self, at):
        """The Item in place at, None where it is not the last one of its id, and for -1."""
        if at < 0 or self.ids.find(self.ids[at]) != at:
            return None
        try:
            with open(self._paths[self._offset[at] >> 31], "rb") as f:
                f.seek(self._offset[at] & 0x7FFFFFFF)
                return itemline.from_line(f.read(self._length[at]))
        except OSError:
            return None

    def of(self, id):
        """The Item of this id (str), None when there is none."""
        return self.item(self.ids.find(id.encode()))


def _id(line):
    parts = itemline.split(line)
    if parts:
        return parts[0]
    item = itemline.from_line(line)
    return item.id.encode() if item is not None else b""


def entries(lt):
    """Yield the archived Items that lt (LongTerm or view) may see, those archived first first.

    What was forgotten is not among them.
    """
    index = Index(lt)
    sees = _sees(lt)
    hides = _hides(lt)
    for at in range(len(index)):
        id = index.ids[at]
        if lt.table.ids.find(id) >= 0 or not sees(id):
            continue
        item = index.item(at)
        if item is not None and not hides(item.content, item.id):
            yield item


def everything(lt):
    """Yield what waiting() and entries() do."""
    if exists(lt):
        yield from waiting(lt)
        yield from entries(lt)


def _hides(lt):
    # Function of a content and an id
    if not lt.table.graves():
        return lambda content, id: False
    from claw_memory import forgotten

    return forgotten.teller(lt)


def stream(lt):
    """Yield what waiting() and entries() do, older lines of an id too: the last one counts.

    Nothing but a line is in RAM, and nothing takes long.
    """
    yield from waiting(lt)
    sees = _sees(lt)
    hides = _hides(lt)
    for path in _ordered(lt):
        for _, line in read_lines(path):
            item = itemline.from_line(line)
            if item is None or not sees(item.id.encode()):
                continue
            if lt.table.ids.find(item.id.encode()) < 0 and not hides(item.content, item.id):
                yield item


def waiting(lt):
    """Yield the Items beyond the 128, which no list shows and the next compaction archives."""
    flags = lt.hidden()
    sees = _sees(lt)
    rows = lt.table
    if flags:
        found = [row for row in range(len(rows)) if flags[row] and sees(rows.ids[row])]
        yield from lt.read([row for row in found if not rows.deleted(row)])


def _sees(lt):
    from claw_memory.scope import OWNER

    return (lt.scope or OWNER).sees


def bring_back(lt, id):
    """The Item with this id, which is alive again when it was archived; that is an access.

    Raises InvalidArg or NotFound as LongTerm.get does, NoSpace or IOFailure.
    """
    from claw_memory import longterm_change, marks, undo

    try:
        item = lt.get(id)
        _keep(lt, item)
        return item
    except NotFound:
        id = lt.scope.own_id(id) if lt.scope else id
        known = lt.table.ids.find(id.encode()) >= 0 or not _sees(lt)(id.encode())
        item = None if known else Index(lt).of(id)
        if item is None:
            raise
    scope = lt.scope
    lt = lt.whole()
    same = longterm_change.compare(lt, item, marks.fingerprint(item), scope)[0]
    if same:
        return same
    item.access_count = min(65535, item.access_count + 1)
    item.updated_at = lt.clock()
    undo.write(lt, [item], "restore")
    return item


def _keep(lt, item):
    # One that only waits for its compaction is used in RAM, from where that takes the figures.
    flags = lt.hidden()
    rows = lt.table
    row = rows.ids.find(item.id.encode())
    if flags and flags[row] and _sees(lt)(rows.ids[row]):
        rows.access[row] = min(65535, rows.access[row] + 1)
        rows.updated[row] = lt.clock()
        lt.whole().memo = {}


def redact(lt):
    """Take the lines of what was forgotten out of the archive. Raises NoSpace or IOFailure."""
    hides = _hides(lt)
    for path in _paths(lt):
        if any(not stays for _, stays in _kept(lt, path, hides)):
            chunks = (line for line, stays in _kept(lt, path, hides) if stays)
            durable.replace(path, chunks)


def _kept(lt, path, hides):
    for _, line in read_lines(path):
        item = itemline.from_line(line)
        stays = True
        if item is not None:
            row = lt.table.ids.find(item.id.encode())
            stays = not (row >= 0 and lt.table.deleted(row)) and not hides(item.content, item.id)
        yield line, stays
