"""claw_memory.redact: what was forgotten leaves the other files at a compaction."""

import json

from bothlib import tmpdir
from claw_memory import notes, scope, session_archive
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
