"""Reading on in a result of search: the text of an item, lines of a note, turns of a session."""

from claw_memory import archive, chats, notes, search_items, session_archive
from claw_memory.errors import ClawError, NotFound
from claw_memory.platform import const
from claw_memory.scope import OWNER

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

    id: of an item, a day ("2026-11-29"), or SESSION#TURN (counted from 1), from which on the
    archived turns are read; SESSION is an id or what people call it. An item
    counts as recalled, and an archived one is a memory again.
    Raises InvalidArg (empty id), NotFound, NoSpace or IOFailure.
    """
    who = scope or memory.scope or OWNER
    session_id, mark, turn = id.rpartition("#")
    if mark and turn.isdigit():
        session_id = _session(memory, session_id, who)
        page = Page(id, "turn", "unknown", first)
        page.take(_turns(memory, session_id, int(turn) - 1, page, who), lines)
    elif id == notes.UNDATED or len(id) == 10 and id[4] == id[7] == "-":
        page = Page(id, "note", "unknown" if id == notes.UNDATED else id, first)
        page.take(notes.read(memory, id, who), lines)
    else:
        return _item(memory.view(who), id, first, lines)
    if not page.lines and not first:
        raise NotFound("there is nothing with the id %s" % id)
    return page


def _session(memory, name, who):
    for session_id in chats.sessions(memory, who):
        if name in (session_id, chats.called(memory, session_id)):
            return session_id
    raise NotFound("there is no session %s" % name)


def _item(lt, id, first, lines):
    item = archive.bring_back(lt, id)
    try:
        lt.digest.recalled(lt.clock(), [item.id])
    except ClawError as e:
        lt.log("recall", item.id, str(e))
    page = Page(item.id, "memory", search_items.day(item.updated_at), first)
    return page.take(item.content.split("\n"), lines)


def _turns(memory, session_id, turn, page, who):
    # The lines of the turns from that number on; the date of the first one is the page's.
    lt = memory.view(who)
    outdated = notes.superseded(lt) if lt is not None else None
    for number, role, content, at in session_archive.dropped(
        memory.sessions, session_id, turn, lt
    ):
        if outdated and outdated(content):
            continue
        if page.date == "unknown":
            page.date = search_items.day(at)
        yield "[%d] %s: %s" % (number + 1, role, content)
