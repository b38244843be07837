"""Which session a chat talks to: chat keys, aliases and their map on disk."""

from claw_memory import durable, jsonio, limits, platform, text
from claw_memory.errors import ClawError, Corrupt
from claw_memory.platform import const

_SAFE = const(39)  # bytes of a key's safe form that ESP-Claw builds
_SAFE_CUT = const(24)  # bytes of it that get into the file name


def chat_key(channel, chat_id, agent=0):
    """Key of a chat. Raises InvalidArg over limits.CHAT_KEY_BYTES."""
    key = "chat:%s:%s" % (channel, chat_id)
    if agent:
        key = "agent:%d:%s" % (agent, key)
    if len(key.encode()) > limits.CHAT_KEY_BYTES:
        from claw_memory import session_extra

        raise session_extra.too_long(None, "chat")
    return key


def map_name(prefix, key):
    """File name of a map: prefix, safe form of key (other characters collapse to _), its hash."""
    safe = bytearray()
    for c in key.encode():
        if 48 <= c <= 57 or 65 <= c <= 90 or 97 <= c <= 122:
            safe.append(c)
        elif not safe or safe[-1] != 95:
            safe.append(95)
        if len(safe) == _SAFE:
            break
    name = str(bytes(safe), "utf-8")
    if name.endswith("_"):
        name = name[:-1]
    return "%s_%s_%08x.json" % (prefix, name[:_SAFE_CUT], text.fnv1a(key.encode()))


class Names:
    """dir: folder of the sessions; the maps lie in chat_map/ and subagent_map/ below it.

    More methods are in session_extra.py: new, switch, delete, subagents, command.
    """

    chat_key = staticmethod(chat_key)
    __getattr__ = platform.seldom("claw_memory.session_extra")

    def __init__(self, dir, notice=None):
        self.dir = dir.rstrip("/")
        self.notice = notice
        self._ready = set()
        self.last = None  # chat key and map of the chat in use

    def path(self, folder, prefix, key):
        """Path of the map of key in folder, which exists and is in order afterwards."""
        folder = self.dir + "/" + folder
        if folder not in self._ready:
            durable.make_dirs(folder)
            for sentence in durable.recover(folder):
                if self.notice:
                    self.notice(sentence)
            self._ready.add(folder)
        return folder + "/" + map_name(prefix, key)

    def read_map(self, path, key_name, key, list_name):
        """Map (dict) in the file at path, None when there is none. Raises Corrupt.

        Key names are case-sensitive here, as in ESP-Claw.
        """
        size = platform.size(path)
        if size <= 0:
            return None
        with open(path, "rb") as f:
            data = f.read(min(size, limits.MAP_BYTES))
        try:
            table = jsonio.loads_prefix(text.clean_bytes(data))
            names = table[list_name]
            good = table[key_name] == key and isinstance(names, list)
            good = good and all(isinstance(name, str) for name in names)
        except (ValueError, KeyError, TypeError):
            good = False
        if not good:
            raise self.damaged(path)
        return table

    def chat(self, key, first="default_01"):
        """Map of the chat; of a new chat one with the alias first that is not on disk yet."""
        if not self.last or self.last[0] != key:
            path = self.path("chat_map", "chat", key)
            table = self.read_map(path, "chat_key", key, "sessions")
            if table is None:
                return {"chat_key": key, "current_alias": "", "sessions": [first]}
            if table.get("current_alias") not in table["sessions"]:
                if not table["sessions"]:
                    table["sessions"].append(first)
                table["current_alias"] = table["sessions"][0]
            self.last = (key, table)
        return self.last[1]

    def session_id(self, key, alias):
        """Id of a chat's session. Raises InvalidArg over limits.SESSION_ID_BYTES."""
        session_id = key + ":" + alias
        if len(session_id.encode()) > limits.SESSION_ID_BYTES:
            raise self.too_long("session")
        return session_id

    def list(self, key):
        """(aliases, current alias) of a chat; a new chat gets default_01. Raises Corrupt."""
        table = self.chat(key)
        if not table["current_alias"]:
            table = self.save(key, table, table["sessions"][0], table["sessions"])
        return list(table["sessions"]), table["current_alias"]

    def current(self, key):
        """Id of the session that a chat talks to; the chat key itself when its map is damaged."""
        try:
            return self.session_id(key, self.list(key)[1])
        except Corrupt:
            return key
        except ClawError:
            # A full disk must not keep anyone from talking.
            return self.session_id(key, self.chat(key)["sessions"][0])
