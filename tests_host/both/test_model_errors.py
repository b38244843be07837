"""Answers with an error status: when to ask again, and what is said."""

from claw_core import model_errors
from claw_memory import platform

_URL = "https://model.example/v1"
_DATE = "Sun, 29 Nov 2026 21:00:%02d GMT"
_AT_21 = 1795986000


class Response:
    """What refused() looks at."""

    def __init__(self, status, **headers):
        self.status = status
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}


def retry(status=429, **headers):
    e = model_errors.refused(_URL, Response(status, **headers), b'{"error":"slow down"}', "")
    assert e.kind == "busy" and "model.example" in str(e) and "slow down" in str(e)
    return e.retry


def test_a_server_says_when_to_ask_again():
    assert retry() == retry(503) == 1
    assert retry(retry_after="7") == 7
    assert retry(retry_after="soon") == retry(retry_after="-3") == 1
    # a date is held against the server's own clock, or else against ours
    assert retry(retry_after=_DATE % 12, date=_DATE % 2) == 10
    assert retry(retry_after=_DATE % 2, date=_DATE % 12) == 1
    true = platform.unix_time
    platform.unix_time = lambda: _AT_21
    assert retry(529, retry_after=_DATE % 12) == 12
    platform.unix_time = lambda: 0
    assert retry(retry_after=_DATE % 12) == 1
    platform.unix_time = true
    assert retry(retry_after="Sun, 29 Foo 2026 21:00:00 GMT", date=_DATE % 1) == 1


def test_a_conversation_that_is_too_long_names_what_to_do():
    said = b'{"error":{"message":"maximum context length is 4096 tokens"}}'
    e = model_errors.refused(_URL, Response(400), said, "")
    assert e.kind == "context" and "model.history_bytes" in str(e) and "/session new" in str(e)
