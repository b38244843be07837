"""The interface between the agent and a model provider. A new provider is one new file.

A provider is a class with

    name        what the user calls it, for instance "openai"
    backend     number stored with every record: 0 unknown, 1 OpenAI messages, 2 Anthropic messages
    async ask(request, sink) -> Reply

ask() sends one request, gives each piece of the answer to the Sink as it arrives, and returns the
whole Reply. It raises ModelError when there is no usable answer, and lets a cancel through. It
keeps no state between two calls that a failed call could spoil.

Providers over HTTP also offer url, headers(), body(request), answer(sink), key and tls, so that a
request without streaming can be sent by other means (see claw_core.extract_thread).

A request offers, each time anew and without holding it all in memory,

    system()      iterator of str: the parts of the system prompt, in order
    messages()    iterator of bytes: the conversation, one JSON message each, oldest first;
                  tool results are {"role":"tool","tool_call_id","content","is_error"}
    tools()       iterator of bytes: pieces of the JSON array of tools, nothing when there are none
    tool_rows()   iterator of (name, description, schema text), for another form of tools
    user_text     what the user wrote
    memory        the Memory as this user sees it, for the offline model
    stream        True when the answer shall come in pieces
    max_tokens    most tokens of an answer, 0 for the server's own limit
"""

from micropython import const

_PART = const(1024)  # bytes


class ModelError(Exception):
    """No usable answer; the text is one sentence: which host, what happened, what to do.

    kind: "config" (a setting is wrong), "unreachable", "auth" (key refused), "busy", "status"
    (another HTTP error), "context" (the request was too long), "reply" (not understood), "memory".
    retry: seconds after which asking again makes sense, -1 when it does not.
    """

    def __init__(self, sentence, kind="reply", retry=-1):
        super().__init__(sentence)
        self.kind = kind
        self.retry = retry


class Reply:
    """What a model answered, besides the text that went through the sink.

    text: the answer, for providers that do not stream; it is given to the sink when nothing was.
    calls: [(id, name, arguments)], arguments being JSON text, a dict, or None when those of all
    calls together were over limits.ARGS_BYTES; at most limits.CALLS calls. raw: the assistant
    message in the provider's own format, stored when there are calls. usage: (prompt tokens,
    answer tokens) or None. finish: the model's reason to stop, "" when it gave none. cut: why
    the text is not all of the answer, as a few words, else "".
    """

    def __init__(self, text="", calls=(), raw=None, usage=None, finish="", cut=""):
        self.text = text
        self.calls = calls
        self.raw = raw
        self.usage = usage
        self.finish = finish
        self.cut = cut


class Sink:
    """Shows an answer while it arrives, and keeps what will be stored of it.

    emit(kind, text) shows a piece on the channel. chars: most characters that are kept. buffer:
    bytearray for them; small pieces kept here and there would leave no room for large ones.
    """

    def __init__(self, emit, chars, buffer=None):
        self._emit = emit
        self._parts = [bytearray(_PART) if buffer is None else buffer]
        self._used = 0  # bytes of the last part
        self._left = chars
        self._cut = False
        self.total = 0  # characters of text so far

    def text(self, piece):
        """Take the next piece (str) of the answer; white space before its first is dropped."""
        if not self.total:
            piece = piece.lstrip()
        if not piece:
            return
        self.total += len(piece)
        if self._left < len(piece):
            self._cut = True
        if self._left:
            kept = piece[: self._left]
            self._left -= len(kept)
            self._keep(kept.encode())
        self._emit("text", piece)

    def think(self, piece):
        """Take the next piece (str) of the model's reasoning: shown, never kept."""
        if piece:
            self._emit("think", piece)

    def _keep(self, data):
        start = 0
        while start < len(data):
            part = self._parts[-1]
            if self._used == len(part):
                part = bytearray(_PART)
                self._parts.append(part)
                self._used = 0
            size = min(len(data) - start, len(part) - self._used)
            part[self._used : self._used + size] = data[start : start + size]
            start += size
            self._used += size

    def kept(self, *more):
        """The text that will be stored (UTF-8), with a mark when some was left out, then more."""
        mark = "\n[… cut: the answer had %d characters]" % self.total if self._cut else ""
        parts = self._parts[:-1] + [self._parts[-1][: self._used], mark.encode()]
        return b"".join(parts + [part.encode() for part in more])
