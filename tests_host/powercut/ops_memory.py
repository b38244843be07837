"""The operations of the whole memory, as the firmware carries them out; limits are lowered."""

from binascii import crc32

from claw_caps import files as caps_files
from claw_memory import bootstrap, durable, limits, notes, platform
from claw_memory import scope, session_archive, session_condense
from claw_memory.errors import Blocked, ClawError
from claw_memory.memory import Memory
from claw_memory.sessions import CALLS, FINAL, RESULT, USER

from workload import Op

_ID = "chat:console:me:default_01"
_OTHER = "chat:console:me:other"
_KEY = "chat:console:me"
_CALL = (
    '{"role":"assistant","content":null,"tool_calls":[{"id":"c%d","type":"function",'
    '"function":{"name":"time_now","arguments":"{}"}}]}'
)
_RESULT = '[{"role":"tool","tool_call_id":"c%d","content":"ok %s","is_error":false}]'


_LIMITS = {name: getattr(limits, name) for name in dir(limits) if name.isupper()}
_LOWERED = {"SESSION_BYTES": 6 * 1024, "ITEMS": 8, "DEAD_BYTES": 600, "DIGEST_LINES": 12}


_NOON = 1750000000


class Clock:
    """Unix seconds that stand still until the test moves them."""

    now = _NOON

    def __call__(self):
        return Clock.now


class MemoryOp(Op):
    """Setting up: a memory with another session, some memories and a profile."""

    size = {"lfs2": 256 << 10, "fat": 256 << 10}
    # Their content may differ with the number of tries; the views tell whether it is right.
    derived = ("memory_digest.log", "memory_index.json", "MEMORY.md")
    session = _ID
    settings = {}
    clock = Clock

    def prepare(self):
        for values in (_LIMITS, _LOWERED, self.settings):
            for name in values:
                setattr(limits, name, values[name])

    def open(self, root):
        self.prepare()
        return Memory(root, clock=Clock(), notice=self.notice)

    def notice(self, sentence):
        pass

    def setup(self, root):
        Clock.now = _NOON
        memory = self.open(root)
        memory.names.current(_KEY)
        for n in range(3):
            turn(memory, _OTHER, "other %d" % n)
        memory.longterm.store("The cat is called Mia", "cat,pets")
        memory.longterm.store("Lives in a small town near York", "home")
        self.fill(memory)
        memory.close()

    def fill(self, memory):
        pass

    def view(self, memory):
        return [
            [(kind, bytes(raw)) for kind, _, raw in memory.sessions.records(self.session)],
            blocked(memory, self.session),
        ]


def blocked(memory, session):
    try:
        memory.sessions.gate(session)
    except Blocked:
        return True
    return False


def turn(memory, session, text, tools=0, wide=20):
    """One whole turn: the user's text, rounds of tools, the answer."""
    memory.sessions.persist(session, [(USER, text, None)])
    for n in range(tools):
        memory.sessions.persist(
            session,
            [(CALLS, None, _CALL % n), (RESULT, None, _RESULT % (n, "1" * wide))],
        )
    memory.sessions.persist(session, [(FINAL, "answer to " + text, None)], completed=True)


class SessionFirst(MemoryOp):
    name = "session_first_record"
    steps = (
        lambda m: m.sessions.persist(_ID, [(USER, "Hello, I am new here", None)]),
        lambda m: m.sessions.persist(_ID, [(FINAL, "Hello", None)], completed=True),
    )

    def expect(self, views):
        return [len(v[0]) for v in views] == [0, 1, 2]


class SessionRound(MemoryOp):
    name = "session_tool_round"
    steps = (
        lambda m: m.sessions.persist(_ID, [(USER, "What time is it?", None)]),
        lambda m: m.sessions.persist(
            _ID, [(CALLS, None, _CALL % 7), (RESULT, None, _RESULT % (7, ""))]
        ),
        lambda m: m.sessions.persist(_ID, [(FINAL, "Ten", None)], completed=True),
    )

    def fill(self, memory):
        for n in range(2):
            turn(memory, _ID, "question %d" % n, 1)

    def expect(self, views):
        return [len(v[0]) for v in views] == [8, 9, 11, 12]


class SessionBatch(MemoryOp):
    """Several records in one call are there all or none."""

    name = "session_batch"
    steps = (
        lambda m: m.sessions.persist(_ID, [(USER, "line %d " % n * 30, None) for n in range(4)]),
    )

    def expect(self, views):
        return [len(v[0]) for v in views] == [0, 4]


class SessionCluster(MemoryOp):
    name = "session_append_at_cluster"
    steps = (
        lambda m: m.sessions.persist(_ID, [(USER, "first after the cluster", None)]),
        lambda m: m.sessions.persist(_ID, [(FINAL, "y" * 600, None)], completed=True),
    )

    def fill(self, memory):
        turn(memory, _ID, "question")
        path = memory.sessions.data_path(_ID)
        room = 2048 - platform.size(path) - len('{"role":"user","content":""}\n')
        memory.sessions.persist(_ID, [(USER, "x" * room, None)])
        assert platform.size(path) == 2048


class SessionCompaction(MemoryOp):
    name = "session_compaction"
    repeat = False
    steps = (lambda m: m.sessions.persist(_ID, [(FINAL, "the end", None)], completed=True),)

    def fill(self, memory):
        for n in range(5):
            turn(memory, _ID, "question %d" % n, 2, 150)
        memory.sessions.persist(_ID, [(USER, "last question", None)])
        while platform.size(memory.sessions.data_path(_ID)) < limits.SESSION_BYTES:
            memory.sessions.persist(
                _ID, [(CALLS, None, _CALL % 9), (RESULT, None, _RESULT % (9, "y"))]
            )

    def between(self, memory):
        # The answer is stored before the session is compacted: each is whole by itself.
        limits.SESSION_BYTES = 1 << 20
        self.steps[0](memory)

    def expect(self, views):
        return len(views[1][0]) < len(views[0][0]) and views[1][0][-1][0] == FINAL


class SessionCondensed(MemoryOp):
    """A summary takes the place of old turns: log, index, archive and state are of one time."""

    name = "session_condensed"
    steps = (
        lambda m: condense(m, _ID),
        lambda m: m.sessions.persist(_ID, [(USER, "after it", None)]),
    )

    def fill(self, memory):
        for n in range(7):
            turn(memory, _ID, "question %d" % n, 1, 60)
        condense(memory, _ID, 5)
        turn(memory, _ID, "one more")

    def view(self, memory):
        return MemoryOp.view(self, memory) + state_of(memory, _ID)

    def expect(self, views):
        counts = [len(v[0]) for v in views]
        archived = [len(v[2]) for v in views]
        numbers = [v[3:] for v in views]
        return (
            counts[1] < counts[0] < 20
            and archived == [4, 12, 12]
            and numbers == [[7, 2, 2], [7, 6, 6], [8, 6, 6]]
        )


def condense(memory, session, turns=2):
    """All but the last turns become a summary."""
    change = memory.sessions.condensing(session)
    first = change.cut(0, turns)
    if first:
        change.write(first, session_condense.record("so far " * 20))


def state_of(memory, session):
    """[archived turns, number of the latest turn, turns dropped, first turn of prompts]."""
    archived = [entry[:3] for entry in session_archive.dropped(memory.sessions, session)]
    state = memory.sessions.log(session).state()
    numbers = [state.dropped, state.start] if state else [0, 0]
    return [archived, memory.sessions.turn_number(session)] + numbers


class SessionBlocked(MemoryOp):
    name = "session_blocked"
    repeat = False
    steps = (lambda m: m.sessions.persist(_ID, [(FINAL, "too much", None)], completed=True),)

    def fill(self, memory):
        for n in range(12):
            turn(memory, _ID, "long question %d " % n * 12)
        memory.sessions.persist(_ID, [(USER, "last question", None)])
        while platform.size(memory.sessions.data_path(_ID)) < limits.SESSION_BYTES:
            memory.sessions.persist(_ID, [(USER, "more and more " * 10, None)])

    between = SessionCompaction.between

    def expect(self, views):
        return [v[1] for v in views] == [False, True]


class SessionDelete(MemoryOp):
    name = "session_delete"
    steps = (
        lambda m: m.sessions.delete(_ID),
        lambda m: m.sessions.persist(_ID, [(USER, "a new start", None)]),
    )

    def fill(self, memory):
        for _ in range(3):
            turn(memory, _ID, "question", 1)
        condense(memory, _ID, 1)
        durable.append(memory.sessions.data_path(_ID) + ".blocked", b"", line=False)

    def view(self, memory):
        records = [bytes(raw) for _, _, raw in memory.sessions.records(_ID)]
        return [records] + state_of(memory, _ID)

    def expect(self, views):
        return [[len(v[0]), len(v[1])] + v[2:] for v in views] == [
            [5, 4, 2, 2, 2],
            [0, 0, 0, 0, 0],
            [1, 0, 0, 0, 0],
        ]


class NamesNew(MemoryOp):
    name = "session_new"
    steps = (
        lambda m: m.names.new(_KEY),
        lambda m: m.names.new(_KEY, "travel"),
        lambda m: m.names.switch(_KEY, "default_01"),
        lambda m: m.names.new("chat:console:a_second_chat", "work"),
    )

    def view(self, memory):
        # current() answers on a full disk as well.
        second = memory.names.current("chat:console:a_second_chat")
        return [memory.names.list(_KEY), second.endswith(":work")]

    def expect(self, views):
        return views[-1] == [(["default_01", "default_02", "travel"], "default_01"), True]


class NamesDelete(MemoryOp):
    """The history goes first, then its memories, then the name: a cut leaves an empty session."""

    name = "session_name_delete"
    steps = (lambda m: m.names.delete(_KEY, "old", m.sessions),)
    old = _KEY + ":old"

    def fill(self, memory):
        memory.names.new(_KEY, "old")
        memory.names.switch(_KEY, "default_01")
        turn(memory, self.old, "question", 1)
        for content in ("The cake is a surprise", "We meet at ten"):
            self.own(memory).store(content)

    def own(self, memory):
        return memory.view(scope.Scope("", scope.number(self.old)).of_session())

    def between(self, memory):
        memory.sessions.delete(self.old)

    def view(self, memory):
        names = memory.names.list(_KEY)
        count = memory.sessions.count(self.old)
        # of an emptied session that still has its name they may be there or not
        own = 0 if not count and "old" in names[0] else len(list(self.own(memory).list()))
        return [names, count, own]

    def expect(self, views):
        return [v[1:] for v in views] == [[4, 4], [0, 2]] and len(views[1][0][0]) == 1


class NamesDeleteOnly(NamesDelete):
    """The only session of a chat, which is the current one: its name stays in any case."""

    name = "session_name_delete_only"
    key = "chat:console:of_one_session"
    steps = (lambda m: m.names.delete(NamesDeleteOnly.key, "default_01", m.sessions),)
    old = key + ":default_01"

    def fill(self, memory):
        memory.names.list(self.key)
        turn(memory, self.old, "question", 1)
        for content in ("The cake is a surprise", "We meet at ten"):
            self.own(memory).store(content)

    def view(self, memory):
        count = memory.sessions.count(self.old)
        own = len(list(self.own(memory).list())) if count else 0
        return [memory.names.list(self.key), count, own]

    def expect(self, views):
        return [v[1:] for v in views] == [[4, 4], [0, 0]] and views[0][0] == views[1][0]


class IndexRebuild(MemoryOp):
    """The index of a session is gone: opening it writes a new one."""

    name = "session_index_rebuild"
    derived = (".idx",)
    steps = (lambda m: m.sessions.persist(_ID, [(USER, "still there?", None)]),)

    def fill(self, memory):
        for n in range(3):
            turn(memory, _ID, "question %d" % n, 1)

    def setup(self, root):
        MemoryOp.setup(self, root)
        durable.remove(self.open(root).sessions.data_path(_ID) + ".idx")

    def expect(self, views):
        return [len(v[0]) for v in views] == [12, 13]


class TornSession(MemoryOp):
    """The log ends in half a record, as a full disk or another program leaves it."""

    name = "session_torn_tail"
    steps = (
        lambda m: m.sessions.persist(_ID, [(USER, "after the tear", None)]),
        lambda m: m.sessions.persist(_ID, [(FINAL, "and on", None)], completed=True),
    )

    def setup(self, root):
        MemoryOp.setup(self, root)
        memory = self.open(root)
        turn(memory, _ID, "question")
        memory.close()
        with open(memory.sessions.data_path(_ID), "ab") as f:
            f.write(b'{"role":"user","content":"half')

    def expect(self, views):
        return [len(v[0]) for v in views] == [2, 3, 4]


class ProfileEdit(MemoryOp):
    name = "profile_edit"
    steps = (
        lambda m: edit(m, {"path": "user.md", "content": "# User\n\nLikes tea.\n" * 40}),
        lambda m: edit(m, {"path": "user.md", "append": "Has a cat.\n"}),
        lambda m: edit(m, {"path": "files/notes of today.txt", "content": "one\n"}),
        lambda m: edit(m, {"path": "soul.md", "content": "calm\n"}),
    )

    def view(self, memory):
        shown = caps_files.files_list({}, context(memory))
        notes = read(memory.root + "/files/notes of today.txt")
        # A failed append may leave blank lines.
        text = "".join(memory.profile.parts())
        profile = [line for line in text.split("\n") if line.strip("> ")]
        return [profile, notes, shown.count("notes") if notes else 0]


def context(memory):
    class Context:
        pass

    Context.memory = memory
    return Context


def edit(memory, args):
    return caps_files.files_edit(args, context(memory))


def read(path):
    if platform.size(path) < 1:
        return b""
    with open(path, "rb") as f:
        return f.read()


class ConfigSave(MemoryOp):
    name = "config_save"
    derived = ()
    steps = (
        lambda c: c.set("model.name", "some-model"),
        lambda c: c.set("wifi.ssid", "a network " * 3),
        lambda c: c.unset("model.name"),
    )

    def setup(self, root):
        self.prepare()
        with open(root + "/boot.py", "wb") as f:
            f.write(b"# stays\n")
        config = self.open(root)
        config.set("model.key", "sk-" + "k" * 60)
        config.set("time.zone", "CET-1CEST,M3.5.0,M10.5.0/3")

    def open(self, root):
        from claw_core.config import Config

        return Config(root + "/config.json", notice=self.notice)

    def view(self, config):
        return [config.get(k) for k in ("model.key", "time.zone", "model.name", "wifi.ssid")]

    def expect(self, views):
        return len(set(map(str, views))) == 4


class Note(MemoryOp):
    """A daily note has a line once the call has returned, and never half a one."""

    name = "daily_note"
    steps = (
        lambda m: notes.add(m, "Anna called about the boiler"),
        lambda m: notes.add(m, "The plumber comes on Friday " * 5),
        lambda m: notes.add(m, "Anna called about the boiler."),
    )

    def view(self, memory):
        # a failed append may leave blank lines
        return [line for line in notes.read(memory, notes.day(memory)) if line]

    def expect(self, views):
        return [len(v) for v in views] == [0, 1, 2, 2]


class Bootstrap(MemoryOp):
    """bootstrap.md is shown until an answer is stored, and neither lost nor shown for ever."""

    name = "bootstrap_put_away"
    steps = (lambda m: bootstrap.answered(m.profile, _ID),)

    def setup(self, root):
        MemoryOp.setup(self, root)
        with open(root + "/memory/bootstrap.md", "wb") as f:
            f.write(b"Ask who you are.\n" * 60)

    def open(self, root):
        memory = MemoryOp.open(self, root)
        memory.profile.first = [_ID, 0]  # as a prompt that showed it leaves it
        return memory

    def view(self, memory):
        place = memory.memory_dir + "/bootstrap"
        return [len(read(place + ".md")), len(read(place + ".done.md"))]

    def expect(self, views):
        return views == [[1020, 0], [0, 1020]]


def shown(memory):
    """The titles of the profile files that go to the model."""
    lines = "".join(memory.profile.parts()).split("\n")
    return [line for line in lines if line.endswith(".md):")]


class FirstBoot(MemoryOp):
    """An empty file system: whatever the cut leaves, the next boot completes it."""

    name = "first_boot"
    on_full_disk = False
    steps = (lambda m: None,)

    def setup(self, root):
        self.prepare()

    def view(self, memory):
        return [shown(memory), memory.names.list(_KEY), memory.longterm.count()]

    def expect(self, views):
        return len(views[0][0]) == 3


class Items(MemoryOp):
    """What the long-term store can tell: each memory with all that a user may see of it."""

    def fill(self, memory):
        Clock.now += 3600
        memory.longterm.store("Drinks tea without milk", "drinks", id="tea")
        memory.longterm.store("Works at night", "work", id="night")

    def view(self, memory):
        return sorted(
            (i.content, i.tags, i.keywords, i.access_count, i.updated_at)
            for i in memory.longterm.list()
        )


class Store(Items):
    name = "store"
    steps = (
        lambda m: m.longterm.store("Plays the cello", "music"),
        lambda m: m.longterm.store("Wants to visit Norway in June", "travel,plans"),
    )

    def expect(self, views):
        return [len(v) for v in views] == [4, 5, 6]


class Update(Items):
    name = "update"
    steps = (
        lambda m: m.longterm.update("tea", "Drinks tea with milk"),
        lambda m: m.longterm.update("night", tags="job,hours"),
    )

    def expect(self, views):
        return all(len(v) == 4 for v in views) and len(set(map(str, views))) == 3


class Forget(Items):
    name = "forget"
    steps = (lambda m: m.longterm.forget("tea"), lambda m: m.longterm.forget("night"))

    def fill(self, memory):
        Items.fill(self, memory)
        memory.longterm.derive()

    def view(self, memory):
        # Whatever MEMORY.md shows must not be something that was forgotten.
        shown = read(memory.longterm.markdown)
        return Items.view(self, memory), [
            word for word in (b"tea", b"night") if word in shown and not has(memory, word.decode())
        ]

    def expect(self, views):
        return [len(v[0]) for v in views] == [4, 3, 2]


def has(memory, id):
    try:
        memory.longterm.get(id)
    except ClawError:
        return False
    return True


class Recall(Items):
    """A recall is noted once or not at all; the items stay as they are."""

    name = "recall"
    quiet = True
    derived = ("memory_index.json", "MEMORY.md")
    steps = (
        lambda m: m.longterm.recall(["drinks"]),
        lambda m: m.longterm.recall(["work", "home"]),
    )

    def view(self, memory):
        lines = read(memory.longterm.digest.path).split(b"\n")[:-1]
        return Items.view(self, memory), sum(b"access_count+1" in line for line in lines)

    def expect(self, views):
        return [v[1] for v in views] == [0, 1, 3]


class RecallFolded(Items):
    """A recall counts once or not at all, wherever the compaction that counts it is cut."""

    name = "recall_folded_in"
    on_full_disk = False
    quiet = True
    double_stride = 11
    quick_stride = 17
    quick_double = 97
    steps = (
        lambda m: m.longterm.recall(["drinks"]),
        lambda m: m.longterm.compact(),
        lambda m: m.longterm.recall(["work"]),
        lambda m: m.longterm.compact(),
    )

    def view(self, memory):
        memory.longterm.compact()
        return Items.view(self, memory)

    def expect(self, views):
        return [sum(i[3] for i in v) for v in views] == [0, 1, 1, 2, 2]


class Compaction(Items):
    """Dead lines, recalls and a full digest: records, index and digest change together."""

    name = "longterm_compaction"
    steps = (lambda m: m.longterm.compact(), lambda m: m.longterm.store("New after it", "later"))

    def fill(self, memory):
        limits.DEAD_BYTES = 1 << 20
        Items.fill(self, memory)
        for n in range(3):
            memory.longterm.update("tea", "Drinks tea, version %d" % n)
        memory.longterm.forget("night")
        memory.longterm.derive()

    def expect(self, views):
        return [len(v) for v in views] == [3, 3, 4]


class Trim(Items):
    """More items than the limit: the least used go for good at a compaction."""

    name = "capacity_trim"
    steps = (lambda m: m.longterm.compact(), lambda m: m.longterm.store("One more", "later"))

    def fill(self, memory):
        Items.fill(self, memory)
        for n in range(7):
            Clock.now += 3600
            memory.longterm.store("Fact number %d about gardens" % n, "garden%d" % n)

    def expect(self, views):
        return all(len(v) == 8 for v in views)


class Derived(Items):
    """Writing the derived files changes nothing that can be read."""

    name = "longterm_derive"
    steps = (lambda m: m.longterm.derive(),)

    def expect(self, views):
        return views[0] == views[1]


class IndexLost(Items):
    """memory_index.json is damaged: it is rebuilt from the records."""

    name = "longterm_index_rebuild"
    steps = (lambda m: m.longterm.compact(), lambda m: m.longterm.derive())

    def setup(self, root):
        Items.setup(self, root)
        with open(root + "/memory/memory_index.json", "wb") as f:
            f.write(b'{"version":3,"summ')

    def expect(self, views):
        return all(len(v) == 4 for v in views)


class FullSession(MemoryOp):
    """A session of the full 150 KB: an answer brings it over the limit, and it is compacted."""

    name = "full_size_session"
    size = {"lfs2": 2 << 20, "fat": 2 << 20}
    samples = 40
    on_full_disk = False
    repeat = False
    settings = {"SESSION_BYTES": 153600}
    steps = SessionCompaction.steps

    def fill(self, memory):
        # Written in one go, with no index: the first opening makes it.
        lines = []
        for n in range(130):
            lines.append('{"role":"user","content":"question %d"}' % n)
            lines.append(_CALL % n)
            lines.append(_RESULT % (n, "x" * 700))
            lines.append('{"role":"assistant","content":"answer %d %s"}' % (n, "y" * 100))
        with open(memory.sessions.data_path(_ID), "wb") as f:
            for line in lines:
                f.write(line.encode() + b"\n")
        size = platform.size(memory.sessions.data_path(_ID))
        room = limits.SESSION_BYTES - size - 30
        memory.sessions.persist(
            _ID, [(USER, None, '{"role":"user","content":"%s"}' % ("z" * room))]
        )
        memory.sessions.count(_ID)

    def view(self, memory):
        return [(kind, len(raw), crc32(raw)) for kind, _, raw in memory.sessions.records(_ID)]

    between = SessionCompaction.between

    def expect(self, views):
        return len(views[1]) < len(views[0])


class FullStore(Items):
    """The full 128 memories, and a compaction that trims to them."""

    name = "full_size_longterm"
    size = {"lfs2": 2 << 20, "fat": 2 << 20}
    samples = 20
    on_full_disk = False
    settings = {"ITEMS": 128, "DEAD_BYTES": 1 << 20}
    steps = (lambda m: m.longterm.compact(), lambda m: m.longterm.store("One more", "later"))

    def fill(self, memory):
        for n in range(140):
            Clock.now += 3600
            memory.longterm.store(
                "Fact number %d: " % n + chr(97 + n % 26) * 150, "tag%d" % (n % 30)
            )

    def expect(self, views):
        return all(len(v) == 128 for v in views)


OPS = (
    SessionFirst,
    SessionRound,
    SessionBatch,
    SessionCluster,
    SessionCompaction,
    SessionCondensed,
    SessionBlocked,
    SessionDelete,
    NamesNew,
    NamesDelete,
    NamesDeleteOnly,
    IndexRebuild,
    TornSession,
    ProfileEdit,
    Note,
    Bootstrap,
    ConfigSave,
    FirstBoot,
    Store,
    Update,
    Forget,
    Recall,
    RecallFolded,
    Compaction,
    Trim,
    Derived,
    IndexLost,
    FullSession,
    FullStore,
)
