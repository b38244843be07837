"""The provider for OpenAI-compatible servers: POST <base URL>/chat/completions, streamed.

Wire format: https://platform.openai.com/docs/api-reference/chat, read tolerantly: Ollama,
llama.cpp, vLLM, OpenRouter, DeepSeek and Qwen servers leave out or add fields.
"""

from claw_core import model_http
from claw_core.model import ModelError, Reply
from claw_memory import jsonio, limits


class OpenAIModel:
    """One model on one server.

    base_url: address up to and without /chat/completions. first: seconds to wait for an answer
    to begin, 0 for the default. tls: see http.post.
    """

    name = "openai"
    backend = 1

    def __init__(self, base_url, model, key="", first=0, tls=None):
        self.url = base_url.rstrip("/") + "/chat/completions"
        self._model = model
        self.key = key
        self._first = first
        self.tls = tls
        self._wants_usage = True  # until a server refuses the option

    async def ask(self, request, sink):
        """See claw_core.model."""
        try:
            response = await self._post(request)
        except ModelError as e:
            if e.kind != "status" or not self._wants_usage or "stream_options" not in str(e):
                raise
            self._wants_usage = False
            response = await self._post(request)
        try:
            return await model_http.receive(response, self.answer(sink), sink, self.key)
        finally:
            await response.close()

    def _post(self, request):
        return model_http.post(
            self.url,
            self.headers(),
            lambda: self.body(request),
            self.key,
            self._first,
            self.tls,
        )

    def headers(self):
        """The HTTP headers of a request, as a list of (name, value)."""
        headers = [("Content-Type", "application/json"), ("Accept", "text/event-stream")]
        if self.key:
            headers.append(("Authorization", "Bearer " + self.key))
        return headers

    def answer(self, sink):
        """What takes an answer together: see model_http.receive."""
        return _Answer(sink, self.key)

    def body(self, request):
        """Yield the bytes of a request's body."""
        yield b'{"model":' + jsonio.literal(self._model).encode()
        if request.stream:
            yield b',"stream":true'
            if self._wants_usage:
                yield b',"stream_options":{"include_usage":true}'
        if request.max_tokens:
            yield b',"max_tokens":%d' % request.max_tokens
        yield b',"messages":[{"role":"system","content":'
        yield from model_http.quoted(request.system())
        yield b"}"
        for message in request.messages():
            yield b","
            yield from _plain_result(message)
        lead = b'],"tools":'
        for piece in request.tools():
            yield lead + piece
            lead = b""
        yield b"}" if not lead else b"]}"


def _plain_result(message):
    # "is_error" is stored with each result but unknown to strict servers; it stands last.
    for tail in (b',"is_error":false}', b',"is_error":true}'):
        if message.endswith(tail) and message.startswith(b'{"role":"tool"'):
            yield memoryview(message)[: -len(tail)]
            message = b"}"
    yield message


class _Answer:
    """An answer that comes together from streamed deltas, or from one whole message."""

    def __init__(self, sink, key):
        self._sink = sink
        self._key = key
        self._start = ""  # white space that came first
        self._words = None  # what takes the text: sink, or a Thought; None: not known yet
        self._thought = None  # that Thought
        self.calls = []  # [index, id, name, arguments as bytearray, None when too long]
        self._room = limits.ARGS_BYTES
        self.usage = None
        self.finish = ""
        self.done = False
        self.understood = False

    def take(self, data):
        """Take the data of one event, or the body of a server that does not stream.

        False when it is no JSON object.
        """
        if data.strip() == b"[DONE]":
            self.done = self.understood = True
            return None
        value = model_http.parse(data)
        if not isinstance(value, dict):
            return False
        if value.get("error"):
            raise model_http.errors().reported(value, self._key)
        figures = value.get("usage")
        if isinstance(figures, dict):
            self.usage = (figures.get("prompt_tokens", 0), figures.get("completion_tokens", 0))
        for choice in _list(value.get("choices"))[:1]:
            self.understood = True
            whole = choice.get("message")
            self._message(choice.get("delta") or whole or {}, bool(whole))
            self.finish = choice.get("finish_reason") or self.finish

    def _message(self, part, whole):
        self._sink.think(_words(part.get("reasoning_content") or part.get("reasoning")))
        self._text(_words(part.get("content")))
        for call in _list(part.get("tool_calls")):
            self._call(call, whole)

    def _text(self, piece):
        if self._words is None:
            piece = self._start = self._start + piece
            if not piece.strip():
                return
            self._words = self._sink
            if piece.lstrip().startswith("<"):
                from claw_core.model_think import Thought

                self._words = self._thought = Thought(self._sink)
        self._words.text(piece)

    def _call(self, piece, whole):
        function = piece.get("function")
        if not isinstance(function, dict):
            return
        call = None if whole else self._known(piece, function)
        if call is None:
            if len(self.calls) >= limits.CALLS:
                return
            call = [piece.get("index"), "", "", bytearray()]
            self.calls.append(call)
        call[1] = call[1] or str(piece.get("id") or "")
        name = function.get("name") or ""
        if name != call[2]:
            call[2] += name
        arguments = function.get("arguments")
        if isinstance(arguments, dict):
            arguments = jsonio.dumps(arguments)
        if isinstance(arguments, str) and call[3] is not None:
            arguments = arguments.encode()
            self._room -= len(arguments)
            if self._room < 0:
                call[3] = None
            else:
                call[3].extend(arguments)

    def _known(self, piece, function):
        # The call that this piece goes on with, or None when it begins another one.
        index = piece.get("index")
        call_id = piece.get("id")
        for call in reversed(self.calls):
            if call_id and call[1]:
                if call[1] == call_id:
                    return call
            elif call_id or index is not None:
                if call[0] == index:
                    return call
            else:
                return None if function.get("name") else call
        return None

    def reply(self, cut):
        """The whole, as a Reply."""
        if self._thought:
            self._thought.finish()
        if not self.understood:
            raise model_http.errors().not_understood()
        if not cut and self.finish == "length":
            cut = "The model reached its longest answer."
        if not self.calls:
            return Reply("", (), None, self.usage, self.finish, cut)
        calls = []
        stored = []
        for number, call in enumerate(self.calls):
            call_id = call[1]
            if not call_id or call_id in [known[0] for known in calls]:
                call_id = "call_%d" % number
            name = model_http.safe_name(call[2])
            arguments = None if call[3] is None else str(bytes(call[3]), "utf-8")
            # servers that parse the arguments of old calls choke on broken ones
            sound = isinstance(model_http.parse(bytes(call[3] or b"")), dict)
            kept = arguments if sound else "{}"
            function = jsonio.obj("name", name, "arguments", kept)
            stored.append(jsonio.obj("id", call_id, "type", "function", "function", function))
            calls.append((call_id, name, arguments))
        text = str(self._sink.kept(), "utf-8") or None
        raw = jsonio.obj("role", "assistant", "content", text, "tool_calls", stored)
        return Reply("", calls, raw, self.usage, self.finish, cut)


def _list(value):
    return [part for part in value if isinstance(part, dict)] if isinstance(value, list) else []


def _words(content):
    if isinstance(content, str):
        return content
    return "".join([_words(part.get("text")) for part in _list(content)])
