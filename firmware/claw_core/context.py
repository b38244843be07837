"""One request to a model, put together piece by piece from what lies on flash."""

from claw_core.tokens import estimate, message
from micropython import const

_BASE = const(
    """\
You are the assistant that lives on a small board and is talked to over a text console.
Answer in the language of the user, briefly, in plain text without markdown tables.
Use a tool when one helps; never claim that something was done or remembered unless a tool said so.
"""
)


class Request:
    """What claw_core.model says a request offers. Nothing of it is held in RAM.

    The history ends with the last record that is stored, so a tool round is part of it as soon
    as it is persisted; where it begins fit() says. Attributes: used, the tokens of what is sent,
    and window, those that may be sent, both as of the last fit(); budget, the bytes of history;
    cut, True when the reserve is less than was set, as it is at most half of the window.
    """

    stream = True

    def __init__(self, memory, caps, config, session_id, user_text):
        self.memory = memory  # as the user of the chat sees it
        self._caps = caps
        self.session_id = session_id
        self.budget = config.get("model.history_bytes")
        self.user_text = user_text
        self.max_tokens = config.get("model.max_tokens")
        reserve = max(config.get("context.reserve"), self.max_tokens)
        window = config.get("context.window")
        self.cut = reserve > window // 2  # what the user says must fit as well
        self._most = window - (window // 2 if self.cut else reserve)
        self.short = False  # see retry.shorten
        self.condensed = False  # once per turn
        self.later = False  # condensing waits until the answer is out
        self.fixed = 0  # tokens of all but the history
        self.used = self.window = 0
        self.whole()

    def whole(self):
        """Send as much of the history as its bytes allow, whatever window a model has."""
        self._shape = None
        self.first = self.start()

    def turn(self):
        """Number of the turn in its session."""
        return self.memory.sessions.turn_number(self.session_id)

    def fit(self, agent):
        """Choose what is sent, so that it fits; False when turns had to be left out for that.

        Raises ModelError "context" when what belongs to this turn alone is too much.
        """
        sessions = self.memory.sessions
        self.window = min(self._most, agent.window or self._most)
        if not self.fixed:
            for parts in (self.system(), self.tools()):
                for part in parts:
                    self.fixed += estimate(part)
        self.whole()
        plain = not self.first and not sessions.prompt_start(self.session_id)
        if plain or not sessions.log(self.session_id).state():
            if agent.counted is None:
                agent.counted = Counted()
            counted = agent.counted.tokens(sessions, self.session_id, self.first)
            self.used = self.fixed + counted
            if self.used <= self.window:
                return plain
        from claw_core import budget

        self.first, self._shape, self.used, all_there = budget.choose(self)
        return all_there

    def start(self):
        """Number of the first record that is sent of the history."""
        return self.memory.sessions.turn_start(self.session_id, self.budget)

    def system(self):
        """Yield the parts of the system prompt."""
        yield _BASE
        yield from self.memory.context(self.session_id)

    def messages(self):
        """Iterate the conversation, one message (bytes) at a time."""
        return self.memory.sessions.messages_raw(self.session_id, self.first, self._shape)

    def tools(self):
        """Yield the JSON array of tools in pieces."""
        return self._caps.tools_chunks()

    def tool_rows(self):
        """Yield (name, description, schema text) of each tool."""
        return self._caps.rows()


class Counted:
    """The tokens of the session in use: each record is looked at once, not at every request."""

    def __init__(self):
        self._log = None
        self._of = ()
        self._next = 0
        self._tokens = 0

    def tokens(self, sessions, session_id, first=0):
        """Tokens of the records of a session from number first on, an estimate."""
        log = sessions.log(session_id)
        if log is not self._log or self._of != (log.generation, first):
            self._log = log
            self._of = (log.generation, first)
            self._next = first
            self._tokens = 0
        for _, _, raw in log.records(self._next):
            self._tokens += message(raw)
            self._next += 1
        return self._tokens
