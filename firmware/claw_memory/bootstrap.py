"""bootstrap.md: words for the first conversation, shown until that is over and then put away.

The conversation begins with the first prompt that has them. When its first answer is stored the
file is renamed in one durable step, so that a cut neither loses it nor lets it come back; the
conversation sees it on under the new name until limits.BOOTSTRAP_TURNS answers, or until another
session or another start of the board ends it.
"""

from claw_memory import durable, limits, platform
from claw_memory.errors import ClawError

_NAME = "/bootstrap.md"
_DONE = "/bootstrap.done.md"


def path(profile, session_id):
    """The file to show to this session: before its first answer, or afterwards, or "" for none."""
    if platform.size(profile.dir + _NAME) > 0:
        profile.first = [session_id, 0]
        return profile.dir + _NAME
    if profile.first[0] == session_id and 0 < profile.first[1] < limits.BOOTSTRAP_TURNS:
        return profile.dir + _DONE
    profile.first = None
    return ""


def stored(memory, session_id):
    """An answer of a model to this session was stored; what refuses to be written is told."""
    try:
        answered(memory.profile, session_id)
    except ClawError as e:  # the next answer tries again
        memory.tell(str(e))


def answered(profile, session_id):
    """An answer of a model to this session was stored. Raises NoSpace or IOFailure, unchanged."""
    if profile.first is None or profile.first[0] != session_id:
        return
    name = profile.dir + _NAME
    if platform.size(name) > 0:
        content = _content(name)
        try:
            durable.replace_many(((profile.dir + _DONE, content), (name, None)))
        finally:
            content.close()
    profile.first[1] += 1


def _content(name):
    with open(name, "rb") as file:
        while True:
            data = file.read(512)
            if not data:
                return
            yield data
