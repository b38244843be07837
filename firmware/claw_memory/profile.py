"""The profile files: who the user is, who the agent is. Plain markdown that people may edit."""

from claw_memory import limits, platform, text

# Order and titles in which they are put before the model (ESP-Claw's editable profile provider).
FILES = (
    ("user.md", "User Profile"),
    ("soul.md", "Agent Soul"),
    ("identity.md", "Agent Identity Card"),
)


class Profile:
    """The three profile files of one memory directory."""

    def __init__(self, directory, defaults=None):
        """Use the files in `directory`; missing ones are copied from the folder `defaults`.

        Raises NoSpace or IOFailure when a missing file cannot be written.
        """
        self.dir = directory
        for name, _ in FILES:
            if not platform.exists(directory + "/" + name):
                from claw_memory import profile_new

                profile_new.write(directory, name, defaults)

    def sections(self):
        """Yield (title, path, text) of each file that says something, the text trimmed.

        A file over limits.PROFILE_BYTES bytes is cut on a character and says so; one that cannot
        be read is left out.
        """
        for name, title in FILES:
            path = self.dir + "/" + name
            body = text.trim(read_text(path, limits.PROFILE_BYTES))
            if body:
                yield title, path, body


def read_text(path, limit):
    """At most `limit` bytes of the file as text, cut on a character with a mark; "" if unreadable.

    Bytes that are no UTF-8 are dropped.
    """
    try:
        with open(path, "rb") as file:
            # read(n) takes n bytes of heap even for a short file
            data = file.read(min(limit, max(0, platform.size(path))) + 1)
    except OSError:
        return ""
    if len(data) <= limit:
        return text.clean_bytes(data)
    return text.clean_bytes(data[:limit]) + "\n[cut: the file is longer than %d bytes]" % limit
