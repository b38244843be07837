"""Stores with random histories, made by the firmware itself: what is damaged afterwards."""

import os
import struct

from bothlib import read, wipe
from claw_core.config import Config
from claw_memory import archive, durable, limits, notes, pins, session_names, sessions
from claw_memory.errors import Blocked
from claw_memory.memory import Memory
from claw_memory.sessions import CALLS, FINAL, RESULT, USER
from rng import Rng

NOW = 1780000000
CHATS = ("chat:serial:0", "chat:web:\u732b 7")
_WORDS = (
    "cat Pixel likes tuna oat milk chess Friday York red bike \u732b \u559c\u6b22 \u9c7c"
    ' caf\u00e9 "quoted" back\\slash tab\there \U0001f408 {"id":"x"} [1,2] :;,| 42'
).split(" ")
_TAGS = ("pets", "drinks", "hobbies", "\u98df\u7269", "dietary_preferences", "a,b", "")


class Store:
    """files: {path below the root: bytes}; ids: {path of a log: session id}."""

    def __init__(self, files, ids):
        self.files = files
        self.ids = ids


def words(rng, most):
    """A text of one to `most` words."""
    return " ".join([rng.pick(_WORDS) for _ in range(1 + rng.below(most))])


def open_memory(root, notices, backend="openai_compatible", mode="full"):
    """The Memory of root; what it tells the user goes into the list notices."""
    return Memory(root, lambda: NOW, backend, mode, notice=notices.append)


def open_config(root, notices):
    """The settings of root."""
    return Config(root + "/config.json", notice=notices.append)


def make(root, number):
    """Store of this number, built in the directory root, which is empty before and afterwards."""
    rng = Rng(number, 99)
    limits.SESSION_BYTES = 153600
    os.mkdir(root)
    backend = "anthropic_compatible" if rng.chance(20) else "openai_compatible"
    memory = open_memory(root, [], backend)
    chat_sessions = _names(memory, rng)
    for _ in range(2 + rng.below(8)):
        _turn(memory.sessions, rng.pick(chat_sessions), rng, backend)
        if rng.chance(10):
            limits.SESSION_BYTES = 900
            _turn(memory.sessions, rng.pick(chat_sessions), rng, backend)
            limits.SESSION_BYTES = 153600
    for _ in range(rng.below(20)):
        _change(memory.longterm, rng)
    if rng.chance(30):
        _keep(memory.longterm, rng)
    if rng.chance(70):
        memory.longterm.derive()
        memory.longterm.recall()
    if rng.chance(70):
        memory.close()
    for _ in range(rng.below(6)):
        notes.add(memory, words(rng, 12))
    folder = memory.memory_dir
    for name in ("agents", "tools", "bootstrap"):
        if rng.chance(40):
            durable.replace(folder + "/" + name + ".md", (words(rng, 60).encode(),))
    if rng.chance(50):
        durable.make_dirs(root + "/skills")
        durable.replace(root + "/skills/memory.md", (words(rng, 90).encode(),))
    settings = open_config(root, [])
    settings.set("model.name", words(rng, 3))
    settings.set("model.key", "sk-%d" % rng.below(1000))
    files = tree(root)
    wipe(root)
    ids = {}
    for session in chat_sessions:
        path = "/sessions/" + sessions.file_name(session)
        ids[path] = session
        if path in files and rng.chance(5):
            files[path + ".blocked"] = b""
    if rng.chance(25):
        _add_foreign_session(files, ids, rng)
    if rng.chance(25) and "/memory/memory_records.jsonl" in files:
        files["/memory/memory_records.jsonl"] += (
            b'{"note":"not an item"}\n{"id":"mem-other","content":"From elsewhere %d",'
            b'"source":"other","tags":"x","mood":[1]}\n' % number
        )
    return Store(files, ids)


def _names(memory, rng):
    found = []
    for chat in CHATS[: 1 + rng.below(2)]:
        found.append(memory.names.current(chat))
        for alias in ("work", "\u002d7", None)[: rng.below(4)]:
            found.append(memory.names.new(chat, alias))
        if rng.chance(30):
            found.append(memory.names.subagents(found[-1]).new())
    return found


def _turn(store, session, rng, backend):
    records = [(USER, words(rng, 12), None)]
    if rng.chance(40):
        quoted = '"c%d"' % rng.below(100)
        if backend[0] == "o":
            call = '{"role":"assistant","content":null,"tool_calls":[{"id":%s,"type":"function",'
            call += '"function":{"name":"time_now","arguments":"{}"}}]}'
            result = '[{"role":"tool","tool_call_id":%s,"content":"12:00"}]'
        else:
            call = '{"role":"assistant","content":[{"type":"tool_use","id":%s,"name":"t",'
            call += '"input":{}}]}'
            result = '[{"role":"user","content":[{"type":"tool_result","tool_use_id":%s,'
            result += '"content":"12:00"}]}]'
        records += [(CALLS, None, call % quoted), (RESULT, None, result % quoted)]
    try:
        store.persist(session, records)
        if rng.chance(90):
            store.persist(session, [(FINAL, words(rng, 20), None)], True)
    except Blocked:
        pass


def _change(lt, rng):
    what = rng.below(10)
    known = [item.id for item in lt.list()]
    known.sort()
    if what < 6 or not known:
        lt.store(words(rng, 10) + " %d" % rng.below(1000), rng.pick(_TAGS), words(rng, 2))
    elif what == 6:
        lt.update(rng.pick(known), words(rng, 8), rng.pick(_TAGS))
    elif what == 7:
        lt.forget(rng.pick(known))
    elif what == 8 or rng.chance(60):
        lt.recall((), 1 + rng.below(4))
    else:
        lt.compact()


def _keep(lt, rng):
    # history, pins and archive, so that these are damaged, too
    known = [item.id for item in lt.list()]
    known.sort()
    if known:
        pins.pin(lt, rng.pick(known), True)
        lt.update(rng.pick(known), words(rng, 8))
    whole, limits.ITEMS = limits.ITEMS, 4
    lt.compact()
    limits.ITEMS = whole
    if rng.chance(50):
        for item in list(archive.entries(lt))[:1]:
            archive.bring_back(lt, item.id)


def _add_foreign_session(files, ids, rng):
    # As ESP-Claw writes it: records may hold newlines, only the index delimits those.
    session = session_names.chat_key("other", rng.below(1000)) + ":default_01"
    log = b""
    index = b"CHDX\x01\x00\x0a\x00"
    for turn in range(1 + rng.below(5)):
        for kind, role in ((USER, b"user"), (FINAL, b"assistant")):
            raw = b'{"role":"' + role + rng.pick((b'",\n', b'",\n\t', b'",'))
            raw += b'"content":"%d %s"}\n' % (turn, rng.pick((b"yes", "\u732b".encode(), b"{")))
            index += struct.pack("<IIBB", len(log), len(raw), kind, 1)
            log += raw
    path = "/sessions/" + sessions.file_name(session)
    files[path] = log
    files[path + ".idx"] = index
    ids[path] = session


def tree(root, below=""):
    """{path below root: bytes} of all files in root."""
    found = {}
    for name in os.listdir(root + below):
        path = below + "/" + name
        if os.stat(root + path)[0] & 0x4000:
            found.update(tree(root, path))
        else:
            found[path] = read(root + path)
    return found


def plant(root, files):
    """Make root a directory with these files."""
    os.mkdir(root)
    made = {root}
    for path in sorted(files):
        at = path.find("/", 1)
        while at > 0:
            if path[:at] not in made:
                os.mkdir(root + path[:at])
                made.add(path[:at])
            at = path.find("/", at + 1)
        with open(root + path, "wb") as f:
            f.write(files[path])
