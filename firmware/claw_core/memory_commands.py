"""/memory: what is remembered, why, what it was before; forgetting, undo and pins, by hand."""

from claw_core.commands import date
from claw_memory import limits
from claw_memory.errors import InvalidArg, InvalidState, NotFound

_SOURCES = {"archive": "archived", "turn": "conversation"}
# what stands in agent.listed for what is no memory; no id has a newline
_ELSE = {"note": "\na note", "turn": "\nan earlier message"}
_FOR_GOOD = "for good, and so is what was forgotten before: the store has been compacted"
_EMPTY = "Nothing is remembered yet."
_SHOWN = 40  # characters of what was typed that a sentence repeats
_SHORTEST = 4  # characters of the start or end of an id; numbers of a list are shorter


def run(agent, memory, session_id, rest):
    """Yield what the command says. memory: as the user of the chat sees it; rest: behind /memory.

    session_id: of the conversation in which it is typed. Raises InvalidArg, InvalidState,
    NotFound, NoSpace or IOFailure.
    """
    verb, _, rest = rest.partition(" ")
    rest = rest.strip()
    verb = verb or "list"
    if _user(memory) and verb in _OWNERS:
        raise InvalidState("/memory %s is the owner's." % verb)
    if memory.longterm is None:
        if verb != "list" or rest:
            raise InvalidArg("In lightweight mode there is only /memory list; edit MEMORY.md.")
        yield _lightweight(memory)
        return
    work, needs = _VERBS.get(verb, (None, ""))
    if work is None:
        raise InvalidArg("There is no /memory %s; /help lists what there is." % _short(verb))
    if needs is None and rest:
        raise InvalidArg("Nothing goes behind /memory %s: type it alone." % verb)
    if needs and not rest:
        raise InvalidArg("Type /memory %s %s: the %s is missing." % (verb, needs, needs))
    if needs and len(rest) > limits.QUERY_CHARS:
        most = (needs, limits.QUERY_CHARS)
        raise InvalidArg("The %s is too long: type at most %d characters." % most)
    yield from work(agent, memory, rest, *((session_id,) if work is _forget else ()))


def _short(text):
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"


def _nothing(memory):
    # Said where nothing is found.
    from claw_memory import notes

    for some in (memory.longterm.list(), notes.days(memory)):
        for _ in some:
            return "Nothing remembered fits that; /memory list shows what there is."
    return _EMPTY


def _lightweight(memory):
    if memory.scope and memory.scope.user:
        return _EMPTY  # the file is the owner's
    from claw_memory import profile

    path = memory.memory_dir + "/MEMORY.md"
    found = "".join(profile.read_pieces(path, limits.MEMORY_MD_BYTES))
    return found or "Nothing is remembered yet: %s is yours to write." % path


def _list(agent, memory, rest):
    return _items(agent, memory, memory.longterm.list(), _EMPTY)


def _find(agent, memory, rest):
    from claw_memory.search import Search

    search = Search(memory, rest, limits.RECALL_DEFAULT)
    for _ in search:
        yield ""  # a pause
    ids = [_ELSE.get(hit.source, hit.id) for hit in search.hits]
    agent.listed = (_user(memory),) + tuple(ids)
    for number, hit in enumerate(search.hits):
        text = " ".join(hit.snippet.split())
        source = _SOURCES.get(hit.source, hit.source)
        id = hit.id
        if hit.source == "turn":
            session_id, _, turn = id.rpartition("#")
            id = "session %s, turn %s" % (_session(memory, session_id), turn)
        yield "%d  %s  %s\n    [%s, %s]" % (number + 1, id, text, hit.date, source)
    if search.broken:
        yield search.broken
    elif not search.hits:
        yield _nothing(memory)


def _items(agent, memory, items, none):
    listed = []
    rows = memory.longterm.table
    hidden = memory.longterm.hidden()
    for item in items:
        listed.append(item.id)
        times = [date(agent, item.created_at)]
        if item.updated_at != item.created_at:
            times.append("last used or changed " + date(agent, item.updated_at))
        row = rows.ids.find(item.id.encode())
        away = row < 0 or (hidden and hidden[row])
        mark = ", archived" if away else ", pinned" if row in rows.pinned else ""
        why = "%s, since %s%s" % (item.source, ", ".join(times), mark)
        yield "%d  %s  %s\n    [%s] %s" % (len(listed), item.id, item.content, item.tags, why)
    agent.listed = (_user(memory),) + tuple(listed)
    if not listed:
        yield none


def _user(memory):
    return memory.scope.user if memory.scope else ""


def _session(memory, session_id):
    from claw_memory import chats

    return chats.called(memory, session_id)


def unknown(text):
    """The error for text where an id was meant, and nothing has it."""
    return NotFound("There is no memory with the id %s; /memory list shows them." % _short(text))


def _code(name):
    # a module of claw_memory that a list needs no RAM for
    return __import__("claw_memory." + name, None, None, (name,))


def _id(agent, memory, text):
    # The id that text means: a number of the last list, a whole id, or its start or end.
    lt = memory.longterm
    if len(text) < _SHORTEST and text.isdigit():
        return _numbered(agent, memory, int(text))
    found = []
    for items in (lt.list(), _code("archive").everything(lt)):
        for item in items:
            if item.id == text:
                return text
            partly = item.id.startswith(text) or item.id.endswith(text)
            if partly and len(text) >= _SHORTEST:
                found.append(item.id)
        if found:
            break
    if len(found) > 1:
        raise InvalidArg("%d memories have such an id: type more of it." % len(found))
    if not found:
        raise unknown(text)
    return found[0]


def _numbered(agent, memory, number):
    listed = agent.listed
    if not listed or listed[0] != _user(memory):
        raise InvalidArg("A number is one of the last list: type /memory list first.")
    if not 0 < number < len(listed):
        raise InvalidArg("The last list has no number %d: type /memory list first." % number)
    id = listed[number]
    if id[0] == "\n":
        raise InvalidArg("Number %d is %s, not a memory." % (number, id[1:]))
    return id


def _why(agent, memory, rest):
    item, origin, words = _code("truth").why(memory, _id(agent, memory, rest))
    yield "%s  %s" % (item.id, item.content)
    when = date(agent, item.updated_at if origin else item.created_at)
    if not origin:
        yield "Where it came from is not known: %s, since %s." % (item.source, when)
        return
    session_id, turn, stated = origin
    how = "You said so" if stated else "Inferred from what you said"
    name = _session(memory, session_id)
    yield "%s in session %s, turn %d, noted %s." % (how, name, turn + 1, when)
    yield '"%s"' % words if words else "That message is no longer there."


def _history(agent, memory, rest):
    lt = memory.longterm
    item = _code("archive").bring_back(lt, _id(agent, memory, rest))
    before = _code("truth").history(memory, item.id)
    for at, content, tags, _, source in before:
        more = "\n    [%s] %s" % (tags, source) if source else ""
        yield "%s  %s%s" % (date(agent, at), content, more)
    yield "%s  %s (now)" % (date(agent, item.updated_at), item.content)
    if not before:
        yield "It has not been anything else, as far as is kept."


def _forget(agent, memory, rest, session_id):
    lt = memory.longterm
    try:
        id = _id(agent, memory, rest)
    except NotFound:
        from claw_core import memory_forget

        id = yield from memory_forget.meant(agent, memory, rest)
        if not id:
            return
    _code("archive").bring_back(lt, id)
    from claw_memory.origin import forgot

    item = lt.forget(id, forgot(session_id, memory.sessions.turn_number(session_id)))
    back = "/memory undo brings it back" if _code("truth").hold(memory, item.id) else _FOR_GOOD
    yield "Forgotten: %s (%s)" % (item.content, back)


def _undo(agent, memory, rest):
    changed, now = _code("truth").undo(memory)
    if now is None:
        yield "Taken back: " + changed.content
    elif changed.deleted:
        yield "Remembered again: " + now.content
    else:
        yield "%s  %s (was: %s)" % (now.id, now.content, changed.content)


def _pin(agent, memory, rest):
    yield from _pinned(agent, memory, rest, True)


def _unpin(agent, memory, rest):
    yield from _pinned(agent, memory, rest, False)


def _pinned(agent, memory, rest, on):
    id = _id(agent, memory, rest)
    changed = _code("truth").pin(memory, id, on)
    what = ("pinned" if on else "not pinned") + (" now" if changed else " already")
    yield "%s  %s: %s" % (id, memory.longterm.get(id).content, what)


def _share(agent, memory, rest):
    return _moved(agent, memory, rest, "share", "all users read it now")


def _unshare(agent, memory, rest):
    return _moved(agent, memory, rest, "unshare", "yours alone now")


def _moved(agent, memory, rest, verb, now):
    old = _id(agent, memory, rest)
    item = getattr(_code("share"), verb)(memory, old)
    # its number in the last list still means it
    agent.listed = tuple([item.id if id == old else id for id in agent.listed])
    yield "%s  %s: %s" % (item.id, item.content, now)


def _export(agent, memory, rest):
    lines = _code("truth").export(memory)
    if rest in ("markdown", "md"):
        lines = _markdown(agent, memory)
    elif rest:
        raise InvalidArg("Type /memory export or /memory export markdown: it has no other form.")
    empty = True
    for line in lines:
        empty = False
        yield line
    if empty:
        yield _EMPTY


def _markdown(agent, memory):
    for item in memory.longterm.list():
        yield "- %s (%s, %s)" % (item.content, item.tags, date(agent, item.updated_at))


def _stats(agent, memory, rest):
    for what, figure in _code("truth").stats(memory):
        yield "%s: %s" % (what, figure)
    from claw_memory import damage

    damaged = yield from damage.look(memory)
    if damaged:
        yield "damaged: " + damaged


# what each verb does, and what has to follow it ("": something may, None: nothing may)
_VERBS = {
    "list": (_list, None),
    "find": (_find, "TEXT"),
    "why": (_why, "ID"),
    "history": (_history, "ID"),
    "forget": (_forget, "ID or TEXT"),
    "undo": (_undo, None),
    "pin": (_pin, "ID"),
    "unpin": (_unpin, "ID"),
    "share": (_share, "ID"),
    "unshare": (_unshare, "ID"),
    "export": (_export, ""),
    "stats": (_stats, None),
}
# what is about the device as a whole
_OWNERS = ("pin", "unpin", "share", "unshare", "stats")
