"""One question to a model: what is sent fits its window, and a refusal is not the end."""

import gc

from claw_core import late
from claw_core.model import ModelError
from claw_memory import limits, platform


async def ask(agent, provider, request, sink, channel):
    """The Reply of provider to request (a context.Request). Raises ModelError, MemoryError."""
    tries = 0
    if provider is agent.offline:
        request.whole()
        return await provider.ask(request, sink)
    while True:
        try:
            if not request.fit(agent) and await condensed(agent, request, "budget", channel):
                request.fit(agent)
            return await provider.ask(request, sink)
        except (ModelError, MemoryError) as e:
            failed = e
        gc.collect()
        what = agent, request, sink, channel, failed, tries
        tries = await late.call("retry", "prepared", *what)


async def afterwards(agent, request, channel):
    """Make the session smaller behind the answer where there was no room before it."""
    if request.later or agent.memory.sessions.waiting:
        await condensed(agent, request, "budget" if request.later else "size", channel)


async def condensed(agent, request, why, channel):
    """Make the session of request smaller, once per turn; True when that was done.

    why: see compaction.compact. After a failure it is left alone for limits.COMPACT_PAUSE turns.
    """
    session_id, turn = agent.paused
    gc.collect()
    if platform.is_micropython() and platform.mem_free() < platform.room(limits.CONDENSE_ROOM):
        request.later = why != "size" and not request.later  # when the answer is out there is more
        return False
    if request.condensed or session_id == request.session_id and request.turn() < turn:
        agent.memory.sessions.waiting = ()
        return False
    request.condensed = True
    return await late.call("compaction", "compact", agent, request, why, "", channel.emit)
