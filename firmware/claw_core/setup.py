"""The wizard of the first boot and of /setup: asks one thing after the other and keeps it."""

from claw_core import late, provider
from claw_core.secrets import keys
from claw_memory.errors import ClawError, InvalidArg

# Where the wizard goes on after a reset: "ask" before the first boot's question was answered,
# "done" once all was asked or declined, between these the name of a step.
_MARK = "setup.next"
# In the order of the questions: each is a coroutine function of its name in a module, which gets
# the Dialog and may return the name of an earlier step to go back to.
_STEPS = (
    ("wifi", "setup_wifi"),
    ("zone", "setup_board"),
    ("provider", "setup_model"),
    ("name", "setup_model"),
    ("key", "setup_model"),
    ("test", "setup_model"),
    ("pins", "setup_board"),
)


class Dialog:
    """What the steps share: the agent, its config, and how to ask on its channel."""

    def __init__(self, agent, channel):
        self.agent = agent
        self.config = agent.config
        self._channel = channel

    def say(self, text):
        """Show a line, unless it is empty."""
        if text:
            self._channel.emit("info", text)

    def sorry(self, text):
        """Show what is wrong."""
        self._channel.emit("error", self.config.redact(text))

    def emit(self, kind, text):
        """Show a piece of a model's answer."""
        self._channel.emit(kind, text)

    async def ask(self, question, hidden=False):
        """The stripped line that is typed after question; hidden: it is not shown."""
        self.say(question)
        return await self._channel.ask(hidden)

    def rows(self, texts):
        """Show a numbered list."""
        self.say("\n".join(["%2d  %s" % (i + 1, text) for i, text in enumerate(texts)]))

    def keep(self, key, text):
        """Store text as the setting key ("" for its default) and say so."""
        if text:
            self.say(self.config.set(key, text))
        elif self.config.values.get(key):
            self.say(self.config.unset(key))

    def now(self, key):
        """The setting for a question: how it is now."""
        return "now: %s" % (self.config.get(key) or "none")

    async def setting(self, key, question, check=None, hidden=False):
        """Ask for the setting key until the answer can be used; True when it was changed.

        Enter keeps what is set and "-" clears it. check: function that returns what to store for
        an answer, or raises ClawError.
        """
        while True:
            text = await self.ask(question, hidden)
            if not text:
                return False
            try:
                if text == "-":
                    self.keep(key, "")
                else:
                    self.keep(key, check(text) if check else text)
                return True
            except ClawError as e:
                self.sorry(str(e))


async def run(agent, event, channel):
    """Handle /setup (ask for everything) and /setup STEP.

    "/setup next" goes on where it stopped, "/setup no" declines the question of the first boot.
    channel: has ask(hidden) besides emit.
    """
    config = agent.config
    what = event.text.strip()[len("/setup") :].strip()
    if what == "no":
        config.set(_MARK, "done")
        channel.emit("info", "It will not be asked again; /setup starts it at any time.")
        return
    steps = [row[0] for row in _STEPS]
    if what not in ("", "next") and what not in steps:
        raise InvalidArg("Use /setup for all, or one of /setup %s." % ", ".join(steps))
    if not hasattr(channel, "ask"):
        raise InvalidArg("/setup works at the serial console only.")
    dialog = Dialog(agent, channel)
    dialog.say(
        "Enter keeps what is set, - clears it. Each answer is saved at once; Ctrl-C leaves to the "
        "chat."
    )
    at = 0
    last = len(steps) - 1
    if what == "next" and config.get(_MARK) in steps:
        at = steps.index(config.get(_MARK))
    elif what in steps:
        at = last = steps.index(what)
    before = _model(config)
    try:
        while at <= last:
            # one step alone, or a repetition, leaves nothing to be gone on with
            if what in ("", "next") and config.get(_MARK) not in ("done", steps[at]):
                config.set(_MARK, steps[at])
            back = await late.call(_STEPS[at][1], steps[at], dialog)
            at = steps.index(back) if back else at + 1
    finally:
        if _model(config) != before:
            agent.connect(provider.make(config, agent.offline))
    if what in ("", "next"):
        if config.get(_MARK) != "done":
            config.set(_MARK, "done")
        dialog.say("That is all; /setup changes it. Say something: My name is …")


def _model(config):
    return [config.get(key) for key in keys() if key.startswith("model.")]
