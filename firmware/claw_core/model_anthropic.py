"""The provider for Anthropic's messages API: POST <base URL>/messages, streamed.

Wire format: https://docs.anthropic.com/en/api/messages and messages-streaming. Blocks of types
that are not known here are passed over.
"""

from claw_core import model_http
from claw_core.model import Reply
from claw_memory import jsonio, limits

_VERSION = "2023-06-01"


class AnthropicModel:
    """One model on one server.

    base_url: address up to and without /messages, for instance https://api.anthropic.com/v1.
    first: seconds to wait for an answer to begin, 0 for the default. tls: see http.post.
    """

    name = "anthropic"
    backend = 2

    def __init__(self, base_url, model, key="", first=0, tls=None):
        self.url = base_url.rstrip("/") + "/messages"
        self._model = model
        self.key = key
        self._first = first
        self.tls = tls

    async def ask(self, request, sink):
        """See claw_core.model."""
        response = await model_http.post(
            self.url,
            self.headers(),
            lambda: self.body(request),
            self.key,
            self._first,
            self.tls,
        )
        try:
            return await model_http.receive(response, self.answer(sink), sink, self.key)
        finally:
            await response.close()

    def headers(self):
        """The HTTP headers of a request, as a list of (name, value)."""
        headers = [
            ("Content-Type", "application/json"),
            ("Accept", "text/event-stream"),
            ("anthropic-version", _VERSION),
        ]
        if self.key:
            headers.append(("x-api-key", self.key))
        return headers

    def answer(self, sink):
        """What takes an answer together: see model_http.receive."""
        return _Answer(sink, self.key)

    def body(self, request):
        """Yield the bytes of a request's body."""
        yield b'{"model":' + jsonio.literal(self._model).encode()
        if request.stream:
            yield b',"stream":true'
        yield b',"max_tokens":%d,"system":' % (request.max_tokens or limits.ANSWER_TOKENS)
        yield from model_http.quoted(request.system())
        lead = b',"messages":['
        results = b""
        for message in request.messages():
            if message.startswith(b'{"role":"tool"'):
                # All results of one round belong into the one user message after the calls.
                yield b"," + _result(message) if results else lead + _RESULTS + _result(message)
                results = b"]}"
            else:
                yield results + lead + message
                results = b""
            lead = b","
        yield results + b"]"
        lead = b',"tools":['
        for name, description, schema in request.tool_rows():
            yield lead + b'{"name":' + jsonio.literal(name).encode()
            yield b',"description":' + jsonio.literal(description).encode()
            yield b',"input_schema":' + schema.encode() + b"}"
            lead = b","
        yield b"}" if lead != b"," else b"]}"


_RESULTS = b'{"role":"user","content":['


def _result(message):
    value = jsonio.loads_prefix(message)
    content = jsonio.get(value, "content", "")
    block = jsonio.obj(
        "type",
        "tool_result",
        "tool_use_id",
        str(jsonio.get(value, "tool_call_id", "")),
        "content",
        content if isinstance(content, str) else jsonio.dumps(content),
    )
    if jsonio.get(value, "is_error") is True:
        block["is_error"] = True
    return jsonio.dumps(block).encode()


class _Answer:
    """An answer that comes together from content blocks, streamed or whole."""

    def __init__(self, sink, key):
        self._sink = sink
        self._key = key
        self.calls = []  # [index, id, name, arguments as bytearray, None when too long]
        self._room = limits.ARGS_BYTES
        self._usage = [0, 0]
        self.finish = ""
        self.done = False
        self.understood = False

    def take(self, data):
        """Take the data of one event, or the body of a server that does not stream.

        False when it is no JSON object.
        """
        value = model_http.parse(data)
        if not isinstance(value, dict):
            return False
        kind = value.get("type")
        if kind == "error" or value.get("error"):
            raise model_http.errors().reported(value, self._key)
        if kind == "message":
            self._figures(value)
            self._stopped(value)
            for index, block in enumerate(_list(value.get("content"))):
                self._block(index, block)
            self.understood = self.done = True
        elif kind == "message_start":
            self.understood = True
            self._figures(_dict(value.get("message")))
        elif kind == "content_block_start":
            self._block(value.get("index"), _dict(value.get("content_block")))
        elif kind == "content_block_delta":
            self._delta(value.get("index"), _dict(value.get("delta")))
        elif kind == "message_delta":
            self._figures(value)
            self._stopped(_dict(value.get("delta")))
        elif kind == "message_stop":
            self.done = True

    def _figures(self, value):
        figures = _dict(value.get("usage"))
        for at, name in enumerate(("input_tokens", "output_tokens")):
            if isinstance(figures.get(name), int):
                self._usage[at] = figures[name]

    def _stopped(self, value):
        self.finish = _text(value.get("stop_reason")) or self.finish

    def _block(self, index, block):
        kind = block.get("type")
        if kind == "text":
            self._sink.text(_text(block.get("text")))
        elif kind == "thinking":
            self._sink.think(_text(block.get("thinking")))
        elif kind == "tool_use" and len(self.calls) < limits.CALLS:
            call = [index, _text(block.get("id")), _text(block.get("name")), bytearray()]
            self.calls.append(call)
            if block.get("input"):
                self._arguments(call, jsonio.dumps(block["input"]))

    def _delta(self, index, delta):
        self._sink.text(_text(delta.get("text")))
        self._sink.think(_text(delta.get("thinking")))
        if self.calls and self.calls[-1][0] == index:
            self._arguments(self.calls[-1], _text(delta.get("partial_json")))

    def _arguments(self, call, piece):
        piece = piece.encode()
        self._room -= len(piece)
        if self._room < 0:
            call[3] = None
        elif call[3] is not None:
            call[3].extend(piece)

    def reply(self, cut):
        """The whole, as a Reply."""
        if not self.understood:
            raise model_http.errors().not_understood()
        if not cut and self.finish == "max_tokens":
            cut = "The model reached its longest answer."
        if not cut and self.finish == "refusal":
            cut = "The model refused to go on."
        usage = tuple(self._usage) if any(self._usage) else None
        if not self.calls:
            return Reply("", (), None, usage, self.finish, cut)
        blocks = []
        said = str(self._sink.kept(), "utf-8")
        if said:
            blocks.append(jsonio.obj("type", "text", "text", said))
        calls = []
        for number, call in enumerate(self.calls):
            call_id = call[1]
            if not call_id or call_id in [known[0] for known in calls]:
                call_id = "toolu_%d" % number
            name = model_http.safe_name(call[2])
            words = None if call[3] is None else str(bytes(call[3]), "utf-8")
            value = model_http.parse(bytes(call[3] or b""))
            # the API takes nothing but an object back
            kept = value if isinstance(value, dict) else {}
            block = ("type", "tool_use", "id", call_id, "name", name, "input", kept)
            blocks.append(jsonio.obj(*block))
            calls.append((call_id, name, words))
        raw = jsonio.obj("role", "assistant", "content", blocks)
        return Reply("", calls, raw, usage, self.finish, cut)


def _list(value):
    return [part for part in value if isinstance(part, dict)] if isinstance(value, list) else []


def _dict(value):
    return value if isinstance(value, dict) else {}


def _text(value):
    return value if isinstance(value, str) else ""
