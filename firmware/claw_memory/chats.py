"""Which sessions there are and whose they are, as the maps of the chats tell."""

from claw_memory import jsonio, platform, scope
from claw_memory.platform import const

_MAP = const(8192)  # bytes of a map of sessions


def users(memory):
    """Yield (user, ids of its sessions) of each chat; user as in Scope. Raises OSError."""
    folder = memory.sessions_dir + "/chat_map/"
    if not platform.isdir(folder[:-1]):
        return
    for name in platform.listed(folder, lambda name: name.endswith(".json")):
        try:
            with open(folder + name, "rb") as f:
                data = f.read(min(_MAP, max(0, platform.size(folder + name))))
            table = jsonio.loads_prefix(data)
            key = table["chat_key"]
            _, channel, chat_id = key[key.find("chat:") :].split(":", 2)
            found = [memory.names.session_id(key, alias) for alias in table["sessions"]]
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            continue  # a damaged map names no sessions
        yield scope.of_chat(channel, chat_id, "", memory.owner).user, found


def sessions(memory, who):
    """The ids of the sessions of all chats of who (Scope). Raises OSError."""
    for user, found in users(memory):
        if user == who.user:
            yield from found


def called(memory, session_id):
    """How people know a session: by its alias, and by its chat if that is not the one in use."""
    chat, _, alias = session_id.rpartition(":")
    at = chat.find("chat:") + 5
    if at < 5 or ":" not in chat[at:]:
        return session_id  # a chat whose map is damaged has no aliases
    used = memory.names.last and memory.names.last[0]
    return alias if chat == used else "%s of %s" % (alias, chat[at:])
