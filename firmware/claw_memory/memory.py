"""Memory: everything under one root, opened together."""

import sys

from claw_memory import durable, limits, platform, providers
from claw_memory.profile import Profile
from claw_memory.session_names import Names
from claw_memory.sessions import Sessions
from claw_memory.stage import Stage
from claw_memory.platform import const

# backend_format of the session index, by the name of the model's wire format.
FORMATS = {"openai_compatible": 1, "anthropic_compatible": 2}

# The modules of this package that stay in the heap, between blanks; search's stay with its index.
_KEPT = const(
    " digest durable errors fatdir itemline items jsonio jsonscan limits longterm memory notes"
    " platform profile providers quote records scope session_log session_messages session_names"
    " sessions stage surrogates table text view "
)


class Memory:
    """The memory of one agent, as its owner sees it; seen_by() and of_chat() for other users.

    Attributes: `sessions` (Sessions), `names` (Names), `profile` (Profile), `stage` (Stage),
    `longterm` (LongTerm, None in lightweight mode), `root`, `sessions_dir`, `memory_dir`,
    `scope` (None: the owner), `owner` (the owner's chats, see scope.of_chat), `notes_shown` (see
    claw_memory.notes; empty it and the next prompt shows all notes anew).

    More methods are in memory_more.py: seen_by, view and close.
    """

    scope = None
    owner = "serial"
    __getattr__ = platform.seldom("claw_memory.memory_more")

    def __init__(
        self,
        root="/",
        clock=None,
        backend="openai_compatible",
        mode="full",
        max_message_chars=0,
        defaults=None,
        notice=None,
        summarise=None,
        east=None,
    ):
        """Open the memory under `root` (a mounted directory), creating what is missing.

        clock: function giving unix seconds, 0 while unset. backend: wire format that new records
        are marked with. mode: "full" or "lightweight" (MEMORY.md only, no memory tools).
        max_message_chars: characters kept of one text record, 0 for the default. defaults: folder
        with factory texts of the profile files. notice: function that gets one sentence about
        each thing found damaged and repaired. summarise: see Sessions. east: function that gives
        for unix seconds how many seconds local time is ahead of UTC; notes are dated by it.

        A clean open of an existing memory writes nothing. Raises InvalidArg for a bad mode,
        NoSpace or IOFailure when a missing directory or file cannot be made.
        """
        if mode not in ("full", "lightweight"):
            raise self.no_mode()
        self.root = root.rstrip("/")
        self.mode = mode
        self.clock = clock or platform.unix_time
        self.sessions_dir = self.root + "/sessions"
        self.memory_dir = self.root + "/memory"
        self._notice = notice or platform.ignore
        for directory in (self.sessions_dir, self.memory_dir):
            durable.make_dirs(directory)
        for sentence in durable.recover(self.memory_dir):
            self._notice(sentence)
        self._east = east
        self._told = []
        self.notes_shown = []
        self.profile = Profile(self.memory_dir, defaults, self.tell)
        self.sessions = Sessions(
            self.sessions_dir,
            FORMATS.get(backend, 0),
            max_message_chars or limits.MESSAGE_CHARS,
            summarise,
            self._notice,
        )
        self.names = Names(self.sessions_dir)
        self.stage = Stage()
        self.longterm = None
        if mode == "full":
            from claw_memory.longterm import LongTerm

            self.longterm = LongTerm(self.memory_dir, self.clock, self._notice)
            self.sessions.longterm = self.longterm  # pyright: ignore
            self.longterm.memory = self  # pyright: ignore[reportAttributeAccessIssue]
        if platform.exists(self.memory_dir + "/erase.job"):
            from claw_memory import erase

            erase.boot(self, self._notice)
            platform.unload("claw_memory", erase.MODULES)
        from claw_memory import guidance

        self.guidance = guidance.path(self)  # path of a file
        self.noted = guidance.noted(self)  # not empty: there are daily notes

    def of_chat(self, channel, chat_id, session_id="", owner="serial"):
        """This memory as the user of a chat sees it; this object for the owner.

        owner: see scope.of_chat. Code calls this, with what it knows of a chat; no text of a user
        or a model may get here. Raises InvalidArg for a channel with a colon in its name.
        """
        self.owner = owner
        scoped = self.longterm is not None and self.longterm.table.scoped
        if not scoped and (owner + ",").startswith(channel + ","):
            return self
        from claw_memory import scope

        return self.seen_by(scope.of_chat(channel, chat_id, session_id, owner))

    def context(self, session_id=""):
        """Yield what is put before the model of profile, notes and memory, in pieces (str).

        session_id: the conversation that it is for.
        """
        return providers.parts(self, session_id)

    def local_time(self):
        """Unix seconds shifted to the user's time zone, 0 while the clock is unset."""
        now = self.clock()
        return now + self._east(now) if now and self._east else now

    def tell(self, sentence):
        """Give the user a sentence that is worth saying once."""
        if sentence not in self._told:
            self._told.append(sentence)
            self._notice(sentence)

    def answered(self, session_id):
        """A model's answer to this session was stored: its first conversation may be over."""
        if self.profile.first:
            from claw_memory import bootstrap

            bootstrap.stored(self, session_id)

    def idle(self):
        """Use a quiet moment: bring files that are derived from the records up to date."""
        self.local_time()  # now, and not in the middle of a turn, the zone may be looked at
        if self.longterm is not None:
            self.longterm.idle()
            if "pairs" not in self.longterm.memo:
                from claw_memory import contradict

                contradict.look(self.longterm)
                self.unload()

    def untidy(self):
        """True when rest() has something to do that takes much RAM."""
        lt = self.longterm
        due = lt is not None and lt.untidy and lt.held != lt.size
        return due or self.sessions.untidy != ""

    def rest(self, busy=False):
        """Between two turns: do what a turn had no RAM for, and free seldom used modules.

        busy: the turn goes on in the background, so that what takes much RAM waits.
        """
        self.unload()
        if busy:
            return
        if self.sessions.untidy:
            self.sessions.tidy()
            self.unload()
        if self.longterm is not None and self.longterm.rest():
            self.unload()

    def unload(self):
        """Free seldom used modules."""
        if platform.is_micropython():
            indexed = self.longterm is not None and self.longterm.terms
            rare = ""
            for module in sys.modules:
                package, _, name = module.partition(".")
                if package == "claw_memory" and " %s " % name not in _KEPT:
                    if not (indexed and name.startswith("search")):
                        rare += " " + name
            platform.unload("claw_memory", rare)
