"""What is said when an exchange over HTTP fails. Each function makes the HttpError of one cause.

at: host and port. status: that of the answer, 0 while none has begun.
"""

import errno

from claw_core.http import HttpError
from claw_memory import limits

_EPIPE = 32
_ENOMEM = 12


def gone(at, status):
    """The connection ended too early."""
    if status:
        return HttpError("%s broke off in the middle of its answer." % at, "cut")
    text = "%s closed the connection without an answer; check that a server runs there."
    return HttpError(text % at, "reset")


def timeout(at, status, doing, seconds, left):
    """A deadline passed: that of a step in seconds, or left seconds of the whole exchange."""
    if left <= seconds:
        doing, seconds = "did not finish", limits.TOTAL_SECONDS
    text = "%s %s within %d seconds; check the server and the network, or try again."
    return HttpError(text % (at, doing, seconds), "timeout")


def failed(at, status, e):
    """An OSError of the socket, or the ValueError with which MicroPython's TLS fails."""
    if not isinstance(e, OSError):
        return HttpError("No safe connection to %s: %s." % (at, e), "tls")
    code = e.errno
    if not isinstance(code, int) or code < 0 or type(e).__name__ == "gaierror":
        text = "The name of %s cannot be looked up; check the address and the network."
        return HttpError(text % at, "dns")
    if code == errno.ECONNREFUSED:
        text = "Nothing answers at %s (refused); start the server or check the address."
        return HttpError(text % at, "refused")
    if code == _ENOMEM:
        return HttpError("Not enough memory for a connection to %s." % at, "memory")
    if code in (errno.ECONNRESET, errno.ECONNABORTED, errno.ENOTCONN, _EPIPE):
        return gone(at, status)
    return HttpError("No way to %s (error %d); check the network." % (at, code), "network")


def protocol(at, status, what):
    """The other side does not speak HTTP, or not as it should."""
    text = "%s does not speak HTTP as expected (%s); check the address and the port."
    return HttpError(text % (at, what), "protocol")


def size(at, status):
    """The body is over the cap."""
    text = "The answer of %s was longer than %d bytes and was cut there."
    return HttpError(text % (at, limits.BODY_BYTES), "size")


def redirect(at, status, where):
    """Not followed: the key must not go elsewhere."""
    text = "%s redirects to another address, which is not followed; set that address: %s"
    return HttpError(text % (at, where[:200] or "(it names none)"), "redirect")
