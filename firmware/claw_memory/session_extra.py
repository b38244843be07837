"""The rarer half of session naming: changes, the session commands, and sub-agents."""

from claw_memory import durable, jsonio, limits, platform, text
from claw_memory.errors import (
    ClawError,
    Corrupt,
    InvalidArg,
    InvalidState,
    IOFailure,
    NoSpace,
    NotFound,
)

_NAME = "A session name has 1 to %d of A-Z, a-z, 0-9, - and _, and no blanks."
_USAGE = "Use new [name], list, switch <name>, delete <name> or show [turn]."
_WHO = {"user": "  you> ", "assistant": "  claw> "}


def damaged(names, path):
    """The Corrupt for a map that cannot be read."""
    return Corrupt("The file %s is damaged: repair it, or remove it to start anew." % path)


def too_long(names, what):
    """The InvalidArg for the name of a chat or a session."""
    return InvalidArg("The name of this %s is too long." % what)


def _is_alias(alias):
    if not 0 < len(alias) <= limits.ALIAS_CHARS:
        return False
    for c in alias.encode():
        if not (48 <= c <= 57 or 65 <= c <= 90 or 97 <= c <= 122 or c in (45, 95)):
            return False
    return True


def write_map(path, table, *known):
    """Write table with the keys known first; what other programs keep in it stays, too."""
    pairs = []
    for name in known + tuple(sorted(k for k in table if k not in known)):
        pairs += (name, table[name])
    durable.replace(path, (jsonio.dumps(jsonio.obj(*pairs)).encode(),))


def save(names, key, table, alias, aliases):
    """Write the map of the chat key with these aliases and the current one; return it."""
    names.session_id(key, alias)
    table = dict(table)
    table["current_alias"] = alias
    table["sessions"] = aliases
    path = names.path("chat_map", "chat", key)
    write_map(path, table, "chat_key", "current_alias", "sessions")
    names.last = (key, table)
    return table


def new(names, key, alias=None):
    """Start a session, named or default_01 to default_32, and switch to it; returns its id.

    Raises InvalidArg (bad or taken name), InvalidState (limits.ALIASES reached), Corrupt.
    """
    table = names.chat(key, "")
    aliases = [name for name in table["sessions"] if name]
    if alias in aliases:
        raise InvalidArg("There is a session %s already: use switch %s." % (alias, alias))
    if len(aliases) >= limits.ALIASES:
        raise InvalidState(
            "A chat has at most %d sessions: remove one with delete <name>." % limits.ALIASES
        )
    if not alias:
        free = ["default_%02d" % n for n in range(1, limits.ALIASES + 1)]
        alias = [name for name in free if name not in aliases][0]
    # Checked here only: a name that damage changed in the map must not stop the others.
    if not _is_alias(alias):
        raise InvalidArg(_NAME % limits.ALIAS_CHARS)
    save(names, key, table, alias, aliases + [alias])
    return names.session_id(key, alias)


def _aliases(names, key):
    # As Names.list(), but a full disk that has no room for a map keeps nobody from looking.
    try:
        return names.list(key)
    except (NoSpace, IOFailure):
        aliases = list(names.chat(key)["sessions"])
        return aliases, aliases[0]


def switch(names, key, alias):
    """Make an existing session the current one; returns its id. Raises NotFound, Corrupt."""
    aliases, current = names.list(key)
    if alias not in aliases:
        raise NotFound("There is no session %s: list shows those there are." % alias)
    if alias != current:
        save(names, key, names.chat(key), alias, aliases)
    return names.session_id(key, alias)


def delete(names, key, alias, sessions):
    """Remove a session, history first; return how many memories it had of its own, which go
    along. The current one keeps its name and is empty. sessions: Sessions.

    Raises NotFound, InvalidState for the current one while another one holds something, Corrupt,
    NoSpace or IOFailure.
    """
    aliases, current = _aliases(names, key)
    if alias not in aliases:
        raise NotFound("There is no session %s: list shows those there are." % alias)
    if alias == current and _others(names, key, alias, aliases, sessions):
        raise InvalidState(
            "%s is the current session: start or switch to another one first." % alias
        )
    count = _delete(sessions, names.session_id(key, alias))
    if alias == current:
        return count  # its name stays, so that nothing has to be written
    aliases.remove(alias)
    save(names, key, names.chat(key), current, aliases)
    return count


def _others(names, key, alias, aliases, sessions):
    # Is anything in a session besides alias? If not, a full disk may leave no way to another one.
    paths = [sessions.data_path(names.session_id(key, name)) for name in aliases if name != alias]
    return any([platform.size(path) > 0 for path in paths])


def _delete(sessions, session_id):
    # The files first: on a full disk they make room for the rest.
    sessions.delete(session_id)
    if sessions.longterm is None:
        return 0
    from claw_memory import session_own

    return session_own.forget(sessions.longterm, session_id)


def command(names, key, line, sessions):
    """Carry out `new [name]`, `list`, `switch <name>`, `delete <name>` or `show [turn]`.

    Always returns a text for people.
    """
    words = line.split()
    verb = words[0] if words else ""
    name = words[1] if len(words) == 2 else ""
    try:
        if verb == "new" and len(words) <= 2:
            alias = names.new(key, name)[len(key) + 1 :]
            return "Started session %s; it is the current one." % alias
        if verb in ("new", "switch", "delete") and len(words) > 2:
            raise InvalidArg(_NAME % limits.ALIAS_CHARS)
        if verb == "show" and name and not name.isdigit():
            raise InvalidArg("show takes the number of a turn, from 1 on, or nothing.")
        if verb == "list" and len(words) == 1:
            return _listing(names, key, sessions)
        if verb == "show" and (len(words) == 1 or name.isdigit()):
            return _shown(names, key, sessions, int(name) - 1 if name else None)
        if verb == "switch" and name:
            names.switch(key, name)
            return "Session %s is the current one now." % name
        if verb == "delete" and name:
            count = names.delete(key, name, sessions)
            more = ""
            if count:
                more = ", with %d memor%s of its own" % (count, "y" if count == 1 else "ies")
            if name == _aliases(names, key)[1]:
                return "The history of session %s is gone%s; it begins anew." % (name, more)
            return "Session %s and its history are gone%s." % (name, more)
    except ClawError as e:
        return str(e)
    return _USAGE


def _listing(names, key, sessions):
    aliases, current = _aliases(names, key)
    lines = []
    for alias in aliases:
        turns, size, last = sessions.info(names.session_id(key, alias))
        note = "empty"
        if size:
            note = "%d turn%s, " % (turns, "" if turns == 1 else "s")
            note += "%s, last used %s" % (_size(size), _age(last))
        lines.append("%s %s (%s)" % ("*" if alias == current else " ", alias, note))
    return "Sessions of this chat, * is the current one:\n" + "\n".join(lines)


def _shown(names, key, sessions, first):
    # What was said in the current session: from turn first on, also in its archive, or the end.
    # People count turns from 1.
    from claw_memory.session_archive import said

    alias = _aliases(names, key)[1]
    lines = []
    session_id = names.session_id(key, alias)
    start = first
    if first is None:
        start = max(0, sessions.turn_number(session_id) - limits.SHOWN_MESSAGES)
    for turn, role, content in said(sessions, session_id, start):
        if not content or role not in _WHO:
            continue
        short = text.cut(content, limits.SHOWN_BYTES)
        more = "…" if len(short) < len(content) else ""
        lines.append((turn, _WHO[role] + short + more))
        if len(lines) > limits.SHOWN_MESSAGES:
            if first is not None:
                lines.pop()
                break
            lines.pop(0)
    if not lines:
        return "Session %s %s." % (alias, "is empty" if first is None else "has no such turn")
    what = "The end of session" if first is None else "Session"
    head = "%s %s, from turn %d:" % (what, alias, lines[0][0] + 1)
    return "\n".join([head] + [line for _, line in lines])


def _size(size):
    return "%d bytes" % size if size < 1024 else "%d KB" % ((size + 512) // 1024)


def _age(last):
    now = platform.unix_time()
    if not now or not last:
        return "at an unknown time"
    seconds = max(0, now - last)
    for unit, name in ((86400, "days"), (3600, "h"), (60, "min")):
        if seconds >= unit:
            return "%d %s ago" % (seconds // unit, name)
    return "just now"


def subagents(names, parent):
    """The ids of the sub-agents of the session parent, as a Subagents object."""
    return Subagents(names, parent)


class Subagents:
    """The sub-agents of the session parent; their numbers are never used again."""

    def __init__(self, names, parent):
        self._names = names
        self._parent = parent

    def _load(self):
        path = self._names.path("subagent_map", "subagents", self._parent)
        table = self._names.read_map(path, "parent_session_id", self._parent, "child_ids")
        if table is None:
            table = {"parent_session_id": self._parent, "next_suffix": 1, "child_ids": []}
        return path, table

    def _save(self, path, table):
        write_map(path, table, "parent_session_id", "next_suffix", "child_ids")

    def list(self):
        """Their session ids. Raises Corrupt."""
        return self._load()[1]["child_ids"]

    def new(self):
        """Id for a new sub-agent.

        Raises InvalidState at limits.SUBAGENTS, InvalidArg for an id too long, Corrupt.
        """
        path, table = self._load()
        children = table["child_ids"]
        if len(children) >= limits.SUBAGENTS:
            raise InvalidState("A session has at most %d sub-agents." % limits.SUBAGENTS)
        number = table.get("next_suffix")
        number = number if isinstance(number, int) and number > 0 else 1
        while self._id(number) in children:
            number += 1
        children.append(self._id(number))
        table["next_suffix"] = number + 1
        self._save(path, table)
        return children[-1]

    def _id(self, number):
        return self._names.session_id(self._parent, "subagent_%02d" % number)

    def delete(self, child, sessions):
        """Remove a sub-agent's session, history first, and its memories.

        Raises NotFound, Corrupt, NoSpace or IOFailure.
        """
        path, table = self._load()
        if child not in table["child_ids"]:
            raise NotFound("There is no such sub-agent.")
        _delete(sessions, child)
        table["child_ids"].remove(child)
        self._save(path, table)
