"""The rarer half of session naming: the session commands, and the ids of sub-agents."""

from claw_memory import limits, platform
from claw_memory.errors import ClawError, InvalidState, NotFound

_USAGE = "Use new [name], list, switch <name> or delete <name>."


def command(names, key, line, sessions):
    """Carry out a session command of the chat key; always returns a text for people."""
    words = line.split()
    verb = words[0] if words else ""
    name = words[1] if len(words) == 2 else ""
    try:
        if verb == "new" and len(words) <= 2:
            alias = names.new(key, name)[len(key) + 1 :]
            return "Started session %s; it is the current one." % alias
        if verb == "list" and len(words) == 1:
            return _listing(names, key, sessions)
        if verb == "switch" and name:
            names.switch(key, name)
            return "Session %s is the current one now." % name
        if verb == "delete" and name:
            names.delete(key, name, sessions)
            return "Session %s and its history are gone." % name
    except ClawError as e:
        return str(e)
    return _USAGE


def _listing(names, key, sessions):
    aliases, current = names.list(key)
    lines = []
    for alias in aliases:
        turns, size, last = sessions.info(names.session_id(key, alias))
        note = "empty"
        if size:
            note = "%d turn%s, " % (turns, "" if turns == 1 else "s")
            note += "%s, last used %s" % (_size(size), _age(last))
        lines.append("%s %s (%s)" % ("*" if alias == current else " ", alias, note))
    return "Sessions of this chat, * is the current one:\n" + "\n".join(lines)


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
        self._names.write_map(path, table, "parent_session_id", "next_suffix", "child_ids")

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
        """Remove a sub-agent's session, history first. Raises NotFound, Corrupt."""
        path, table = self._load()
        if child not in table["child_ids"]:
            raise NotFound("There is no such sub-agent.")
        sessions.delete(child)
        table["child_ids"].remove(child)
        self._save(path, table)
