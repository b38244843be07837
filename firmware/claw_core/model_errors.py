"""What is said when a request to a model server fails, without the key; loaded when needed."""

from claw_core import http, model_http, zone
from claw_core.model import ModelError
from claw_memory import limits, platform

_KINDS = {
    "address": "config",
    "redirect": "config",
    "protocol": "reply",
    "size": "reply",
    "memory": "memory",
}
_TOO_LONG = ("context length", "context_length", "context window", "context size", "too long")


def redact(text, secret):
    """text without the words that hold secret or a good part of it."""
    if not secret:
        return text
    size = min(8, len(secret))
    parts = [secret[i : i + size] for i in range(len(secret) - size + 1)]
    words = []
    for word in text.split(" "):
        hit = any(part in word for part in parts)
        # servers quote keys as sk-ab***yz
        hit = hit or ("*" in word and word.strip(".,;:'\"").startswith(secret[:4]))
        words.append("****" if hit else word)
    return " ".join(words)


def explain(e, secret):
    """The ModelError for an HttpError."""
    # nothing usable has come when a whole request is given up
    retry = 1 if e.kind in ("reset", "cut") else -1
    return ModelError(redact(str(e), secret), _KINDS.get(e.kind, "unreachable"), retry)


def message_of(value):
    """The text of an error object, in any of the forms that servers use."""
    while isinstance(value, dict):
        inner = value.get("error") or value.get("message") or value.get("detail")
        value = inner if inner is not None else ""
    if isinstance(value, list):
        return message_of(value[0]) if value else ""
    return str(value)


def server_says(text, secret):
    """A server's message as part of a sentence: one line, cut, without the secret."""
    text = " ".join(redact(text, secret).split())
    text = "".join([c for c in text if c >= " "])
    if len(text) > limits.SERVER_CHARS:
        text = text[: limits.SERVER_CHARS] + "…"
    return text.rstrip(".")


def reported(value, secret):
    """The ModelError for an error that a server sends in the middle of a stream."""
    said = server_says(message_of(value), secret)
    return ModelError("The server reports an error: %s." % said, "status")


def too_long():
    """The ModelError for a stream with an event over limits.EVENT_BYTES, which is left out."""
    text = "A piece of the server's answer was longer than %d KB and is left out; ask for less."
    return ModelError(text % (limits.EVENT_BYTES // 1024))


def not_understood():
    """The ModelError for an answer in another format than the provider's."""
    return ModelError("The server's answer was not understood; check model.base_url.")


def not_streamed():
    """The ModelError for an answer in one piece that is over limits.PLAIN_BYTES."""
    text = "An answer that is not streamed was longer than %d bytes."
    return ModelError(text % limits.PLAIN_BYTES)


def web_page():
    """The ModelError for HTML."""
    return ModelError(
        "A web page came instead of an answer; check model.base_url, which often ends in /v1.",
        "config",
    )


async def status(url, response, secret):
    """Read an answer with an error status to its end; the ModelError for it."""
    try:
        data = await response.read_all(limits.ERROR_BYTES)
    except http.HttpError:
        data = b""
    await response.close()
    return refused(url, response, data, secret)


def refused(url, response, data, secret):
    """The ModelError for an answer with an error status; data: the start of its body."""
    value = model_http.parse(data)
    said = "" if value is None else server_says(message_of(value), secret)
    return _status(http.split_url(url)[1], response, said)


def _status(host, response, said):
    status = response.status
    what = "%s (HTTP %d%s)" % (host, status, ": " + said if said else "")
    if status in (401, 403):
        text = "The key was refused by %s; set it with /config set model.key."
        return ModelError(text % what, "auth")
    if status == 404:
        text = "No such model or path at %s; check model.base_url and model.name."
        return ModelError(text % what, "config")
    if status in (408, 409, 429) or status >= 500:
        text = "No answer now from %s; wait a little and try again."
        return ModelError(text % what, "busy", _pause(response.headers))
    low = said.lower()
    if status == 413 or any(mark in low for mark in _TOO_LONG):
        text = (
            "This is too long for %s; lower context.window or model.history_bytes, or use"
            " /session new."
        )
        return ModelError(text % what, "context")
    text = "The request was refused by %s; check model.name and model.base_url."
    return ModelError(text % what, "status")


def _pause(headers):
    # Seconds until a busy server wants to be asked again: a number, or a date (RFC 9110, 10.2.3).
    after = headers.get("retry-after", "")
    if after.isdigit():
        return int(after)
    then = _date(after)
    # the server's own clock first, since ours may be wrong
    now = _date(headers.get("date", "")) or platform.unix_time()
    return max(1, then - now) if then and now else 1


def _date(text):
    # Unix seconds of a date like "Sun, 06 Nov 1994 08:49:37 GMT" (RFC 9110, 5.6.7), else 0.
    words = text.replace(":", " ").split()
    try:
        month = "JanFebMarAprMayJunJulAugSepOctNovDec".index(words[2]) // 3 + 1
        day, year, hour, minute, second = [int(words[i]) for i in (1, 3, 4, 5, 6)]
    except (ValueError, IndexError):
        return 0
    return zone.unix(year, month, day) + hour * 3600 + minute * 60 + second
