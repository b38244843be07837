"""How the background question reaches the model: in a thread, or between the awaits of the loop.

Threads need a GIL, which the unix build of MicroPython lacks: there the provider's own streaming
client asks. This is the one place that chooses.
"""

import asyncio

from claw_core import model_http
from claw_core.model import ModelError, Sink
from claw_memory import limits, platform


def asker(provider):
    """The coroutine function (request) -> answer text that asks provider."""
    if platform.gil_threads():
        return _Threaded(provider).ask

    async def ask(request):
        sink = _quiet()
        return _text(await provider.ask(request, sink), sink)

    return ask


def _quiet():
    return Sink(lambda kind, text: None, limits.EXTRACT_CHARS)


def _text(reply, sink):
    if reply.calls or reply.cut:
        raise ModelError("The model did not answer the question about facts.")
    return str(sink.kept(), "utf-8") or reply.text


class _Threaded:
    """One thread per question; it shares nothing but one slot under a lock, and sets a flag."""

    def __init__(self, provider):
        import _thread

        self._provider = provider
        self._thread = _thread
        self._lock = _thread.allocate_lock()
        self._flag = asyncio.ThreadSafeFlag()
        self._running = False
        self._result = None

    async def ask(self, request):
        """The answer text; raises ModelError or OSError."""
        while True:
            with self._lock:
                if not self._running:
                    break
            # an earlier question was given up, but its socket has not timed out yet
            await asyncio.sleep_ms(200)
        provider = self._provider
        body = b"".join(provider.body(request))
        self._running = True
        self._result = None
        old = self._thread.stack_size(limits.THREAD_STACK)
        try:
            self._thread.start_new_thread(self._work, (body,))
        except BaseException:
            self._running = False
            raise
        finally:
            self._thread.stack_size(old)
        body = None
        while True:
            await asyncio.wait_for(self._flag.wait(), limits.EXTRACT_SECONDS)
            with self._lock:
                if not self._running:
                    status, data = self._result
                    self._result = None
                    break
        if isinstance(data, Exception):
            raise data
        return self._read(status, data)

    def _read(self, status, data):
        from claw_core import model_errors

        provider = self._provider
        if not 200 <= status < 300:
            said = model_errors.message_of(model_http.parse(data))
            said = model_errors.server_says(said, provider.key)
            raise ModelError("HTTP %d: %s" % (status, said), "status")
        sink = _quiet()
        answer = provider.answer(sink)
        answer.take(data)
        return _text(answer.reply(""), sink)

    def _work(self, body):
        # Runs in the thread. The loop is woken by the flag and by nothing else.
        try:
            result = _send(self._provider, body)
        except Exception as e:
            result = (0, e)
        with self._lock:
            self._result = result
            self._running = False
        self._flag.set()


def _send(provider, body):
    """POST body with blocking sockets; (status, bytes of the answer)."""
    if provider.url.startswith("https:"):
        from claw_core import blocking_https

        return blocking_https.post(provider.url, provider.headers(), body, provider.tls)
    import urequests

    answer = urequests.post(
        provider.url,
        data=body,
        headers=dict(provider.headers()),
        timeout=limits.EXTRACT_GAP_SECONDS,
    )
    try:
        return answer.status_code, answer.content
    finally:
        answer.close()
