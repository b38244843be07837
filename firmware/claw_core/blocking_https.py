"""A verified https POST with blocking sockets, for a thread; the frozen requests never verify."""

import socket

from claw_core import http, http_errors
from claw_memory import limits


def post(url, headers, body, tls):
    """Send body (bytes) and return (status, bytes of the answer's body).

    tls: see claw_core.tls. Each wait ends after limits.EXTRACT_GAP_SECONDS. Raises HttpError.
    """
    _, host, port, path = http.split_url(url)
    at = "%s:%d" % (host, port)
    head = "POST %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n" % (path, at)
    head += "".join(["%s: %s\r\n" % pair for pair in headers])
    head += "Content-Length: %d\r\n\r\n" % len(body)
    link = safe = None
    try:
        family, kind, proto, _, where = socket.getaddrinfo(host, port, 0, socket.SOCK_STREAM)[0]
        link = socket.socket(family, kind, proto)
        link.settimeout(limits.EXTRACT_GAP_SECONDS)
        link.connect(where)
        safe = tls(host).wrap_socket(link, server_hostname=host)
        _write(safe, head.encode() + body)
        return _answer(_read(safe, at), at)
    except (OSError, ValueError) as e:
        raise http_errors.failed(at, 0, e)
    finally:
        for each in (safe, link):
            if each is not None:
                each.close()


def _write(link, data):
    sent = 0
    while sent < len(data):
        sent += link.write(data[sent : sent + limits.HTTP_PIECE])


def _read(link, at):
    data = bytearray()
    while True:
        piece = link.read(limits.HTTP_PIECE)
        if not piece:
            return bytes(data)
        data.extend(piece)
        if len(data) > limits.PLAIN_BYTES:
            raise http_errors.size(at, 200)


def _answer(data, at):
    head, mark, body = data.partition(b"\r\n\r\n")
    lines = head.split(b"\r\n")
    status = lines[0].split()
    if not mark or lines[0][:7] != b"HTTP/1." or len(status) < 2 or not status[1].isdigit():
        raise http_errors.gone(at, 0)
    low = head.lower()
    if b"\r\ntransfer-encoding:" in low and b"chunked" in low:
        body = _joined(body, at)
    return int(status[1]), body


def _joined(data, at):
    parts = []
    while True:
        line, _, data = data.partition(b"\r\n")
        try:
            size = int(line.split(b";")[0], 16)
        except ValueError:
            raise http_errors.gone(at, 200)
        if not size:
            return b"".join(parts)
        parts.append(data[:size])
        data = data[size + 2 :]
