"""The methods of Memory that its owner's turns do not need; each takes the Memory first."""

from claw_memory.errors import InvalidArg


def no_mode(memory):
    """The InvalidArg for an unknown mode."""
    return InvalidArg('memory mode must be "full" or "lightweight"')


def seen_by(memory, scope=None):
    """This memory as scope (Scope, None: the owner) sees it, with the same attributes."""
    if scope is None:
        return memory
    from claw_memory import view

    return view.Seen(memory, scope)


def view(memory, scope=None):
    """The long-term store as scope sees it, with the methods of a LongTerm."""
    return memory.seen_by(scope).longterm


def close(memory):
    """Write what waits in RAM (index entries, derived files) before a clean exit."""
    memory.sessions.close()
    if memory.longterm is not None:
        memory.longterm.close()
