"""Learns in the background: asks a model for the facts of each message, and applies its answer.

One job at a time; up to limits.EXTRACT_QUEUE wait. Every job ends with one line in the digest
log: `extract`, the request, and what became of it.
"""

import asyncio
import gc

from micropython import const

from claw_core import provider
from claw_memory import limits, platform
from claw_memory.errors import ClawError

_WAITING = const(0)
_RUNNING = const(1)
_READY = const(2)  # the answer is there and not applied yet
_OVER = const(3)


class _Job:
    def __init__(self, request_id, session_id, text, turn, memory):
        self.memory = memory  # as the writer of the message sees it
        self.request_id = request_id
        self.session_id = session_id
        self.turn = turn  # number of the message in its session
        self.text = text
        self.state = _WAITING
        self.answer = ""
        self.offered = ()  # ids of the memories that the model was shown
        self.late = False  # its turn is over: apply it when it arrives


def make(agent):
    """The Extractor of an agent that answers through a server."""
    from claw_core import extract_thread

    config = agent.config

    def failed(sentence):
        agent.last_error = config.redact(sentence)

    asked = provider.make(config, agent.offline, failed, config.get("extract.model"))
    return Extractor(agent.memory, config, extract_thread.asker(asked), failed)


class Extractor:
    """The background learning of one agent.

    memory, config: as the agent's. ask: coroutine function (ExtractRequest) -> answer text that
    raises an exception for no answer. failed(sentence) is told why a job failed. run() must be
    running as a task.
    """

    def __init__(self, memory, config, ask, failed):
        self._memory = memory
        self._config = config
        self._ask = ask
        self._failed = failed
        self._jobs = []
        self._news = asyncio.Event()  # something to do for run()
        self._ended = asyncio.Event()  # a job has its answer
        self._held = False
        self._late = []  # (session id, label) of facts that came after their turn

    def waiting(self):
        """Number of jobs that are not over."""
        return len(self._jobs)

    def start(self, request_id, session_id, text, turn, memory):
        """Queue the message of a request; dropped, with a digest line, when the queue is full.

        turn: its number in the session. memory: the Memory as its writer sees it.
        """
        if not provider.learns(self._config):
            return
        if len(self._jobs) > limits.EXTRACT_QUEUE:  # one of them is in flight
            self._log(request_id, "dropped, too many waiting")
            return
        # Where RAM is short one connection at a time must do: the answer of the turn comes first.
        tight = platform.mem_size() < limits.ROOMY_HEAP
        self._held = tight or self._config.get("net.single_connection")
        self._jobs.append(_Job(request_id, session_id, text, turn, memory))
        self._news.set()

    async def collect(self, request_id, session_id, by_hand, wait):
        """Labels of what was learned for the stage note of a request, and of late earlier news.

        The answer of the turn is out: jobs that waited for that begin.

        by_hand: a tool of the request wrote memory itself, so what was extracted is dropped.
        wait: False for a turn that failed: its job is applied when it arrives. Waits for the
        answer up to extract.deadline seconds.
        """
        self._held = False
        self._news.set()
        job = self._job(request_id)
        if job is not None:
            if by_hand:
                self._end(job, "dropped, written by hand")
            elif wait:
                await self._until_ready(job)
            if job.state == _READY:
                self._apply(job)
            job.late = True
        labels = [label for session, label in self._late if session == session_id]
        self._late = [pair for pair in self._late if pair[0] != session_id]
        return labels

    async def _until_ready(self, job):
        start = platform.ticks_ms()
        deadline = self._config.get("extract.deadline") * 1000
        while job.state < _READY:
            left = deadline - platform.ticks_diff(platform.ticks_ms(), start)
            if left <= 0:
                return
            self._ended.clear()
            try:
                await asyncio.wait_for(self._ended.wait(), left / 1000)
            except asyncio.TimeoutError:
                return

    def ask(self, request):
        """Coroutine: the answer text to a question about facts; raises when there is none."""
        return self._ask(request)

    def close(self):
        """Drop what waits, each with its digest line; run() is to be cancelled before."""
        for job in list(self._jobs):
            self._end(job, "dropped, the chat ended")
        # a task that has ended can stay in RAM, and with it this object, but not the provider
        self._ask = None

    async def run(self):
        """Work through the jobs, for ever."""
        while True:
            self._news.clear()
            job = self._next()
            if job is None:
                await self._news.wait()
                continue
            try:
                await self._work(job)
            except Exception as e:
                gc.collect()
                self._crashed(job, e)
            if provider.short():
                # their place is needed for the next answer
                provider.unload("extract_prompt extract_grounds")
            self._ended.set()

    def _next(self):
        for job in self._jobs:
            if job.state == _WAITING and not self._held:
                return job
        return None

    async def _work(self, job):
        from claw_core.extract_prompt import ExtractRequest
        from claw_memory import likeness

        job.state = _RUNNING
        gc.collect()
        longterm = job.memory.longterm
        near = likeness.find(longterm, job.text, limits.EXTRACT_NEAR)
        job.offered = [item.id for item in near]
        request = ExtractRequest(longterm.catalog(), near, job.text, limits.EXTRACT_TOKENS)
        near = ExtractRequest = likeness = None
        answer = await self._ask(request)
        if job.state == _RUNNING:  # not ended by hand in the meantime
            job.answer = answer
            job.state = _READY
            if job.late:
                self._apply(job)

    def _crashed(self, job, e):
        why = str(e) or type(e).__name__
        try:
            self._failed("Nothing was learned from a message: " + why)
            if job.state != _OVER:
                self._end(job, "failed, " + type(e).__name__)
        except MemoryError:  # learning goes on with the next message
            job.state = _OVER
            self._jobs = [other for other in self._jobs if other is not job]

    def _apply(self, job):
        from claw_memory import extract

        intent, candidates = extract.parse(job.answer)
        if candidates:
            from claw_core import extract_grounds

            candidates = extract_grounds.kept(job.text, candidates)
        try:
            labels = extract.apply(
                job.memory,
                job.session_id,
                intent,
                candidates,
                job.offered,
                (job.turn, job.text),
            )
        except ClawError as e:
            self._failed(str(e))
            self._end(job, "failed, " + e.code)
            return
        self._late += [(job.session_id, label) for label in labels]
        del self._late[: -limits.LATE_LABELS]
        self._end(job, "%s, %d labels" % (intent, len(labels)))

    def _job(self, request_id):
        for job in self._jobs:
            if job.request_id == request_id:
                return job
        return None

    def _end(self, job, how):
        job.state = _OVER
        if job in self._jobs:
            self._jobs.remove(job)
        self._log(job.request_id, how)

    def _log(self, request_id, how):
        self._memory.longterm.log("extract", "request-%d" % request_id, how)
