"""One request to a model, put together piece by piece from what lies on flash."""

from claw_memory import limits

_BASE = """You are the assistant that lives on a small board and is talked to over a text console.
Answer in the language of the user, briefly, in plain text without markdown tables.
Use a tool when one helps; never claim that something was done or remembered unless a tool said so.
"""


class Request:
    """What claw_core.model says a request offers. Nothing of it is held in RAM.

    The history starts at a record fixed when the request is made and ends with the last record
    that is stored, so a tool round is part of it as soon as it is persisted.
    """

    stream = True

    def __init__(self, memory, caps, config, session_id, user_text):
        self.memory = memory  # as the user of the chat sees it
        self._caps = caps
        self._session_id = session_id
        self._budget = config.get("model.history_bytes")
        self.user_text = user_text
        self.max_tokens = config.get("model.max_tokens")
        self._short = False
        self._first = self._start()

    def shorten(self):
        """Leave out more than half of the history; False the second time, or when it is short."""
        if self._short:
            return False
        self._short = True
        before = self._first
        while self._first == before and self._budget > limits.HISTORY_LEAST:
            self._budget //= 2
            self._first = self._start()
        if self._first == before:
            return False
        # once must do, so not merely as little as was found to help
        self._budget //= 2
        self._first = self._start()
        return True

    def _start(self):
        return self.memory.sessions.turn_start(self._session_id, self._budget)

    def system(self):
        """Yield the parts of the system prompt."""
        yield _BASE
        yield from self.memory.context(self._session_id)

    def messages(self):
        """Iterate the conversation, one message (bytes) at a time."""
        return self.memory.sessions.messages_raw(self._session_id, self._first)

    def tools(self):
        """Yield the JSON array of tools in pieces."""
        return self._caps.tools_chunks()

    def tool_rows(self):
        """Yield (name, description, schema text) of each tool."""
        return self._caps.rows()
