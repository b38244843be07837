"""Store files larger than the whole heap: opened, used and told of, never read into RAM."""
# heap: 384K

import gc

import zoo
from bothlib import tmpdir
from claw_core.config import Config
from claw_memory.errors import ClawError, Corrupt
from claw_memory.sessions import FINAL, USER
from zoo import CHAT, FACTS, WHOLE

# name, and the piece that fills the file
FILLS = (
    ("one line of letters", b"x" * 512),
    ("one line of brackets", b'{"a":[' * 85),
    ("one open string", b'{"content":"' + b"y" * 500),
    ("lines", b'{"role":"user","content":"' + b"z" * 480 + b'"}\n'),
    ("NULs", bytes(512)),
)
SIZE = 420000  # bytes


def swell(path, piece):
    """Make the file at path SIZE bytes long, what it held at its beginning."""
    with open(path, "ab") as f:
        for _ in range(SIZE // len(piece)):
            f.write(piece)
    gc.collect()


def survive(choose):
    """Swell the file that choose names in a fresh memory, open and use that memory."""
    for name, piece in FILLS:
        root = tmpdir("huge")
        ids = zoo.build(root)
        damaged = choose(zoo.tree(root))
        gc.collect()
        swell(root + damaged, piece)
        try:
            _use(root, ids, damaged)
        except Exception:
            print("%s in %s" % (name, damaged))
            raise


def _use(root, ids, damaged):
    notices = []
    memory = zoo.open_memory(root, notices)
    for session in ids:
        if memory.sessions.data_path(session) != root + damaged:
            assert zoo.texts(memory, session) == WHOLE
        else:
            said = [t for _, t in zip(range(len(WHOLE)), _texts(memory, session))]
            assert said == WHOLE, said
    assert sorted(zoo.contents(memory)) == sorted(content for content, _ in FACTS)
    list(memory.context())
    memory.names.current(CHAT)
    try:
        memory.names.list(CHAT)
    except Corrupt:
        assert "/chat_map/" in damaged
    memory.sessions.persist("new", [(USER, "after", None), (FINAL, "all", None)], True)
    memory.longterm.store("The sky was red that day", "sky")
    memory.longterm.derive()
    memory.close()
    gc.collect()
    memory = zoo.open_memory(root)
    assert zoo.texts(memory, "new") == ["after", "all"]
    assert len(zoo.contents(memory)) == len(FACTS) + 1
    memory.close()
    zoo.one_sentence(notices)


def _texts(memory, session):
    for kind, _, raw in memory.sessions.records(session):
        if kind in (USER, FINAL):
            yield zoo.jsonio.get(zoo.session_degrade.parse(raw), "content")


def test_session_log():
    survive(lambda files: zoo.first(files, "/sessions/s_", ".log"))


def test_session_index():
    survive(lambda files: zoo.first(files, "/sessions/s_", ".idx"))


def test_chat_map():
    survive(lambda files: zoo.first(files, "/sessions/chat_map/", ""))


def test_memory_records():
    survive(lambda files: "/memory/memory_records.jsonl")


def test_memory_index():
    survive(lambda files: "/memory/memory_index.json")


def test_memory_digest():
    survive(lambda files: "/memory/memory_digest.log")


def test_memory_markdown():
    survive(lambda files: "/memory/MEMORY.md")


def test_profile():
    survive(lambda files: "/memory/user.md")


def test_settings():
    for name, piece in FILLS:
        root = tmpdir("hugeconf")
        zoo.config(root).set("model.name", "tiny")
        swell(root + "/config.json", piece)
        notices = []
        settings = Config(root + "/config.json", notice=notices.append)
        assert settings.get("model.name") == "" and len(notices) == 1, (name, notices)
        zoo.one_sentence(notices)
        try:
            settings.set("model.name", "new")
        except ClawError:
            continue
        assert zoo.config(root).get("model.name") == "new", name
