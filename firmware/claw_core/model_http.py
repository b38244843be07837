"""What all providers over HTTP share: one request, and every failure as a ModelError."""

import json

from claw_core import http
from claw_memory import jsonio, limits


def parse(data):
    """The JSON value of data (bytes), or None when it is none. Commas are not checked."""
    try:
        # MicroPython's parser is much faster, but mistakes surrogate pairs.
        return jsonio.loads(data) if b"\\u" in data else json.loads(data)
    except (ValueError, RuntimeError):
        return None


def explain(e, secret):
    """The ModelError for an HttpError."""
    from claw_core import model_errors

    return model_errors.explain(e, secret)


async def post(url, headers, body, secret, first=0, tls=None):
    """Send body and return the Response of a success; any other answer is a ModelError."""
    try:
        response = await http.post(url, headers, body, first, tls)
    except http.HttpError as e:
        raise explain(e, secret)
    if 200 <= response.status < 300:
        return response
    try:
        data = await response.read_all(limits.ERROR_BYTES)
    except http.HttpError:
        data = b""
    await response.close()
    from claw_core import model_errors

    raise model_errors.refused(url, response, data, secret)
