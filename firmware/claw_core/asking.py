"""One question to a model: what is sent fits its window, and a refusal is not the end."""

import asyncio
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
        except MemoryError:
            if tries or sink.total:
                raise
            tries += 1
            request.shorten()
            gc.collect()
        except ModelError as e:
            if e.kind == "context" and await condensed(agent, request, e.kind, channel):
                continue
            if e.kind in ("context", "memory") and request.shorten():
                gc.collect()
                channel.emit("info", "[asking again with a shorter history]")
                continue
            if not 0 <= e.retry <= limits.RETRY_SECONDS or tries == limits.RETRIES:
                raise
            pause = max(e.retry, 1 << tries)
            tries += 1
            channel.emit("info", "[no answer yet, asking again in %d s]" % pause)
            await asyncio.sleep(pause)


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
    if platform.is_micropython() and platform.mem_free() < limits.CONDENSE_ROOM:
        request.later = why != "size" and not request.later  # when the answer is out there is more
        return False
    if request.condensed or session_id == request.session_id and request.turn() < turn:
        agent.memory.sessions.waiting = ()
        return False
    request.condensed = True
    return await late.call("compaction", "compact", agent, request, why, "", channel.emit)
