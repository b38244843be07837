"""Damage to what is kept beside records and logs never keeps anyone from talking.

History, archives, notes, pins, and archive and state of a session: each is made rubbish, torn,
filled with NULs, or a folder, and then the memory is used as a chat uses it.
"""

# heap: 1M

import asyncio
import os

import claw_caps
from bothlib import Channel, Lowered, read, run, tmpdir, wipe, write
from claw_core import commands
from claw_core.agent import Agent
from claw_core.capability import Capabilities
from claw_core.config import Config
from claw_core.events import Event
from claw_core.model import Reply
from claw_core.model_openai import OpenAIModel
from claw_memory import notes, pins, session_condense
from claw_memory.errors import IOFailure
from claw_memory.memory import Memory
from claw_memory.sessions import FINAL, USER
from zoo import one_sentence, rubbish

SESSION = "chat:serial:0:default_01"
NOW = 1795953600
DAY = "/memory/2026-11-29.md"
FILES = (
    "/memory/history.jsonl",
    "/memory/archive_0.jsonl",
    "/memory/archive_1.jsonl",
    "/memory/pins.json",
    DAY,
    ".archive",
    ".state",
)
FAULTS = (
    ("a folder", None),
    ("rubbish", lambda data: rubbish(700)),
    ("rubbish behind", lambda data: data + rubbish(300)),
    ("cut", lambda data: data[: len(data) * 2 // 3]),
    ("nuls", lambda data: bytes(len(data))),
    ("nuls behind", lambda data: data + bytes(300)),
    ("other json", lambda data: b'{"id":7,"at":[],"content":{},"archive":"x"}\nnull\n[[]]\n7\n'),
    ("deep", lambda data: b"[" * 900),
)


class Echo:
    """A model that reads the whole prompt and answers."""

    name = "echo"
    backend = 1
    asked = ""

    def __init__(self):
        self.wire = OpenAIModel("http://x", "m")

    async def ask(self, request, sink):
        await asyncio.sleep(0)
        self.asked = str(b"".join(self.wire.body(request)), "utf-8")
        sink.text("I see.")
        return Reply()


class Chat:
    """An agent over the memory in root."""

    def __init__(self, root):
        self.told = []
        self.memory = Memory(root, clock=lambda: NOW, notice=self.told.append)
        self.model = Echo()
        config = Config(root + "/c.json")
        caps = Capabilities()
        claw_caps.register_all(caps, self.memory, config)
        self.channel = Channel()
        self.agent = Agent(self.memory, caps, self.model, self.model, [self.channel], config)

    def say(self, text):
        """What is shown; an error fails the test."""
        del self.channel.shown[:]
        if text[0] == "/":
            run(commands.run(self.agent, Event("serial", "0", text), self.channel))
        else:
            run(self.agent.handle(Event("serial", "0", text)))
        assert not [text for kind, text in self.channel.shown if kind == "error"], (
            self.channel.shown
        )
        return "\n".join([text for _, text in self.channel.shown])


def build(root):
    """Fill root, so that all of FILES are there and matter; {path: bytes}."""
    chat = Chat(root)
    memory = chat.memory
    lt = memory.longterm
    lt.store("The cat is called Pixel", "pet", id="cat")
    lt.update("cat", "The cat is called Vertex")
    for n in range(8):
        lt.store("Fact number %d alone" % n, "x", id="fact-%d" % n)
    lt.compact()
    for n in range(8, 12):
        lt.store("Fact number %d alone" % n, "x")
    pins.pin(lt, lt.list().__next__().id, True)
    lt.compact()
    notes.add(memory, "bought tea")
    for n in range(4):
        memory.sessions.persist(SESSION, [(USER, "question %d" % n, None)])
        memory.sessions.persist(SESSION, [(FINAL, "answer %d" % n, None)], True)
    memory.names.current("chat:serial:0")
    change = memory.sessions.condensing(SESSION)
    change.write(change.cut(0, 2), session_condense.record("they spoke"))
    # What is forgotten makes others look into the files.
    lt.store("The dog is called Rex", "pet", id="dog")
    lt.forget("dog")
    memory.close()
    log = memory.sessions.data_path(SESSION)[len(root) :]
    paths = [log + name if name[0] == "." else name for name in FILES]
    return {path: read(root + path) for path in paths}


def damage(root, path, fault):
    wipe(root + path)
    if fault is None:
        os.mkdir(root + path)
    else:
        write(root + path, fault)


def use(root, what):
    """A chat, and what people look at, over damaged files."""
    for _ in range(2):
        chat = Chat(root)
        lt = chat.memory.longterm
        assert lt.count() == 4
        for n in range(2):
            assert "I see." in chat.say("hello %d" % n), what
            assert "hello %d" % n in chat.model.asked
        for line in ("list", "why 1", "history 1", "export", "stats", "find tea", "find question"):
            chat.say("/memory " + line)
        for line in ("/session show", "/session show 1", "/session list", "/status"):
            chat.say(line)
        change = chat.memory.sessions.condensing(SESSION)
        change.write(change.cut(0, 2), session_condense.record("they spoke"))
        lt.store("A thing of %s" % what)
        try:
            notes.add(chat.memory, "a note of %s" % what)
        except IOFailure as e:  # a note has a name that means something: nothing takes it away
            assert (
                str(e) == root + DAY + " is a folder, but has to be a file: give it another name."
            )
        chat.memory.rest()
        chat.memory.idle()
        lt.compact()
        assert "I see." in chat.say("and then?")
        one_sentence(chat.told)
        assert len(set(chat.told)) == len(chat.told) < 3, chat.told
        chat.memory.close()


def damaged(chat):
    """What /memory stats says of damage."""
    lines = chat.say("/memory stats").split("\n")
    return [line for line in lines if line.startswith("damaged: ")]


def test_a_chat_goes_on_whatever_is_damaged():
    with Lowered(ITEMS=4, ARCHIVE_FILE_BYTES=900):
        for path in FILES:
            for name, change in FAULTS:
                root = tmpdir("extras")
                files = build(root)
                (full,) = [p for p in files if p.endswith(path)]
                assert damaged(Chat(root)) == []
                damage(root, full, change and change(files[full]))
                try:
                    told = damaged(Chat(root))
                    # of text nobody can tell that it was longer, nor what is no JSON
                    if path != DAY or name not in ("cut", "other json", "deep"):
                        assert len(told) == 1 and root + full in told[0], told
                        assert told[0].endswith("; all else is in use")
                    use(root, name)
                except Exception:
                    print("fault '%s' of %s" % (name, full))
                    raise


def test_what_is_wholly_destroyed_is_not_said_to_be_in_use():
    root = tmpdir("extras_all")
    Chat(root)
    write(root + "/memory/history.jsonl", b"\xff" * 300 + b"\n\n" + b"\xff" * 300)
    write(root + "/memory/2026-11-20.md", b"- fine\n\n- \xff\n")
    (told,) = damaged(Chat(root))
    assert told == (
        "damaged: all of %s/memory/history.jsonl, 1 line of %s/memory/2026-11-20.md; "
        "all else is in use" % (root, root)
    ), told


def test_many_damaged_files_are_one_sentence():
    root = tmpdir("extras_many")
    chat = Chat(root)
    for n in range(10, 24):
        write(root + "/memory/2026-11-%d.md" % n, b"- fine\n- \xff\n- 1\0\n")
    (told,) = damaged(chat)
    assert told.startswith("damaged: 2 lines of %s/memory/2026-11-" % root)
    assert told.count("2 lines of ") == 8 and told.endswith(", 6 more files; all else is in use")
