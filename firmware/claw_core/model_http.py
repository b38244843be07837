"""What all providers over HTTP share: one request, its answer, every failure as a ModelError."""

import json

from claw_core import http, sse
from claw_core.model import ModelError
from claw_memory import jsonio, limits
from micropython import const

_PIECE = const(512)  # bytes of text that are escaped at once


def parse(data):
    """The JSON value of data (bytes), or None when it is none. Commas are not checked."""
    try:
        # MicroPython's parser is much faster, but mistakes surrogate pairs.
        return jsonio.loads(data) if b"\\u" in data else json.loads(data)
    except (ValueError, RuntimeError):
        return None


def errors():
    """The module with what is said when a request fails."""
    from claw_core import model_errors

    return model_errors


async def post(url, headers, body, secret, first=0, tls=None):
    """Send body and return the Response of a success; any other answer is a ModelError."""
    try:
        response = await http.post(url, headers, body, first, tls)
    except http.HttpError as e:
        raise errors().explain(e, secret)
    if 200 <= response.status < 300:
        return response
    raise await errors().status(url, response, secret)


def quoted(parts):
    """Yield one JSON string literal (bytes) of the texts in parts, a little at a time."""
    yield b'"'
    for part in parts:
        part = part.encode()
        for start in range(0, len(part), _PIECE):
            yield jsonio.literal_bytes(part[start : start + _PIECE])[1:-1]
    yield b'"'


async def receive(response, answer, sink, secret):
    """Read an answer to its end and return answer.reply(why it was cut, or "").

    answer: object with take(data) for the data of each event, or for a whole body that was not
    streamed, which returns False when data is no JSON object; with finish and done as it goes,
    and calls, which are dropped when the answer breaks off. Raises ModelError when nothing usable
    came.
    """
    cut = ""
    try:
        piece = b" "
        while piece and not piece.strip():
            piece = await response.read()
        piece = piece.lstrip()
        if piece[:1] == b"{":
            response.first = 0
            piece += await response.read_all(limits.PLAIN_BYTES)
            if len(piece) > limits.PLAIN_BYTES:
                raise errors().not_streamed()
            answer.take(piece)
        elif piece[:1] == b"<":
            raise errors().web_page()
        else:
            odd = await _stream(response, piece, answer)
            if odd and not (sink.total or answer.calls):
                raise errors().not_understood()
            if not (response.framed or answer.finish or answer.done):
                raise response.error("gone")
    except (http.HttpError, ModelError) as e:
        if isinstance(e, http.HttpError):
            if answer.finish:
                return answer.reply("")
            e = errors().explain(e, secret)
        if not sink.total:
            raise e
        cut = str(e)
        answer.calls = []
    return answer.reply(cut)


async def _stream(response, piece, answer):
    # How many events were no JSON objects.
    events = sse.Events()
    odd = 0
    while piece and not answer.done:
        for data in events.feed(piece):
            response.first = 0
            odd += answer.take(data) is False
        if answer.finish:
            # Only usage can follow, and some servers never close.
            response.gap = limits.LAST_SECONDS
        if not answer.done:
            piece = await response.read()
    data = events.finish()
    if data is not None:
        odd += answer.take(data) is False
    if events.skipped:
        raise errors().too_long()
    return odd


def safe_name(name):
    """A tool's name as a model wrote it, as APIs take it back."""
    good = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"
    return "".join([c if c in good else "_" for c in name[:64]]) or "unnamed"
