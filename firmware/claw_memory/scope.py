"""Whose an item is, as the end of its id tells, and which chat is whose.

An id that ends in `.u` and sixteen hex digits is of that user, `.s` of that session, `.d` of the
device, which everybody reads; any other id is the owner's.
"""

from binascii import hexlify
from hashlib import sha256

from claw_memory import limits, text
from claw_memory.errors import InvalidArg, InvalidState, NotFound

DEVICE = ".d"
_HEX = b"0123456789abcdef"


def number(name):
    """16 hex digits for a text: the number of a user ("channel:chat_id") or of a session."""
    # Nobody finds another name with the same ones, as for a plain checksum anybody could.
    return str(hexlify(sha256(text.to_bytes(name)).digest()[:8]), "utf-8")


class Scope:
    """Who asks, fixed by code for a chat.

    user: 16 hex digits, "" for the owner. session: 16 hex digits, "" where items of a
    session are neither shown nor stored. suffix: what the ids of new items end in; None for the
    user's own.
    """

    def __init__(self, user="", session="", suffix=None):
        self.user = user
        self.session = session
        own = ".u" + user if user else ""
        self.suffix = own if suffix is None else suffix
        if self.suffix == DEVICE:
            own = DEVICE  # what is for everybody is compared with what everybody knows
        self._seen = (own.encode(), DEVICE.encode(), (".s" + session if session else own).encode())

    def of_session(self):
        """The same chat, but what it stores is for its session only."""
        return Scope(self.user, self.session, ".s" + self.session)

    def sees(self, id):
        """True when the item with this id (bytes) is the user's, the session's or the device's."""
        return home(id) in self._seen

    def check(self, id, change=False):
        """Raise NotFound for an id (str) out of sight, InvalidState to change one only read."""
        whose = home(id.encode())
        if whose not in self._seen:
            raise NotFound("there is no memory with the id %s" % id)
        if change and self.user and whose == b".d":
            raise InvalidState("%s belongs to the device: only its owner changes it" % id)

    def changes(self, id):
        """True when the item with this id (bytes) may be changed by the user."""
        return self.sees(id) and not (self.user and home(id) == b".d")

    def own_id(self, id):
        """The id (str) as this scope means it: one without a suffix gets the scope's own."""
        if not self.suffix or home(id.encode()):
            return id
        return "%s%s" % (text.cut(id, limits.ID_BYTES - len(self.suffix)), self.suffix)

    def folder(self, directory):
        """Where the user's own files lie in the memory's directory; it need not exist yet."""
        return directory + "/u_" + self.user if self.user else directory


OWNER = Scope()
EVERYBODY = Scope("", "", DEVICE)  # for code that stores what all users of the device may read


def home(id):
    """The end of an id (bytes) that tells whose it is; b"" for the owner."""
    if id[-2:] == b".d":
        return id[-2:]
    end = id[-18:]
    if end[:2] not in (b".u", b".s") or len(end) < 18:
        return b""
    return end if all([c in _HEX for c in end[2:]]) else b""


def visible(id, scope=None):
    """True when scope (None: the owner) may see the item with this id (str)."""
    return (scope or OWNER).sees(id.encode())


def of_chat(channel, chat_id, session_id="", owner="serial"):
    """The Scope of a chat: the owner's, or that of the one user of this channel and chat id.

    owner: the owner's chats, "channel" or "channel:chat_id" each, joined with commas.
    Raises InvalidArg for a channel with a colon in its name.
    """
    if ":" in channel:
        raise InvalidArg("the name of a channel has no colon")
    chat = "%s:%s" % (channel, chat_id)
    names = [text.bare(name) for name in owner.split(",")]
    user = "" if channel in names or chat in names else number(chat)
    return Scope(user, number(session_id) if session_id else "")


def meant(scope, id, change=False):
    """The id (str) of the item that scope (None: the owner) means by id.

    Raises NotFound for an id out of sight, InvalidState to change what is only to be read.
    """
    scope = scope or OWNER
    id = scope.own_id(id)
    scope.check(id, change)
    return id


def given(lt, scope, id):
    """The id (str) of an item that scope (None: the owner) wants to store under id.

    Raises NotFound where it says that the item is somebody else's, InvalidState as meant().
    """
    scope = scope or OWNER
    id = meant(scope, id, True)
    if home(id.encode()) != scope.suffix.encode():
        row = lt.table.ids.find(id.encode())
        if row < 0 or lt.table.deleted(row):
            raise NotFound("there is no memory with the id %s" % id)
    return id
