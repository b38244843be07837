"""What is said when an exchange over HTTP fails. Each function makes the HttpError of one cause.

at: host and port. status: that of the answer, 0 while none has begun.
"""

import errno

from claw_core.http import HttpError
from claw_memory import limits

_EPIPE = 32
_ENOMEM = 12
# mbedTLS errors come as OSError with the negative code of mbedtls/ssl.h, x509.h and so on
_TLS_MEMORY = (-0x7F00, -0x2880, -0x008D, -0x0010)
_TLS_LEAST = -0x7F80
_TLS_MOST = -0x1000
_TLS_EOF = -0x7280
# what both runtimes say, in lower case, and what it means
_TLS_CAUSES = (
    (("common name", "mismatch"), "the certificate is for another name; check model.base_url"),
    (("expired",), "its certificate has expired; the server's owner must renew it"),
    (("future", "not yet valid"), "its certificate is not valid yet; check the clock"),
    (
        ("trusted ca", "issuer", "self-signed", "self signed"),
        "no CA file on the board vouches for it; install the right one with tools/flash.py",
    ),
    (
        ("-29312", "-29184", "wrong version", "record", "eof", "late"),
        "the server may speak http only; check whether model.base_url begins with http or https",
    ),
    (("memory", "alloc"), "not enough memory for TLS; /session new starts a shorter conversation"),
)


# what the other side did not do in time
_LATE = {
    "name": "was not found: no name server answered",
    "connect": "did not accept a connection",
    "send": "did not take the request",
    "first": "did not begin to answer",
    "more": "sent nothing more",
}
# what is not as HTTP wants it
_ODD = {
    "start": "its answer does not start with HTTP/1.1",
    "line": "a line of its head is too long",
    "head": "its head is too long",
    "chunk": "a chunk has no length",
}


def address(name):
    """The URL cannot be used; name: its host when all is well but the port."""
    if name:
        return HttpError("The port in the address of %s is no valid number." % name, "address")
    return HttpError("The address must look like http://host:port/path.", "address")


def no_tls(host):
    """Nobody offers TLS."""
    return HttpError("https to %s is not available; use http." % host, "address")


def changed():
    """The body has another length than when it was added up."""
    return HttpError("The request changed while it was sent; try again.", "protocol")


def gone(at, status):
    """The connection ended too early."""
    if status:
        return HttpError("%s broke off in the middle of its answer." % at, "cut")
    text = "%s closed the connection without an answer; check that a server runs there."
    return HttpError(text % at, "reset")


def timeout(at, status, doing, seconds, left):
    """A deadline passed: that of a step in seconds, or left seconds of the whole exchange.

    doing: what, see _LATE; "tls" is the start of TLS.
    """
    if doing == "tls":
        return tls(at, "late")
    late = _LATE[doing]
    if left <= seconds:
        late, seconds = "did not finish", limits.TOTAL_SECONDS
    text = "%s %s within %d seconds; check the server and the network, or try again."
    return HttpError(text % (at, late, seconds), "timeout")


def failed(at, status, e):
    """An OSError of the socket, or the ValueError with which MicroPython's TLS fails."""
    if status and (e.errno == _TLS_EOF if isinstance(e, OSError) else "eof" in str(e).lower()):
        return gone(at, status)
    if not isinstance(e, OSError) or "SSL" in type(e).__name__:
        return tls(at, str(e))
    code = e.errno
    if code in _TLS_MEMORY:
        code = _ENOMEM
    elif isinstance(code, int) and _TLS_LEAST <= code <= _TLS_MOST:
        return tls(at, "error %d" % code)
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


def tls(at, said):
    """TLS failed; said: how the runtime puts it."""
    low = said.lower()
    for marks, cause in _TLS_CAUSES:
        if any([mark in low for mark in marks]):
            kind = "memory" if "memory" in cause else "tls"
            return HttpError("No safe connection to %s: %s." % (at, cause), kind)
    said = " ".join(said.split())[:100]
    return HttpError("No safe connection to %s (%s); check model.base_url." % (at, said), "tls")


def protocol(at, status, what):
    """The other side does not speak HTTP, or not as it should."""
    text = "%s does not speak HTTP as expected (%s); check the address and the port."
    return HttpError(text % (at, _ODD[what]), "protocol")


def size(at, status):
    """The body is over the cap."""
    text = "The answer of %s was longer than %d bytes and was cut there."
    return HttpError(text % (at, limits.BODY_BYTES), "size")


def redirect(at, status, where):
    """Not followed: the key must not go elsewhere."""
    text = "%s redirects to another address, which is not followed; set that address: %s"
    return HttpError(text % (at, where[:200] or "(it names none)"), "redirect")
