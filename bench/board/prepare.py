"""Fills an image for the full turn: as many messages as the file "where" + ".count" says."""

import place
from out import report


def main(kind, where, more=None):
    """Fill the image, and report how many messages it holds.

    more: function (memory, session id) that adds to it.
    """
    with open(where + ".count") as f:
        count = int(f.read())
    root, _ = place.enter(kind, where)
    from claw_memory import limits
    from claw_memory.memory import Memory
    from material import Clock, fill, talk

    limits.SESSION_BYTES = 4 << 20
    memory = Memory(root or "/", Clock())
    fill(memory.longterm, 0, 127)
    names = memory.names
    session = names.current(names.chat_key("serial", "0"))
    talk(memory.sessions, session, 0, count, 180)
    if more:
        more(memory, session)
    report("messages", memory.sessions.count(session))
    memory.close()
