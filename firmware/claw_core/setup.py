"""The wizard of the first boot and of /setup: asks one thing after the other and keeps it."""

from claw_core import setup_model, setup_wifi, zone
from claw_memory import platform
from claw_memory.errors import ClawError, InvalidArg

# Where the wizard goes on after a reset: "ask" before the first boot's question was answered,
# "done" once all was asked or declined, between these the name of a step.
_MARK = "setup.next"
_ZONES = (
    ("UTC", "UTC"),
    ("London, Lisbon", "GMT0BST,M3.5.0/1,M10.5.0"),
    ("Berlin, Paris, Madrid", "CET-1CEST,M3.5.0,M10.5.0/3"),
    ("Athens, Helsinki, Kyiv", "EET-2EEST,M3.5.0/3,M10.5.0/4"),
    ("India", "IST-5:30"),
    ("China, Singapore", "CST-8"),
    ("Japan, Korea", "JST-9"),
    ("Sydney, Melbourne", "AEST-10AEDT,M10.1.0,M4.1.0/3"),
    ("New York, Toronto", "EST5EDT,M3.2.0,M11.1.0"),
    ("Chicago", "CST6CDT,M3.2.0,M11.1.0"),
    ("Denver", "MST7MDT,M3.2.0,M11.1.0"),
    ("Los Angeles, Vancouver", "PST8PDT,M3.2.0,M11.1.0"),
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


async def run(agent, what, channel):
    """Ask for everything (what is ""), go on where it stopped ("next"), or do one step.

    "no" declines the question of the first boot. channel: has ask(hidden) besides emit.
    """
    config = agent.config
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
    while at <= last:
        # one step alone, or a repetition, leaves nothing to be gone on with
        if what in ("", "next") and config.get(_MARK) not in ("done", steps[at]):
            config.set(_MARK, steps[at])
        back = await _STEPS[at][1](dialog)
        at = steps.index(back) if back else at + 1
    if what in ("", "next"):
        if config.get(_MARK) != "done":
            config.set(_MARK, "done")
        dialog.say("That is all; /setup changes it. Say something: My name is …")


async def _zone(dialog):
    """Choose the time zone, or type a rule."""
    dialog.rows([row[0] for row in _ZONES])

    def check(text):
        if text.isdigit():
            if not 1 <= int(text) <= len(_ZONES):
                raise InvalidArg("Choose a number from 1 to %d." % len(_ZONES))
            text = _ZONES[int(text) - 1][1]
        zone.offset(text, 0)
        return text

    await dialog.setting(
        "time.zone",
        "Time zone (%s): a number, or a rule such as UTC+2." % dialog.now("time.zone"),
        check,
    )
    unix = platform.unix_time()
    if unix:
        east, _ = zone.offset(dialog.config.get("time.zone"), unix)
        dialog.say("The time is %04d-%02d-%02d %02d:%02d." % zone.date(unix + east)[:5])


async def _pins(dialog):
    """Name the pins that the model may use."""
    question = "Pins that the model may use (%s): a list such as 4-7, 15."
    if await dialog.setting("gpio.pins", question % dialog.now("gpio.pins")):
        dialog.say("The pins count from the next restart (/reset).")


# In the order of the questions. A step is a coroutine function of the Dialog; it may return the
# name of an earlier step to go back to.
_STEPS = (
    ("wifi", setup_wifi.run),
    ("zone", _zone),
    ("provider", setup_model.provider),
    ("name", setup_model.name),
    ("key", setup_model.key),
    ("test", setup_model.test),
    ("pins", _pins),
)
