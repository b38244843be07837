"""The fault zoo: each store file missing, empty, a directory, or filled with rubbish.

Whatever a file holds, opening the memory raises nothing but ClawError, what was acknowledged in
the other files is still there, and the next operations work and are there after a restart.
"""
# heap: 384K

import gc
import os

import zoo
from bothlib import raises, read, tmpdir, write
from claw_core.config import Config
from claw_memory.errors import Blocked, ClawError, Corrupt, IOFailure, NotFound
from claw_memory.sessions import FINAL, USER
from zoo import CHAT, FACTS, WHOLE, rubbish

_DIRECTORY = "directory"
_MISSING = "missing"


def _flipped(data):
    out = bytearray(data)
    for at in range(7, len(out), 61):
        out[at] ^= 0x55
    return (out,)


# name, and what becomes of the file's bytes: pieces that are written one after the other
FAULTS = (
    (_MISSING, lambda data: ()),
    (_DIRECTORY, lambda data: ()),
    ("empty", lambda data: (b"",)),
    ("newline", lambda data: (b"\n",)),
    ("nuls", lambda data: (bytes(500),) * 3),
    ("nul tail", lambda data: (data, bytes(600))),
    ("nul head", lambda data: (bytes(len(data) // 2), data[len(data) // 2 :])),
    ("binary", lambda data: (rubbish(3000),)),
    ("binary tail", lambda data: (data, rubbish(300))),
    ("half", lambda data: (data[: len(data) // 2],)),
    ("one byte short", lambda data: (data[:-1],)),
    ("flipped bits", _flipped),
    ("twice", lambda data: (data, data)),
    ("huge line", lambda data: (b"x" * 500,) * 40),
    ("huge line before", lambda data: (b"y" * 500,) * 18 + (b"\n", data)),
    ("open object", lambda data: (b'{"a":',)),
    ("deep", lambda data: (b"[" * 500,) * 6),
    ("deep complete", lambda data: (b"[" * 500,) * 4 + (b"]" * 500,) * 4 + (b"\n",)),
    ("deep objects", lambda data: (b'{"a":' * 100,) * 15 + (b"\n",)),
    ("null", lambda data: (b"null\n",)),
    ("number", lambda data: (b"123\n",)),
    ("string", lambda data: (b'"text"\n',)),
    ("list", lambda data: (b"[1,{},[]]\n",)),
    ("object", lambda data: (b'{"unknown":[1],"id":7,"version":"x"}\n',)),
    ("bad utf-8", lambda data: (b'{"id":"\xff\xfe","content":"\xc3","tags":"\xe4\xb8"}\n',)),
    ("half surrogate", lambda data: (b'{"id":"\\ud800","content":"\\udc00"}\n',)),
    ("carriage returns", lambda data: (data.replace(b"\n", b"\r\n"),)),
    ("no newlines", lambda data: (data.replace(b"\n", b" "),)),
)


def plant(name, snapshot, damaged, fault, pieces):
    """A fresh directory with the snapshot in it, one file of it damaged."""
    root = tmpdir(name)
    for path in sorted(snapshot):
        if snapshot[path] is None:
            os.mkdir(root + path)
        elif path != damaged:
            write(root + path, snapshot[path])
    if fault is _DIRECTORY:
        os.mkdir(root + damaged)
    elif fault is not _MISSING:
        with open(root + damaged, "wb") as f:
            for piece in pieces:
                f.write(piece)
    gc.collect()
    return root


def _attempt(errors, work, *args):
    # What an operation gives; a documented error is collected instead.
    try:
        return work(*args)
    except ClawError as e:
        errors.append("%s: %s" % (type(e).__name__, e))
        return None


def survive(root, ids, damaged, fault):
    """Open the damaged memory and use it; returns the documented errors that came up."""
    errors = []
    notices = []
    memory = zoo.open_memory(root, notices)
    for session in ids:
        _attempt(errors, list, memory.sessions.messages_raw(session))
        try:
            list(memory.sessions.history(session))
        except NotFound:
            assert memory.sessions.data_path(session) == root + damaged, session
        said = _attempt(errors, zoo.texts, memory, session) or []
        if memory.sessions.data_path(session) != root + damaged:
            assert said == WHOLE, said
        elif fault in ("nul tail", "binary tail", "carriage returns", "huge line before"):
            assert said == WHOLE, said
        elif fault in ("half", "one byte short"):
            assert said == WHOLE[: len(said)] and said, said
        memory.sessions.info(session)
    kept = sorted(zoo.contents(memory))
    if damaged != "/memory/memory_records.jsonl":
        assert kept == sorted(content for content, _ in FACTS), kept
        assert [item.content for item in memory.longterm.recall(("pets",))] == [FACTS[0][0]]
    elif fault in ("nul tail", "binary tail", "carriage returns", "huge line before", "twice"):
        assert kept == sorted(content for content, _ in FACTS), kept
    elif fault in ("half", "one byte short", "flipped bits"):
        assert len(kept) < len(FACTS) + 1
    list(memory.context())
    current = _attempt(errors, memory.names.current, CHAT)
    assert current, errors
    try:
        memory.names.list(CHAT)
    except (Corrupt, IOFailure) as e:
        assert damaged.startswith("/sessions/chat_map/") and damaged in str(e), e
    # The next operations.
    for session in (ids[0], ids[1], "brand new", current):
        turn = [(USER, "after", None), (FINAL, "the fault", None)]
        _attempt(errors, memory.sessions.persist, session, turn, True)
    added = _attempt(errors, memory.longterm.store, "The sky was red that day", "sky")
    _attempt(errors, memory.longterm.derive)
    _attempt(errors, memory.close)
    # A restart.
    memory = zoo.open_memory(root)
    assert zoo.texts(memory, "brand new")[:2] == ["after", "the fault"]
    for session in ids:
        if memory.sessions.data_path(session) != root + damaged:
            again = zoo.texts(memory, session)
            assert again[: len(WHOLE)] == WHOLE and again[len(WHOLE) :] in (
                ["after", "the fault"],
                ["after", "the fault"] * 2,
            ), again
    if added:
        assert "The sky was red that day" in zoo.contents(memory)
    for content in kept:
        assert content in zoo.contents(memory), content
    memory.close()
    zoo.one_sentence(notices)
    return errors


def check(choose):
    """All faults on the file that choose(paths) names; only a directory may give errors."""
    root = tmpdir("zoo0")
    ids = zoo.build(root)
    snapshot = zoo.tree(root)
    damaged = choose(snapshot)
    assert damaged in snapshot, (damaged, sorted(snapshot))
    for fault, change in FAULTS:
        root = plant("zoo", snapshot, damaged, fault, change(snapshot[damaged]))
        try:
            errors = survive(root, ids, damaged, fault)
        except Exception:
            print("fault '%s' of %s" % (fault, damaged))
            raise
        assert fault is _DIRECTORY or not errors, (fault, damaged, errors)
        if fault is _DIRECTORY and damaged.endswith((".log", ".jsonl")):
            assert errors or "digest" in damaged, damaged


def test_session_log():
    check(lambda files: zoo.first(files, "/sessions/s_", ".log"))


def test_session_index():
    check(lambda files: zoo.first(files, "/sessions/s_", ".idx"))


def test_chat_map():
    check(lambda files: zoo.first(files, "/sessions/chat_map/", ""))


def test_memory_records():
    check(lambda files: "/memory/memory_records.jsonl")


def test_memory_index():
    check(lambda files: "/memory/memory_index.json")


def test_memory_digest():
    check(lambda files: "/memory/memory_digest.log")


def test_memory_markdown():
    check(lambda files: "/memory/MEMORY.md")


def test_profile_files():
    for name in ("user.md", "soul.md", "identity.md"):
        check(lambda files, name=name: "/memory/" + name)


def test_blocked_mark():
    root = tmpdir("mark")
    ids = zoo.build(root)
    snapshot = zoo.tree(root)
    mark = zoo.first(snapshot, "/sessions/s_", ".log") + ".blocked"
    snapshot[mark] = b""
    for fault, change in FAULTS:
        root = plant("mark", snapshot, mark, fault, change(b""))
        memory = zoo.open_memory(root)
        blocked = [i for i in ids if memory.sessions.data_path(i) + ".blocked" == root + mark][0]
        if fault in (_MISSING, _DIRECTORY):
            memory.sessions.gate(blocked)
        else:
            said = str(raises(Blocked, memory.sessions.gate, blocked))
            assert "/session new" in said and "/session delete" in said
            raises(Blocked, memory.sessions.persist, blocked, [(USER, "more", None)])
        assert zoo.texts(memory, blocked) == WHOLE
        memory.close()


def test_settings():
    root = tmpdir("conf")
    zoo.config(root).set("model.name", "tiny")
    whole = read(root + "/config.json")
    for fault, change in FAULTS:
        root = plant("conf", {"/config.json": whole}, "/config.json", fault, change(whole))
        notices = []
        settings = Config(root + "/config.json", notice=notices.append)
        assert settings.get("model.name") in ("", "tiny"), fault
        assert settings.get("memory.root") == "/", fault
        assert len(list(settings.show())) > 5
        if fault in ("half", "binary", "huge line", "nuls", "deep", "list", "directory"):
            assert len(notices) >= 1, fault
        zoo.one_sentence(notices)
        if fault is _DIRECTORY:
            raises(ClawError, settings.set, "model.name", "new")
            continue
        settings.set("model.name", "new")
        again = []
        assert Config(root + "/config.json", notice=again.append).get("model.name") == "new"
        assert not [n for n in again if "cannot be read" in n], (fault, again)


def test_an_unreadable_settings_file_is_kept_aside():
    root = tmpdir("aside")
    write(root + "/config.json", b"{not json")
    zoo.config(root)
    assert read(root + "/config.bad") == b"{not json"


def test_strange_files_beside_the_stores_stay():
    root = tmpdir("stray")
    ids = zoo.build(root)
    stray = {
        "/sessions/s_notes.txt": b"mine",
        "/sessions/.hidden": b"\0",
        "/memory/photo.jpg": rubbish(700),
        "/memory/MEMORY.md.bak": b"old",
        "/sessions/chat_map/readme": b"x",
    }
    for path in stray:
        write(root + path, stray[path])
    os.mkdir(root + "/sessions/s_folder.log")
    for _ in range(2):
        memory = zoo.open_memory(root)
        for session in ids:
            assert zoo.texts(memory, session) == WHOLE
        memory.names.list(CHAT)
        assert len(zoo.contents(memory)) == len(FACTS)
        memory.close()
    for path in stray:
        assert read(root + path) == stray[path], path


def test_a_file_in_place_of_a_folder_is_one_clear_error():
    for folder in ("/sessions", "/memory"):
        root = tmpdir("blocker")
        write(root + folder, b"not a folder")
        said = str(raises(ClawError, zoo.open_memory, root))
        assert folder in said and "Traceback" not in said
        assert read(root + folder) == b"not a folder"
