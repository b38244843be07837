"""A streaming HTTP/1.1 client over asyncio: one POST per connection, a deadline for every wait."""

import asyncio
import errno
import gc
import socket
import sys

from claw_memory import limits, platform

# MicroPython's asyncio imports these at each connection, and would search the flash for them.
sys.modules["errno"] = errno
sys.modules["socket"] = socket


class HttpError(Exception):
    """The exchange failed; the text is one sentence with the host, the cause and what to do.

    kind: "address" (the URL), "dns", "network", "refused", "reset", "timeout", "cut" (the answer
    broke off), "size", "protocol", "redirect", "tls" or "memory".
    """

    def __init__(self, sentence, kind):
        super().__init__(sentence)
        self.kind = kind


def split_url(url):
    """Return (scheme, host, port, path) of an http or https URL; raises HttpError "address"."""
    scheme, mark, rest = url.partition("://")
    host, slash, path = rest.partition("/")
    name, colon, port = host.rpartition(":")
    if not colon or port.endswith("]"):
        name, port = host, "443" if scheme == "https" else "80"
    if scheme not in ("http", "https") or not mark or not name or " " in url or "@" in host:
        raise _failure("address", "")
    number = int(port) if port.isdigit() else 0
    if not 0 < number < 65536:
        raise _failure("address", name)
    return scheme, name.strip("[]"), number, slash + path


class Response:
    """An answer whose head has arrived. status: int, headers: dict with lower-case names."""

    def __init__(self, host, port, first):
        self.status = 0
        self.headers = {}
        self._at = "%s:%d" % (host, port)
        self._reader = self._writer = None
        # seconds until the answer begins; who reads it makes that 0 when it has, as a server may
        # go on for long with nothing but signs of life
        self.first = first
        self.gap = limits.GAP_SECONDS  # seconds to wait between two pieces of the answer
        self._start = self._asked = platform.ticks_ms()
        self._greets = False  # the next bytes sent are the first over TLS
        self._buf = b""
        self._left = 0  # bytes left of the body or of this chunk; -1: until the server closes
        self._chunked = False
        self._done = False
        self.framed = True  # the end of the body can be told from a connection that broke off
        self._total = 0

    async def read(self):
        """The next bytes of the body, b"" at its end. Raises HttpError."""
        while self._left == 0 and not self._done:
            await self._next_chunk()
        if self._done:
            return b""
        data = self._buf or await self._receive()
        self._buf = b""
        if not data:
            self._done = True
            if self._left > 0:
                raise self.error("gone")
            return b""
        if 0 <= self._left < len(data):
            self._buf = data[self._left :]
            data = data[: self._left]
        if self._left > 0:
            self._left -= len(data)
            self._done = not self._left and not self._chunked
        self._total += len(data)
        if self._total > limits.BODY_BYTES:
            raise self.error("size")
        return data

    async def read_all(self, limit):
        """The whole body, or its first bytes when it is longer than limit bytes."""
        body = bytearray()
        while len(body) <= limit:
            piece = await self.read()
            if not piece:
                break
            body.extend(piece)
        return bytes(body[:limit])

    async def close(self):
        """Close the connection; harmless when it is closed."""
        writer = self._writer
        self._writer = None
        if writer is not None:
            try:
                writer.close()
                await asyncio.wait_for(writer.wait_closed(), limits.CLOSE_SECONDS)
            except (OSError, asyncio.TimeoutError):
                pass

    def error(self, what, *details):
        """The HttpError that the function what of http_errors makes of details."""
        return _failure(what, self._at, self.status, *details)

    async def _wait(self, job, seconds, doing, since=None):
        # One deadline for this step, or all since then, and one for the exchange in all.
        now = platform.ticks_ms()
        left = limits.TOTAL_SECONDS - platform.ticks_diff(now, self._start) / 1000
        rest = seconds if since is None else seconds - platform.ticks_diff(now, since) / 1000
        try:
            return await asyncio.wait_for(job, max(0.001, min(rest, left)))
        except asyncio.TimeoutError:
            raise self.error("timeout", doing, seconds, left)
        except (OSError, ValueError) as e:
            raise self.error("failed", e)

    async def _open(self, host, port, ssl):
        options = {"ssl": ssl, "server_hostname": host} if ssl else {}
        if platform.gil_threads() and not (":" in host or host[-1:].isdigit()):
            # asyncio would look the name up in the loop, for seconds when nobody answers
            from claw_core import background

            doing = "name"
            host = await self._wait(background.address(host, port), limits.DNS_SECONDS, doing)
        self._reader, self._writer = await self._wait(
            asyncio.open_connection(host, port, **options),
            limits.CONNECT_SECONDS,
            "connect",
        )
        self._greets = bool(ssl)

    async def _send(self, pieces):
        # Small pieces are joined, since each write may become a packet, and large ones are cut,
        # since there may be no large piece of heap left to copy them to.
        buf = bytearray(limits.HTTP_PIECE)
        used = 0
        for piece in pieces:
            view = memoryview(piece)
            start = 0
            while start < len(piece):
                size = min(len(piece) - start, len(buf) - used)
                buf[used : used + size] = view[start : start + size]
                used += size
                start += size
                if used == len(buf):
                    await self._write(bytes(buf))
                    used = 0
        await self._write(bytes(buf[:used]))
        self._asked = platform.ticks_ms()

    async def _write(self, data):
        try:
            self._writer.write(data)
        except (OSError, ValueError) as e:
            raise self.error("failed", e)
        seconds = limits.TLS_SECONDS if self._greets else limits.GAP_SECONDS
        doing = "tls" if self._greets else "send"
        await self._wait(self._writer.drain(), seconds, doing)
        self._greets = False

    async def _receive(self):
        job = self._reader.read(limits.HTTP_PIECE)
        if self.first:
            return await self._wait(job, self.first, "first", self._asked)
        return await self._wait(job, self.gap, "more")

    async def _line(self, room):
        while True:
            end = self._buf.find(b"\n")
            if end >= 0:
                line = self._buf[:end].strip()
                self._buf = self._buf[end + 1 :]
                return line
            if len(self._buf) > room:
                raise self.error("protocol", "line")
            data = await self._receive()
            if not data:
                raise self.error("gone")
            self._buf += data

    async def _head(self):
        while True:
            status = None
            room = limits.HEAD_BYTES
            while True:
                line = await self._line(room)
                room -= len(line)
                if status is None:
                    status = line.split()
                    if line[:7] != b"HTTP/1." or len(status) < 2 or not status[1].isdigit():
                        raise self.error("protocol", "start")
                elif not line:
                    break
                else:
                    name, _, value = line.partition(b":")
                    self.headers[_text(name).lower()] = _text(value.strip())
                    if room < 0:
                        raise self.error("protocol", "head")
            if not status[1].startswith(b"1"):
                break
        self.status = int(status[1])
        self._chunked = "chunked" in self.headers.get("transfer-encoding", "").lower()
        length = self.headers.get("content-length", "")
        if not self._chunked:
            self._left = int(length) if length.isdigit() else -1
            self.framed = self._left >= 0
            self._done = self._left == 0 or self.status == 204

    async def _next_chunk(self):
        line = b""
        while not line:  # the first line is the end of the chunk before
            line = await self._line(limits.HEAD_BYTES)
        try:
            self._left = int(line.split(b";")[0], 16)
        except ValueError:
            raise self.error("protocol", "chunk")
        self._done = self._left == 0


def _failure(what, *details):
    # The sentences are needed seldom, so they are in a module of their own.
    from claw_core import http_errors

    return getattr(http_errors, what)(*details)


def _text(data):
    if not data or max(data) < 128:
        return str(data, "utf-8")
    return "".join([chr(byte) for byte in data])


async def post(url, headers, body, first=0, tls=None):
    """Send a POST and return its Response when the head of the answer is there.

    headers: list of (name, value). body: function that returns a fresh iterator of bytes; it is
    called first to add up the length, since some servers refuse chunked requests and the body
    never exists in one piece, and once more for each attempt: after one that ran out of memory
    there is a second. first: seconds to wait for the answer to begin, 0 for
    limits.FIRST_SECONDS. tls: see claw_core.tls; without it https is refused. Raises HttpError.
    Redirects are errors: a key must not follow them.
    """
    scheme, host, port, path = split_url(url)
    if scheme == "https" and tls is None:
        raise _failure("no_tls", host)
    if scheme == "https":
        await tls.ready()
    length = sum(len(piece) for piece in body())
    again = True
    while True:
        gc.collect()  # room for the connection
        reply = Response(host, port, first or limits.FIRST_SECONDS)
        try:
            await reply._open(host, port, tls(host) if scheme == "https" else None)
            await reply._send(_request(host, port, path or "/", headers, length, body()))
            await reply._head()
            if 300 <= reply.status < 400:
                raise reply.error("redirect", reply.headers.get("location", ""))
            return reply
        except BaseException as e:
            await reply.close()
            short = isinstance(e, MemoryError) or getattr(e, "kind", "") == "memory"
            if not (short and again):
                raise
        # what the first attempt held is free now
        again = False


def _request(host, port, path, headers, length, body):
    name = "[%s]" % host if ":" in host else host
    head = "POST %s HTTP/1.1\r\nHost: %s:%d\r\nConnection: close\r\n" % (path, name, port)
    yield head.encode()
    for pair in headers:
        yield ("%s: %s\r\n" % pair).encode()
    yield b"Content-Length: %d\r\n\r\n" % length
    for piece in body:
        length -= len(piece)
        if length < 0:
            break
        yield piece
    if length:
        raise _failure("changed")
