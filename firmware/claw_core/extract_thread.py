"""How the background question reaches the model: in a thread, or between the awaits of the loop.

Threads need a GIL, which the unix build of MicroPython lacks: there the provider's own streaming
client asks. This is the one place that chooses.
"""

import asyncio

from claw_core import background, model_http
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
    """One question at a time, each in a thread of its own."""

    def __init__(self, provider):
        self._provider = provider
        self._running = False

    async def ask(self, request):
        """The answer text; raises ModelError, OSError or asyncio.TimeoutError."""
        while self._running:
            # an earlier question was given up, but its socket has not timed out yet
            await asyncio.sleep_ms(200)
        body = b"".join(self._provider.body(request))

        def work():
            self._running = True
            try:
                return _send(self._provider, body)
            finally:
                self._running = False

        seconds = limits.EXTRACT_SECONDS
        return self._read(*await background.call(work, seconds, limits.THREAD_STACK))

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
