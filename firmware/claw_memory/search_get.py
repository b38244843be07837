"""Reading on in a result of search: the text of an item, lines of a note, turns of a session."""

from claw_memory import search_items
from claw_memory.errors import ClawError
from claw_memory.platform import const

_CHARS = const(300)  # of one line


class Page:
    """Some lines of what has an id. `lines` are texts (str), the first one is number `first`.

    source and date: as in a Hit. more: there are lines behind these.
    """

    def __init__(self, id, source, date, first):
        self.id = id
        self.source = source
        self.date = date
        self.first = first
        self.lines = []
        self.more = False

    def take(self, lines, count):
        """Take count of lines (iterable of str) from number `first` on; return this Page."""
        for number, line in enumerate(_parts(lines)):
            if number < self.first:
                continue
            if len(self.lines) == count:
                self.more = True
                break
            self.lines.append(line)
        return self


def _parts(lines):
    # A line that is long comes as several.
    for line in lines:
        while len(line) > _CHARS:
            yield line[:_CHARS]
            line = line[_CHARS:]
        yield line


def get(memory, id, first=0, lines=20, scope=None):
    """A Page of what scope may see under id, at most `lines` lines from number first on.

    An item counts as recalled. Raises InvalidArg (empty id), NotFound, NoSpace or IOFailure.
    """
    return _item(memory, id, first, lines, scope)


def _item(memory, id, first, lines, scope):
    lt = memory.view(scope)
    item = lt.get(id)
    try:
        lt.digest.recalled(memory.clock(), [item.id])
    except ClawError as e:
        lt.log("recall", item.id, str(e))
    page = Page(item.id, "memory", search_items.day(item.updated_at), first)
    return page.take(item.content.split("\n"), lines)
