"""The agent: takes events one at a time and turns each into an answer that is stored."""

import asyncio
import gc

from claw_core import asking, late
from claw_core.capability import CallContext
from claw_core.context import Request
from claw_core.events import Inbox
from claw_core.model import ModelError, Sink
from claw_core.provider import learns, make_room, quiet, settle, tidy
from claw_core.toolloop import ToolLoop, result
from claw_memory import limits
from claw_memory.errors import ClawError
from claw_memory.sessions import CALLS, FINAL, RESULT, USER
from claw_memory.text import cut
from micropython import const

_OTHERS = {"/setup": "setup", "/compact": "compaction"}  # commands with modules of their own
_NO_MEMORY = const(
    "There is not enough memory for this; /session new starts a shorter conversation."
)


class Agent:
    """One agent.

    provider, offline: see claw_core.model; offline answers when provider cannot. channels: list
    of objects with .name and .emit(kind, text), kinds being text, think, tool, note, error, info
    and done. Attributes: inbox (put events there), leaving (set it to end run()), busy,
    last_error (a sentence), started requests counted in request_id.
    """

    def __init__(self, memory, caps, provider, offline, channels, config):
        self.memory = memory
        self.caps = caps
        self.provider = provider
        self.offline = offline
        self.config = config
        self.inbox = Inbox()
        self.leaving = False
        self.busy = False
        self.last_error = ""
        self.request_id = 0
        self.extractor = None  # learns in the background through a provider that is a server
        self._channels = channels
        self._learning = self._task = None
        self.listed = ()  # ids of the memories that /memory listed last
        self._stopped = False
        self.away = False  # from a server, until the turn ends: see make_room
        self.tight = self.names = 0  # tight: a turn ran out of RAM, see provider.rest
        self.counted = None  # tokens of the session in use, see context.Counted
        self.window = 0  # tokens that a server takes, once it refused more; 0: not known
        self.paused = ("", 0)  # session and turn before which it is not condensed again
        # for answers; taken while the heap is in order, as there may be no such piece later
        self.buffer = bytearray(config.get("memory.max_message_chars"))
        memory.sessions.patience = limits.SESSION_MOST

    async def run(self):
        """Handle events until `leaving` is set."""
        idle = asyncio.create_task(quiet(self))
        self.connect(self.provider)
        try:
            while not self.leaving:
                event = await self.inbox.get()
                try:
                    await self.handle(event)
                except MemoryError:
                    gc.collect()
                    self._channel(event.channel).emit("done", "")
        finally:
            idle.cancel()
            self.connect(self.offline)

    def connect(self, provider):
        """Answer through provider from now on, and learn through it in the background."""
        if self.extractor is not None:
            self._learning.cancel()
            self.extractor.close()
            self.extractor = self._learning = None
        self.provider = provider
        self.window = 0
        online = provider is not self.offline and self.memory.longterm is not None
        if online and learns(self.config):
            from claw_core import extractor

            self.extractor = extractor.make(self)
            self._learning = asyncio.create_task(self.extractor.run())

    def interrupt(self):
        """Stop the reply that is on its way; what came is kept. False when there is none."""
        if self._task is None:
            return False
        self._stopped = True
        self._task.cancel()
        return True

    async def handle(self, event):
        """Answer one event on its channel; the channel always gets "done" at the end."""
        channel = self._channel(event.channel)
        self.busy = True
        self._stopped = False
        self._task = asyncio.create_task(self._one(event, channel))
        failed = ""
        try:
            try:
                await self._task
            except asyncio.CancelledError:
                if not self._stopped:
                    self._task.cancel()
                    raise
                channel.emit("info", "[stopped]")
            except MemoryError:
                failed = _NO_MEMORY
            except ClawError as e:
                failed = str(e)
            except Exception as e:
                failed = "This went wrong inside: %s %s" % (type(e).__name__, e)
            # A task that failed holds on to what it had in RAM: it goes before anything is said.
            self._task = None
            gc.collect()
            if failed:
                self.tight = self.tight or failed == _NO_MEMORY
                self.report(channel, failed)
        finally:
            self._task = None
            self.busy = False
            gc.collect()
            await settle(self)
            channel.emit("done", "")

    def report(self, channel, sentence):
        """Show an error, and keep it for /status; secrets of the config are masked."""
        try:
            self.last_error = self.config.redact(sentence)
        except MemoryError:
            self.last_error = _NO_MEMORY
        channel.emit("error", self.last_error)

    def _channel(self, name):
        for channel in self._channels:
            if channel.name == name:
                return channel
        return self._channels[0]

    async def _one(self, event, channel):
        if not event.text:
            return  # there is only something to do behind it
        if event.text.startswith("/"):
            module = _OTHERS.get(event.text.split()[0], "commands")
            await late.command(module, self, event, channel)
            return
        memory, session_id = event.place(self.memory, self.config)
        sessions = memory.sessions
        if len(event.text) > self.config.get("memory.max_message_chars"):
            channel.emit("info", late.once("stops").START)
        sessions.format = self.provider.backend
        self.request_id += 1
        turn = _Turn(self, memory, event, channel, session_id)
        sessions.persist(session_id, [(USER, event.text, None)])
        await turn.run()


class _Turn:
    """One user message and what it takes to answer it."""

    def __init__(self, agent, memory, event, channel, session_id):
        self._agent = agent
        self._memory = memory
        self._event = event
        self._channel = channel
        self._session_id = session_id
        self._sink = self._tools = self._request = None

    def _begin(self):
        agent, memory, event = self._agent, self._memory, self._event
        session_id, text = self._session_id, event.text
        turn = memory.sessions.turn_number(session_id)
        if agent.extractor is not None:
            agent.extractor.start(agent.request_id, session_id, text, turn, memory)
        of = session_id, agent.request_id, event.channel, event.chat_id
        context = CallContext(memory, agent.config, *of, self._channel.emit, turn)
        context.message = text
        self._tools = ToolLoop(agent.caps, context)
        self._request = Request(memory, agent.caps, agent.config, session_id, text)

    async def run(self):
        answered = False
        try:
            self._begin()  # the message is stored: whatever happens, there will be an answer
            text = await self._rounds()
            answered = True
        except asyncio.CancelledError:
            self._final(self._marked("stopped by the user"))
            await self._learned(False)
            raise
        except (ModelError, MemoryError) as e:
            gc.collect()
            self._agent.tight = self._agent.tight or getattr(e, "kind", "memory") == "memory"
            self._agent.report(self._channel, str(e) if isinstance(e, ModelError) else _NO_MEMORY)
            text = self._marked("no answer: " + self._agent.last_error)
        self._final(text)
        if answered:
            self._agent.memory.answered(self._session_id)
        note = self._agent.memory.stage.note(self._session_id, await self._learned(answered))
        if note:
            self._channel.emit("note", note)
        if self._request:
            await asking.afterwards(self._agent, self._request, self._channel)

    async def _learned(self, answered):
        # Labels of what the message itself had to teach, and of late news.
        agent = self._agent
        by_hand = agent.memory.stage.wrote_by_hand(agent.request_id)
        if agent.extractor is None:
            return ()
        return await agent.extractor.collect(agent.request_id, self._session_id, by_hand, answered)

    def _final(self, text):
        sessions = self._agent.memory.sessions
        self._sink = None
        gc.collect()
        try:
            sessions.persist(self._session_id, [(FINAL, text, None)], completed=True)
        except MemoryError:
            # better the start of the answer than a turn without an end
            text = cut(text, limits.SHORT_BYTES)
            gc.collect()
            sessions.persist(self._session_id, [(FINAL, text, None)], completed=True)
            self._channel.emit("info", "[for lack of memory only the start of this was stored]")

    def _marked(self, why):
        mark = "[%s]" % why[: limits.MARK_CHARS - 60]
        if self._sink is None or not self._sink.total:
            return mark
        try:
            return self._sink.kept(" ", mark)
        except MemoryError:
            return mark

    async def _rounds(self):
        # Return the text to store (str or UTF-8). When the provider fails, the offline model
        # takes over for the rest of the turn.
        agent = self._agent
        provider = agent.provider
        for round_number in range(limits.ROUNDS + 1):
            tidy(agent.memory)
            self._listen()
            # new records are marked with who wrote them
            agent.memory.sessions.format = provider.backend
            try:
                reply = await asking.ask(agent, provider, self._request, self._sink, self._channel)
            except ModelError as e:
                if provider is agent.offline:
                    raise
                agent.report(self._channel, str(e))
                provider = agent.offline
                agent.memory.sessions.format = provider.backend
                await make_room(agent)
                reply = await provider.ask(self._request, self._sink)
            if reply.text and not self._sink.total:
                self._sink.text(reply.text)
            if not reply.calls:
                return self._answer(reply)
            if round_number == limits.ROUNDS:
                break
            await self._call(reply)
            if self._tools.stuck:
                return self._say(self._tools.stuck)
        return self._say(late.once("stops").rounds())

    def _answer(self, reply):
        if reply.cut:
            self._agent.report(self._channel, reply.cut)
            return self._marked("cut: " + self._agent.last_error)
        return self._sink.kept() or self._say(late.once("stops").EMPTY)

    def _say(self, sentence):
        self._listen().text(sentence)
        return sentence

    def _listen(self):
        # An empty Sink, with room for a mark.
        buffer = self._agent.buffer
        self._sink = Sink(self._channel.emit, len(buffer) - limits.MARK_CHARS, buffer)
        return self._sink

    async def _call(self, reply):
        results = []
        try:
            await self._tools.run(reply.calls, results)
        finally:
            # Stored also when the user stopped the turn: every call must have its result.
            for call in reply.calls[len(results) :]:
                results.append(result(call[0], "not finished: stopped by the user", True))
            tidy(self._agent.memory)
            records = [(CALLS, None, reply.raw), (RESULT, None, results)]
            self._agent.memory.sessions.persist(self._session_id, records)
