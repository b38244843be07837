"""Makes a conversation smaller, whatever the reason; the one way in which turns leave prompts.

In this order: old tool records go, as with ESP-Claw; if that is not enough, facts are extracted
from the oldest turns, these become a summary, and they themselves go into the archive.
"""

import asyncio
import gc

from claw_core.context import Request
from claw_core.model import ModelError
from claw_memory import limits, platform
from claw_memory.errors import ClawError
from micropython import const

_HELPERS = const("summary flush unsaid budget")
_PARTS = const("session_condense session_compact session_archive session_state")
_KEPT = const("the conversation stays as it is")
_NOBODY = const("no model server writes a summary")
_NO_ROOM = const("there is not enough memory; /session new starts a shorter one")
_LITTLE = const("a summary would make it hardly smaller")
_GAIN = const(10)  # a summary is worth a request when it saves one part in so many


async def run(agent, event, channel):
    """The command /compact [focus]."""
    memory, session_id = event.place(agent.memory, agent.config)
    if memory.scope and memory.scope.user:
        channel.emit("error", "/compact is the owner's.")
        return
    request = Request(memory, agent.caps, agent.config, session_id, "")
    focus = event.text.partition(" ")[2].strip()
    await compact(agent, request, "asked", focus, channel.emit)


async def compact(agent, request, why, focus="", emit=None):
    """Make the session of request (a context.Request) smaller; True when that was done.

    why: "size" of the session's file, "budget" of a prompt, "context" refused by the server, or
    "asked". focus: what the summary shall dwell on. emit(kind, text) shows a line about it.
    Nothing is changed when this is cancelled or fails, but for facts that were learned.
    """
    agent.memory.sessions.waiting = ()
    error = None
    job = _Job(agent, request, why, focus, emit or _mute)
    try:
        return await job.run()
    except MemoryError:
        error = MemoryError()  # the one that was raised holds on to frames
    except (ModelError, ClawError, OSError, asyncio.TimeoutError) as e:
        error = e
    finally:
        job.change = None
        platform.unload("claw_core", _HELPERS)
        platform.unload("claw_memory", "outdated")
        platform.unload("claw_memory", _PARTS)
        gc.collect()
    # what there is to say takes RAM as well
    job.failed(error)
    return False


def _mute(kind, text):
    pass


class _Job:
    def __init__(self, agent, request, why, focus, emit):
        self._agent = agent
        self._request = request
        self._why = why
        self._focus = focus
        self._emit = emit
        self._start = platform.ticks_ms()
        self.change = None

    async def run(self):
        from claw_memory import session_condense

        agent, request = self._agent, self._request
        change = self.change = request.memory.sessions.condensing(request.session_id)
        old = change.log.size
        room = self._room(old)
        if self._why != "asked" and change.plan.bytes <= min(old - 1, room - room // 4):
            # ESP-Claw's rule is enough
            change.tidy()
            self._tell("old tool results left the conversation", old)
            return True
        if agent.provider is agent.offline or not agent.config.get("context.summarise"):
            self._without(_NOBODY)
            return False
        asked = self._why == "asked"
        keep = limits.COMPACT_TURNS if asked else 1
        first = change.cut(0 if asked else room // limits.CONTEXT_PART, keep)
        if not first:
            if asked:
                self._emit("info", "[there is nothing to condense yet]")
            return False
        if self._little(old, change.size(first, session_condense.record(""))):
            return False
        last = change.number(first)
        if not await self._flushed(change, first, last):
            return False
        return await self._summarised(change, first, last, old, room)

    def _room(self, old):
        # Bytes that the session may take, so that both limits of a prompt hold.
        request = self._request
        if self._why == "size":
            return limits.SESSION_BYTES
        if self._why == "context":
            # the window is smaller than it was said to be
            if request.used > request.fixed:
                self._agent.window = max(limits.WINDOW_LEAST, request.used * 3 // 4)
        if not request.used:
            request.fit(self._agent)
        tokens = max(0, (self._agent.window or request.window) - request.fixed)
        counted = self._agent.counted
        whole = counted.tokens(request.memory.sessions, request.session_id) if counted else 0
        if whole > tokens:
            return min(request.budget, old * tokens // whole)
        return min(request.budget, old - 1 if self._why == "context" else old)

    async def _flushed(self, change, first, last):
        # Facts of the turns that are about to leave; True when they may.
        from claw_core import flush

        state = change.state
        start = state.dropped if state.flushed is None else state.flushed + 1
        try:
            job = flush.flush(self._agent, self._request, change, start, first)
            learned = await self.within(job)
        except (ModelError, OSError, asyncio.TimeoutError) as e:
            state.tries += 1
            gave_up = state.tries >= limits.FLUSH_TRIES and self._why in ("budget", "context")
            if gave_up:
                state.tries = 0
                state.start = max(state.start, last)
            change.save()
            self.failed(e)
            if gave_up:
                what = "[turns up to %d stay out of prompts now, and in the session]"
                self._emit("info", what % last)
            return False
        if learned:
            state.flushed = last - 1
        state.tries = 0
        return True

    async def _summarised(self, change, first, last, old, room):
        from claw_core import summary, unsaid
        from claw_memory import session_condense

        most = min(limits.SUMMARY_CHARS, max(limits.SHORT_BYTES, room // 8))
        job = summary.Summary(
            self._agent,
            self._request,
            change,
            self._focus,
            most,
            self._outdated(),
            unsaid.Unsaid(self._request.memory.longterm, self._request.session_id),
        )
        try:
            words = await job.make(first, self.within)
        except (ModelError, MemoryError, OSError, asyncio.TimeoutError):
            change.save()  # what was learned need not be learned again
            raise
        head = session_condense.record(words)
        new = change.size(first, head)
        if self._little(old, new) or self._why == "size" and new > limits.SESSION_BYTES:
            change.save()
            return False
        turns = last - change.state.dropped
        change.write(first, head, self._gone())
        self._tell("%d turn%s became a summary" % (turns, "" if turns == 1 else "s"), old)
        return True

    def _little(self, old, new):
        # True, and said, when it is not worth it that old bytes become new ones. A server that
        # refuses the length leaves no choice.
        if self._why == "context" or new <= old - old // _GAIN:
            return False
        self._without(_LITTLE)
        return True

    def _outdated(self):
        # What of the conversation is no longer so: functions that tell for a text.
        longterm = self._request.memory.longterm
        if longterm is None:
            return ()
        from claw_memory import outdated

        return [f for f in (outdated.superseded(longterm), outdated.gone(longterm)) if f]

    def _gone(self):
        longterm = self._request.memory.longterm
        if longterm is None:
            return None
        from claw_memory import outdated

        return outdated.gone(longterm, False, self._request.session_id)

    async def within(self, job):
        """What job (a coroutine) returns; asyncio.TimeoutError when all takes too long."""
        spent = platform.ticks_diff(platform.ticks_ms(), self._start) / 1000
        return await asyncio.wait_for(job, max(0.001, limits.COMPACT_SECONDS - spent))

    def failed(self, e):
        """Say why nothing became smaller, and leave the session alone for some turns."""
        late = isinstance(e, asyncio.TimeoutError)
        why = "it took too long" if late else str(e)
        if isinstance(e, MemoryError):
            why = _NO_ROOM
        self._agent.last_error = self._agent.config.redact(why)
        self._without(self._agent.last_error.rstrip("."))

    def _without(self, why):
        request = self._request
        again = self._agent.paused[0] == request.session_id
        self._agent.paused = (request.session_id, request.turn() + limits.COMPACT_PAUSE)
        if self._why == "asked" or not (why == _NOBODY or again and why == _NO_ROOM):
            self._emit("info", "[not condensed, %s: %s]" % (_KEPT, why))

    def _tell(self, what, old):
        new = self.change.log.size
        self._emit("info", "[%s: %s are now %s]" % (what, _size(old), _size(new)))


def _size(size):
    tenths = (10 * size + 512) // 1024
    return "%d.%d KB" % (tenths // 10, tenths % 10)
