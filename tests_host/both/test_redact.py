"""claw_memory.redact: what was forgotten leaves the other files at a compaction."""

import json

from bothlib import Lowered, raises, read, tmpdir
from claw_memory import notes, scope, session_archive
from claw_memory.errors import NoSpace
from claw_memory.memory import Memory

SESSION = "chat:serial:0:default_01"


def test_a_compaction_takes_forgotten_lines_out_of_archives():
    m = Memory(tmpdir("redact"), lambda: 1795984395)
    id = m.longterm.store("The user's otter is called Fred")[1].id
    m.sessions.persist(SESSION, [(1, "hello", None), (2, "hello", None)], True)
    path = m.sessions.data_path(SESSION) + ".archive"
    with open(path, "w") as f:
        for turn, content in enumerate(("my otter is called Fred", "the pond is deep")):
            row = {"turn": turn, "role": "user", "content": content, "at": 5}
            f.write(json.dumps(row) + "\n")
    m.longterm.forget(id)
    m.longterm.compact()
    with open(path) as f:
        assert [json.loads(line)["content"] for line in f] == ["the pond is deep"]
    assert m.longterm.count() == 0


TEXTS = ("my otter is called Fred", "the pond is deep", "gate code 4711 opens the shed")
CHATS = (("serial", "0"), ("web", "ann"), ("web", "bob"))


def _filled(name):
    # A memory in which three users noted and said the same; (memory, scope) of each.
    m = Memory(tmpdir(name), lambda: 1795984395)
    seen = []
    for channel, chat in CHATS:
        who = scope.of_chat(channel, chat)
        id = m.names.current(m.names.chat_key(channel, chat))
        seen.append((m.seen_by(who), who, id))
        m.sessions.persist(id, [(1, "hello", None), (2, "hello", None)], True)
        for text in TEXTS:
            notes.add(m, text, who)
        _archive(m, id)
    _archive(m, "of nobody")
    return m, seen


def _archive(m, id):
    with open(m.sessions.data_path(id) + ".archive", "w") as f:
        for turn, text in enumerate(TEXTS):
            row = {"turn": turn, "role": "user", "content": text, "at": 5}
            f.write(json.dumps(row) + "\n")


def _left(m, who, id):
    # The numbers of the texts that are in a user's notes and in the archive of a session.
    with open(m.sessions.data_path(id) + ".archive") as f:
        archived = [TEXTS.index(json.loads(line)["content"]) for line in f]
    with open(notes.folder(m, who) + notes.day(m) + ".md") as f:
        noted = [TEXTS.index(line.strip()[8:]) for line in f]
    return noted, archived


def test_a_users_forget_takes_nothing_from_others():
    m, seen = _filled("redact_users")
    of_ann = seen[1][0].longterm
    of_ann.forget(of_ann.store("The user's otter is called Fred")[1].id)
    for memory, who, id in seen:
        # hidden at once from her, and from nobody else
        there = [0, 1, 2] if who.user != seen[1][1].user else [1, 2]
        lines = list(notes.read(m, notes.day(m), who))
        assert [TEXTS.index(line[8:]) for line in lines] == there
        turns = session_archive.dropped(m.sessions, id, 0, memory.longterm)
        assert [turn[0] for turn in turns] == there
    m.longterm.compact()
    assert [_left(m, who, id) for _, who, id in seen] == [
        ([0, 1, 2], [0, 1, 2]),
        ([1, 2], [1, 2]),
        ([0, 1, 2], [0, 1, 2]),
    ]
    m.longterm.forget(m.longterm.store("The pond is deep")[1].id)
    m.longterm.compact()
    assert [_left(m, who, id)[0] for _, who, id in seen] == [[0, 2], [1, 2], [0, 1, 2]]
    assert [_left(m, who, id)[1] for _, who, id in seen] == [[0, 2], [1, 2], [0, 1, 2]]
    # Of a session that nobody has, all goes that anybody forgot.
    assert _left(m, None, "of nobody")[1] == [2]


def test_what_is_forgotten_for_everybody_leaves_the_files_of_all():
    m, seen = _filled("redact_device")
    device = m.view(scope.EVERYBODY)
    device.forget(device.store("Gate code 4711 opens the shed")[1].id)
    m.longterm.compact()
    assert [_left(m, who, id) for _, who, id in seen] == [([0, 1], [0, 1])] * 3


def test_what_was_forgotten_of_a_session_leaves_the_files_of_its_user():
    m, seen = _filled("redact_session")
    of_bob = m.view(scope.of_chat("web", "bob", seen[2][2]).of_session())
    of_bob.forget(of_bob.store("My otter is called Fred")[1].id)
    m.longterm.compact()
    assert [_left(m, who, id) for _, who, id in seen] == [
        ([0, 1, 2], [0, 1, 2]),
        ([0, 1, 2], [0, 1, 2]),
        ([1, 2], [1, 2]),
    ]


class Tight:
    """A board whose RAM holds the words of so many forgotten items, not always what follows."""

    def __init__(self, memory, most):
        self.memory = memory
        self.most = most
        self.sizes = []
        self.fails = True
        self.full = False

    def __enter__(self):
        from claw_memory import forgotten  # anew after each compaction

        self.module = forgotten
        self.part = forgotten.part
        forgotten.part = self.few
        self.memory.longterm.memory = self
        return self

    def __exit__(self, *args):
        self.module.part = self.part
        self.memory.longterm.memory = self.memory

    def few(self, lt, graves):
        if len(graves) > self.most:
            raise MemoryError
        self.sizes.append(len(graves))
        return self.part(lt, graves)

    def __getattr__(self, name):
        if name == "memory_dir" and self.full:
            raise NoSpace("no room")
        if name == "memory_dir" and len(self.sizes) == 3 and self.fails:
            self.fails = False
            raise MemoryError
        return getattr(self.memory, name)


def _forgets_many(name):
    # A memory that forgot 40 of 50 items, some of them changed before, and other items' texts.
    m = Memory(tmpdir(name), lambda: 1795984395)
    lt = m.longterm
    m.sessions.persist(SESSION, [(1, "hello", None), (2, "hello", None)], True)
    ids = [lt.store("locker %d%d7 holds a coat" % (n, n))[1].id for n in range(50)]
    for n in range(0, 50, 3):
        lt.update(ids[n], "locker %d%d8 holds a kite" % (n, n))
    with open(m.sessions.data_path(SESSION) + ".archive", "w") as f:
        for n in range(50):
            text = "my locker %d%d7 holds a coat, see" % (n, n)
            f.write(json.dumps({"turn": n, "role": "user", "content": text, "at": 5}) + "\n")
            notes.add(m, "locker %d%d8 holds a kite" % (n, n))
    for n in range(40):
        lt.forget(ids[n])
    return m


def _files(m):
    found = [sorted(read(m.memory_dir + "/history.jsonl").split(b"\n"))]
    paths = (m.longterm.records, m.memory_dir + "/" + notes.day(m) + ".md")
    return found + [read(p) for p in paths + (m.sessions.data_path(SESSION) + ".archive",)]


def test_where_ram_is_short_what_was_forgotten_is_done_in_parts():
    with Lowered(DEAD_BYTES=1 << 20):
        stores = [_forgets_many("redact_%d" % n) for n in range(3)]
    roomy, tight, nowhere = stores
    roomy.longterm.compact()
    with Tight(tight, 7) as ram:
        tight.longterm.compact()
    assert ram.sizes == [5, 5, 5] + 10 * [3], ram.sizes
    assert _files(tight) == _files(roomy)
    assert len(_files(roomy)[3].split(b"\n")) == 11
    with Tight(nowhere, 3):
        raises(MemoryError, nowhere.longterm.compact)
    assert nowhere.longterm.count() == 10
    with Tight(nowhere, 7) as ram:
        ram.full = True
        raises(NoSpace, nowhere.longterm.compact)
    assert ram.sizes == [5] and not nowhere.longterm.memo, "what hides must be all of it again"
    nowhere.longterm.compact()
    assert _files(nowhere) == _files(roomy)
