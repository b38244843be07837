"""The files that shape the agent: who it is, who the user is. Markdown that people may edit."""

from claw_memory import durable, limits, platform, quote, text
from claw_memory.errors import ClawError
from claw_memory.platform import const

# In the order in which they are put before the model. The first three are made when they are
# missing (ESP-Claw's editable profile), the others belong to whoever writes them.
FILES = (
    ("user.md", "User Profile"),
    ("soul.md", "Agent Soul"),
    ("identity.md", "Agent Identity Card"),
    ("agents.md", "Rules"),
    ("tools.md", "Notes about Tools"),
    ("bootstrap.md", "First Conversation"),
)
_MADE = const(3)
_QUOTED = const("user.md")  # says what is so and gives no orders
_PIECE = const(512)  # bytes read at once
_BLANK = const(" \t\n\x0b\x0c\r")


class Profile:
    """The profile files of one memory directory."""

    def __init__(self, directory, defaults=None, tell=None):
        """Use the files in `directory`; missing ones are copied from the folder `defaults`.

        tell: function that gets a sentence for the user. Raises NoSpace or IOFailure when a
        missing file cannot be written.
        """
        self.dir = directory
        self._tell = tell
        self.first = None  # the first conversation, see claw_memory.bootstrap
        for name, _ in FILES[:_MADE]:
            if not platform.exists(directory + "/" + name):
                from claw_memory import profile_new

                profile_new.write(directory, name, defaults)

    def parts(self, session_id="", user=None):
        """Yield the prompt's text about each file that says something, in pieces (str).

        A file over limits.PROFILE_BYTES bytes, or what is over limits.PROFILES_BYTES bytes of
        all files, is cut on a character and says so; one that cannot be read is left out.
        session_id: the conversation for which bootstrap.md may be shown. user: the folder of
        somebody else than the owner, whose user.md takes the place of the owner's.
        """
        left = limits.PROFILES_BYTES
        try:
            durable.settle(self.dir + "/")
        except ClawError:
            pass  # what can be read is better than nothing
        for name, title in FILES:
            head = "%s (%s/%s):\n" % (title, self.dir, name)
            path = (user or self.dir if name == _QUOTED else self.dir) + "/" + name
            size = platform.size(path)
            if name == "bootstrap.md":
                if user or not (self.first or size > 0):
                    return
                from claw_memory import bootstrap

                path = bootstrap.path(self, session_id)
                size = platform.size(path)
            if size <= 0:
                continue
            limit = min(left, limits.PROFILE_BYTES)
            left -= min(size, limit)
            for piece in shown(path, limit, name == _QUOTED, self._tell):
                yield head + piece
                head = ""
            if not head:
                yield "\n\n"


def shown(path, limit, quoted, tell):
    """Yield read_pieces(), quoted or not, and a line about it when the file is cut.

    tell(sentence) says so to the user.
    """
    pieces = read_pieces(path, limit)
    yield from quote.stream(pieces) if quoted else pieces
    if platform.size(path) > limit:
        from claw_memory import lost

        if tell:
            tell(lost.profile(path, limit))
        yield lost.mark(limit)


def read_pieces(path, limit):
    """Yield the file, at most `limit` bytes, as str in pieces; trimmed, and cut on a character.

    Bytes that are no UTF-8 are dropped, and a file that cannot be read gives nothing.
    """
    at = 0
    blank = ""  # may be the end of the text, and then goes
    lead = True
    try:
        with open(path, "rb") as file:
            while at < limit:
                file.seek(at)
                room = min(limit - at, _PIECE)
                data = file.read(room + 1)
                data = text.cut(data, room) or data[:room]
                if not data:
                    return
                at += len(data)
                piece = blank + text.clean_bytes(data)
                if lead:
                    piece = piece.lstrip(_BLANK)
                body = piece.rstrip(_BLANK)
                blank = piece[len(body) :]
                if body:
                    lead = False
                    yield body
    except OSError:
        return
