"""The interface between the agent and a model provider. A new provider is one new file.

A provider is a class with

    name        what the user calls it, for instance "openai"
    backend     number stored with every record: 0 unknown, 1 OpenAI messages, 2 Anthropic messages
    async ask(request, sink) -> Reply

ask() sends one request, calls sink.text(str) for each piece of the answer as it arrives and
sink.think(str) for reasoning, which is shown but never stored, and returns the whole Reply.
It raises ModelError when there is no usable answer, and lets a cancel through. It keeps no
state between two calls that a failed call could spoil.

A request offers, each time anew and without holding it all in memory,

    system()      iterator of str: the parts of the system prompt, in order
    messages()    iterator of bytes: the conversation, one JSON message each, oldest first;
                  tool results are {"role":"tool","tool_call_id","content","is_error"}
    tools()       iterator of bytes: pieces of the JSON array of tools, nothing when there are none
    tool_rows()   iterator of (name, description, schema text), for another form of tools
    user_text     what the user wrote
    max_tokens    most tokens of an answer, 0 for the server's own limit
    keep_chars    most characters of text to keep in a Reply
"""


class ModelError(Exception):
    """No usable answer; the text is one sentence: which host, what happened, what to do.

    kind: "config", "unreachable", "auth", "busy", "status", "context", "reply" or "memory".
    retry: seconds after which asking again makes sense, -1 when it does not.
    """

    def __init__(self, sentence, kind="reply", retry=-1):
        super().__init__(sentence)
        self.kind = kind
        self.retry = retry


class Reply:
    """What a model answered.

    text: the answer, at most request.keep_chars characters. cut: "" when that is all of it,
    else why not, as a short mark for the reader. calls: [(id, name, arguments)], arguments
    being JSON text or a dict. raw: the assistant message in the provider's own format, stored
    when there are calls. usage: (prompt tokens, answer tokens) or None. finish: the model's
    reason to stop, "" when it gave none.
    """

    def __init__(self, text="", calls=(), raw=None, usage=None, finish="", cut=""):
        self.text = text
        self.calls = calls
        self.raw = raw
        self.usage = usage
        self.finish = finish
        self.cut = cut


class Kept:
    """The first characters of a text that arrives in pieces, and how long it was in all."""

    def __init__(self, chars):
        self._buf = bytearray()
        self._left = chars
        self.total = 0  # characters

    def add(self, piece):
        """Take the next piece (str)."""
        self.total += len(piece)
        if self._left:
            piece = piece[: self._left]
            self._left -= len(piece)
            self._buf.extend(piece.encode())

    def text(self):
        """What was kept (str)."""
        return bytes(self._buf).decode()

    def mark(self):
        """A mark for the reader when something was left out, else ""."""
        if self._left or self.total == len(self.text()):
            return ""
        return "[… cut, %d characters in all]" % self.total
