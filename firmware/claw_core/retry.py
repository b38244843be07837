"""What can be done when a model gave no answer: ask with less, or once more after a pause."""

import asyncio
import gc

from claw_core import asking
from claw_memory import limits


async def prepared(agent, request, sink, channel, e, tries):
    """Do what may help after e (ModelError or MemoryError); the tries of asking.ask() so far.

    Raises e when nothing does.
    """
    if isinstance(e, MemoryError):
        if tries or sink.total:
            raise e
        shorten(request)
        gc.collect()
        return tries + 1
    if e.kind == "context" and await asking.condensed(agent, request, e.kind, channel):
        return tries
    if e.kind in ("context", "memory") and shorten(request):
        gc.collect()
        channel.emit("info", "[asking again with a shorter history]")
        return tries
    if not 0 <= e.retry <= limits.RETRY_SECONDS or tries == limits.RETRIES:
        raise e
    pause = max(e.retry, 1 << tries)
    channel.emit("info", "[no answer yet, asking again in %d s]" % pause)
    await asyncio.sleep(pause)
    return tries + 1


def shorten(request):
    """Leave out more than half of the history; False the second time, or when it is short."""
    if request.short:
        return False
    request.short = True
    before = request.first
    while request.first == before and request.budget > limits.HISTORY_LEAST:
        request.budget //= 2
        request.first = request.start()
    if request.first == before:
        return False
    # once must do, so not merely as little as was found to help
    request.budget //= 2
    request.first = request.start()
    return True
