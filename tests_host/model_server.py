"""A model server on real sockets that follows a script, for tests in both runtimes.

    with ModelServer([text("hello"), calls(("memory_list", {}))]) as server:
        ... let the firmware talk to server.url ...
        server.requests[0].json["messages"]

Each request takes the next answer of the script; one past its end gets status 500. An answer may
also be a function of the request. Every answer can be misshapen: split into pieces of any size,
stalled or cut at any byte, framed in chunks, by length or by closing the connection.
"""

import json
import socket
import ssl
import threading
import time


class Answer:
    """One HTTP answer.

    body: bytes, or an iterable of bytes that is sent piece by piece. framing: "chunked",
    "length" or "close". split: bytes per send, 0 for whole pieces. pause: seconds between sends.
    stall_at, stall: byte of the whole answer before which to wait, and for how many seconds.
    cut_at: byte of the whole answer at which the connection is closed; reset: close it hard.
    """

    def __init__(
        self,
        body=b"",
        status=200,
        headers=(),
        framing="chunked",
        split=0,
        pause=0.0,
        stall_at=-1,
        stall=0.0,
        cut_at=-1,
        reset=False,
        content_type="text/event-stream",
    ):
        self.body = [body] if isinstance(body, bytes) else body
        self.status = status
        self.headers = [("Content-Type", content_type)] + list(headers)
        self.framing = framing
        self.split = split
        self.pause = pause
        self.stall_at = stall_at
        self.stall = stall
        self.cut_at = cut_at
        self.reset = reset

    def pieces(self):
        """Yield the bytes of the whole answer, head and framing included."""
        head = "HTTP/1.1 %d Scripted\r\n" % self.status
        headers = list(self.headers)
        body = self.body
        if self.framing == "chunked":
            headers.append(("Transfer-Encoding", "chunked"))
        elif self.framing == "length":
            body = [b"".join(body)]
            headers.append(("Content-Length", str(len(body[0]))))
        yield (head + "".join("%s: %s\r\n" % pair for pair in headers) + "\r\n").encode()
        for piece in body:
            if self.framing == "chunked" and piece:
                yield b"%x\r\n%s\r\n" % (len(piece), piece)
            else:
                yield piece
        if self.framing == "chunked":
            yield b"0\r\n\r\n"

    def size(self):
        """Bytes of the whole answer."""
        return sum(len(piece) for piece in self.pieces())


class Request:
    """One request as it came: path, headers (lower-case names), body (bytes), json."""

    def __init__(self, line, headers, body):
        self.path = line.split()[1]
        self.headers = headers
        self.body = body
        try:
            self.json = json.loads(body)
        except ValueError:
            self.json = None


class ModelServer:
    """The server, on a free port of the loopback address; a thread per connection.

    tls: an ssl.SSLContext for https, under the name localhost.
    """

    def __init__(self, script=(), tls=None):
        self.script = list(script)
        self.tls = tls
        self.requests = []
        self.errors = []
        self._lock = threading.Lock()
        self._threads = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.settimeout(0.1)
        self.port = self._listener.getsockname()[1]
        where = "https://localhost" if tls else "http://127.0.0.1"
        self.url = "%s:%d/v1" % (where, self.port)
        self._stop = threading.Event()
        self._main = threading.Thread(target=self._accept, daemon=True)
        self._main.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Stop, and raise the first error that a connection thread met."""
        self._stop.set()
        self._listener.close()
        self._main.join(5)
        for thread in self._threads:
            thread.join(5)
        if self.errors:
            raise self.errors[0]

    def _accept(self):
        while not self._stop.is_set():
            try:
                link, _ = self._listener.accept()
            except TimeoutError:
                continue
            except OSError:
                return
            thread = threading.Thread(target=self._serve, args=(link,), daemon=True)
            self._threads.append(thread)
            thread.start()

    def _serve(self, link):
        try:
            link.settimeout(30)
            link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if self.tls:
                link = self.tls.wrap_socket(link, server_side=True)
            request = read_request(link)
            if request is None:
                return
            with self._lock:
                self.requests.append(request)
                answer = self.script.pop(0) if self.script else error(500, "the script has ended")
            if callable(answer):
                answer = answer(request)
            self._send(link, answer)
        except (ConnectionError, TimeoutError, ssl.SSLError):
            pass  # the client went away, as some tests want it to
        except Exception as e:
            self.errors.append(e)
        finally:
            link.close()

    def _send(self, link, answer):
        sent = 0
        for piece in answer.pieces():
            step = answer.split or len(piece) or 1
            for start in range(0, len(piece), step):
                part = piece[start : start + step]
                end = sent + len(part)
                if sent <= answer.stall_at < end:
                    link.sendall(part[: answer.stall_at - sent])
                    part = part[answer.stall_at - sent :]
                    sent = answer.stall_at
                    self._stop.wait(answer.stall)
                if 0 <= answer.cut_at < end:
                    link.sendall(part[: max(0, answer.cut_at - sent)])
                    _cut(link, answer.reset)
                    return
                link.sendall(part)
                sent = end
                if answer.pause:
                    time.sleep(answer.pause)


def _cut(link, reset):
    if reset:  # an RST instead of a FIN
        link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00")


def read_request(link):
    """Read one request from a socket; None when the client closes before its head is whole."""
    data = b""
    while b"\r\n\r\n" not in data:
        piece = link.recv(65536)
        if not piece:
            return None
        data += piece
    head, _, body = data.partition(b"\r\n\r\n")
    lines = head.decode().split("\r\n")
    headers = {}
    for line in lines[1:]:
        name, _, value = line.partition(":")
        headers[name.strip().lower()] = value.strip()
    length = int(headers["content-length"])
    while len(body) < length:
        piece = link.recv(65536)
        if not piece:
            return None
        body += piece
    return Request(lines[0], headers, body)


# What OpenAI-compatible servers say


def event(value):
    """One server-sent event with value as JSON."""
    return b"data: " + json.dumps(value, ensure_ascii=False).encode() + b"\n\n"


def delta(finish=None, **fields):
    """The event of one streamed delta."""
    return event({"choices": [{"index": 0, "delta": fields, "finish_reason": finish}]})


def usage(prompt, answer):
    """The event with the usage figures, as it comes with stream_options."""
    figures = {"prompt_tokens": prompt, "completion_tokens": answer}
    return event({"choices": [], "usage": figures})


def text(content, piece=5, done=True, **options):
    """A streamed text answer, in pieces of `piece` characters."""
    events = [delta(role="assistant", content="")]
    events += [delta(content=content[i : i + piece]) for i in range(0, len(content), piece)]
    events += [delta(finish="stop"), usage(12, 34)]
    if done:
        events.append(b"data: [DONE]\n\n")
    return Answer(events, **options)


def calls(*wanted, piece=7, content="", **options):
    """Streamed tool calls (name, arguments), the arguments in pieces of `piece` characters."""
    events = [delta(role="assistant", content=content or None)]
    for index, (name, arguments) in enumerate(wanted):
        if not isinstance(arguments, str):
            arguments = json.dumps(arguments, ensure_ascii=False)
        head = {"index": index, "id": "call_%s_%d" % (name, index), "type": "function"}
        head["function"] = {"name": name, "arguments": ""}
        events.append(delta(tool_calls=[head]))
        for i in range(0, len(arguments), piece):
            part = {"index": index, "function": {"arguments": arguments[i : i + piece]}}
            events.append(delta(tool_calls=[part]))
    events += [delta(finish="tool_calls"), b"data: [DONE]\n\n"]
    return Answer(events, **options)


def plain(content="", tool_calls=None, **options):
    """An answer of a server that ignores "stream"."""
    message = {"role": "assistant", "content": content}
    if tool_calls:
        message["tool_calls"] = tool_calls
    body = {"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}
    body["usage"] = {"prompt_tokens": 5, "completion_tokens": 6}
    options.setdefault("framing", "length")
    return Answer(json.dumps(body).encode(), content_type="application/json", **options)


def error(status, message, headers=(), **options):
    """An error answer in the form of OpenAI."""
    body = json.dumps({"error": {"message": message, "type": "scripted"}}).encode()
    options.setdefault("framing", "length")
    return Answer(body, status, headers, content_type="application/json", **options)
