"""A small memory with everything in it, and how it is looked at and damaged: for the tests."""

import os

from bothlib import read
from claw_core.config import Config
from claw_memory import jsonio, session_degrade
from claw_memory.memory import Memory
from claw_memory.sessions import CALLS, FINAL, RESULT, USER

NOW = 1780000000
CHAT = "serial_0"
# What the store holds before it is damaged.
TURNS = (("my cat is called Pixel", "noted"), ("\u6211\u559c\u6b22\u71d5\u9ea6\u5976", "\u597d"))
FACTS = (
    ("The cat of the user is called Pixel", "pets"),
    ("\u7528\u6237\u559d\u71d5\u9ea6\u5976", "drinks"),
    ("The user plays chess on Fridays", "hobbies"),
)
CALL = b'{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function",' + (
    b'"function":{"name":"time_now","arguments":"{}"}}]}'
)
ANSWER = b'[{"role":"tool","tool_call_id":"c1","content":"12:00"}]'

# The texts of each of its sessions.
WHOLE = [part for turn in TURNS for part in turn]


def rubbish(size):
    """size bytes, the same in both runtimes, all 256 values among them."""
    out = bytearray(size)
    x = 12345
    for i in range(size):
        x = (x * 1103515245 + 12345) & 0x7FFFFFFF
        out[i] = x >> 16 & 255
    return bytes(out)


def build(root):
    """A memory with two sessions, three facts, profile files and settings; closed."""
    memory = open_memory(root)
    ids = [memory.names.current(CHAT), memory.names.new(CHAT, "other")]
    for session in ids:
        for user, final in TURNS:
            records = [(USER, user, None), (CALLS, None, CALL), (RESULT, None, ANSWER)]
            memory.sessions.persist(session, records)
            memory.sessions.persist(session, [(FINAL, final, None)], True)
    for content, tags in FACTS:
        memory.longterm.store(content, tags)
    memory.longterm.recall(("pets",))
    memory.longterm.derive()
    memory.close()
    config(root).set("model.name", "tiny")
    return ids


def open_memory(root, notices=None):
    """The memory of root, its notices kept in a list."""
    return Memory(root, clock=lambda: NOW, notice=[].append if notices is None else notices.append)


def config(root):
    """The settings of root."""
    return Config(root + "/config.json", notice=lambda sentence: None)


def tree(root, below=""):
    """{path below root: bytes, None for a directory} of all that is in root."""
    found = {}
    for name in os.listdir(root + below):
        path = below + "/" + name
        if os.stat(root + path)[0] & 0x4000:
            found[path] = None
            found.update(tree(root, path))
        else:
            found[path] = read(root + path)
    return found


def texts(memory, session):
    """Texts of the user and final records of a session, in order."""
    found = []
    for kind, _, raw in memory.sessions.records(session):
        if kind in (USER, FINAL):
            try:
                value = session_degrade.parse(raw)
            except ValueError:
                continue
            found.append(jsonio.get(value, "content") if isinstance(value, dict) else None)
    return found


def contents(memory):
    """Contents of all facts."""
    return [item.content for item in memory.longterm.list()]


def one_sentence(notices):
    """Fail when one of the texts for the user shows something of the machinery."""
    for sentence in notices:
        assert "Traceback" not in sentence and "\n" not in sentence, sentence
        assert 10 < len(sentence) < 400, sentence


def first(files, start, end):
    """The first of the paths with this start and end."""
    return sorted(n for n in files if n.startswith(start) and n.endswith(end))[0]
