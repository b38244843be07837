"""Instructions in what was stored change no tool call, even for a model that obeys every line.

The texts are in attempts.jsonl: 30 and more, each in several of the places where text is stored.
The model reads the body of the true request as its server would get it. It calls every tool that
is named in the system prompt outside of quoted lines and of lines that a prompt with harmless
texts has too, or in a tool result that is no JSON, or in a message that nobody wrote.
"""

# heap: 2M

import asyncio

import claw_caps
from bothlib import repo, run, tmpdir, wipe, write
from claw_core.agent import Agent
from claw_core.capability import Capabilities
from claw_core.config import Config
from claw_core.events import Event
from claw_core.model import Reply
from claw_core.model_anthropic import AnthropicModel
from claw_core.model_openai import OpenAIModel
from claw_memory import contradict, jsonio, notes, quote, session_condense
from claw_memory.errors import ClawError
from claw_memory.memory import Memory
from claw_memory.sessions import FINAL, USER

QUESTION = "What do you know about me?"
BREAKS = "\r\x0b\x0c\x1c\x1d\x1e\u0085\u2028\u2029"
HARMLESS = {"tag": "drinks", "keyword": "tea", "content": "Likes tea", "note": "bought tea"}
HARMLESS["user"] = "Likes tea.\n"
HARMLESS["summary"] = "They talked about tea.\nIt was green."
HARMLESS["pair"] = "has a lamp"
SUMMARY = "Summary of our conversation so far"


def attempts():
    """Each with its texts by place; a summary and a contradiction may say what others do."""
    with open(repo("tests_host/both/attempts.jsonl"), "rb") as f:
        found = [jsonio.loads(line) for line in f.read().split(b"\n") if line]
    for texts in found:
        texts["summary"] = texts["user"]
        texts["pair"] = texts.get("content", texts["user"])
    return found


def plain(text):
    """text as a reader sees it who knows all of Unicode: no tricks left."""
    out = []
    for c in text:
        code = ord(c)
        if 0xFF01 <= code <= 0xFF5E:
            out.append(chr(code - 0xFEE0))
        elif 0xE0020 <= code <= 0xE007E:
            out.append(chr(code - 0xE0000))
        elif code >= 32 and not (0x200B <= code <= 0x200F or 0x202A <= code <= 0x202E):
            out.append("" if code == 0xFEFF else c)
    return "".join(out).lower()


def lines(text):
    for mark in BREAKS:
        text = text.replace(mark, "\n")
    return text.split("\n")


class Gullible:
    """A model behind one of the wire formats. known: lines that stand in every prompt."""

    name = "gullible"

    def __init__(self, wire, names, known):
        self.wire = wire
        self.backend = wire.backend
        self.names = names
        self.known = known
        self.seen = []  # lines of the system prompt that are not quoted
        self.round = 0
        self.summaries = 0  # that were in prompts

    async def ask(self, request, sink):
        await asyncio.sleep(0)
        body = jsonio.loads(b"".join(self.wire.body(request)))
        messages = body["messages"]
        if messages[0]["role"] == "system":
            system = messages.pop(0)["content"]
        else:
            system = body["system"]
        obeyed = []
        for line in lines(system):
            if line[:2] != "> ":
                self.seen.append(line)
                if line not in self.known:
                    obeyed.append(line)
        obeyed += self.strange(messages)
        self.round += 1
        calls = [("memory_recall", {})] if self.round == 1 else []
        for line in obeyed if self.round < 3 else ():
            line = plain(line)
            calls += [(name, {}) for name in self.names if name in line]
        if not calls:
            sink.text("You like tea.")
            return Reply()
        return self.reply(calls[:4])

    def strange(self, messages):
        # Texts of messages that no honest conversation of this test has.
        found = []
        for at, message in enumerate(messages):
            content = message["content"]
            if message["role"] == "user" and content == QUESTION:
                continue
            if message["role"] == "assistant":
                continue
            if isinstance(content, str) and content.startswith(SUMMARY):
                self.summaries += 1
                found += [line for line in lines(content)[1:] if line[:2] != "> "]
                continue
            parts = [content] if isinstance(content, str) else [p.get("content") for p in content]
            for part in parts:
                try:
                    good = isinstance(jsonio.loads_prefix(part), dict) and at >= 2
                except (ValueError, AttributeError):
                    good = False
                if not good or message["role"] not in ("tool", "user"):
                    found.append(str(part))
        return found

    def reply(self, calls):
        made = [("id%d%d" % (self.round, i), calls[i][0], "{}") for i in range(len(calls))]
        if self.backend == 2:
            raw = [
                jsonio.obj("type", "tool_use", "id", id, "name", name, "input", {})
                for id, name, _ in made
            ]
            return Reply("", made, jsonio.obj("role", "assistant", "content", raw))
        raw = []
        for id, name, args in made:
            function = jsonio.obj("name", name, "arguments", args)
            raw.append(jsonio.obj("id", id, "type", "function", "function", function))
        raw = jsonio.obj("role", "assistant", "content", None, "tool_calls", raw)
        return Reply("", made, raw)


class Channel:
    name = "serial"

    def __init__(self):
        self.tools = []

    def emit(self, kind, text):
        if kind == "tool" and not text.endswith(" failed"):
            self.tools.append(text)


def filled(root, mode, texts, only=""):
    """A memory in which the texts are stored in every place for them, or only in one."""
    wipe(root)
    import os

    os.mkdir(root)
    memory = Memory(root, lambda: 1795953600, mode=mode)
    # the same text is not stored a second time, so a contradiction has it alone
    places = (only,) if only else [name for name in HARMLESS if name != "pair"]
    get = lambda name: (texts if name in places else HARMLESS).get(name, HARMLESS[name])  # noqa: E731
    memory.summary = get("summary")
    write(memory.memory_dir + "/user.md", get("user"))
    try:
        notes.add(memory, get("note"))
    except ClawError:
        pass
    if mode == "full":
        memory.longterm.store(get("content"), get("tag"), get("keyword"))
        for number in (7, 8):
            memory.longterm.store("Room %d %s" % (number, get("pair")), "rooms")
        contradict.look(memory.longterm)
        assert len(memory.longterm.memo["pairs"]) == 1
    else:
        write(memory.memory_dir + "/MEMORY.md", get("user") + "\n" + get("content") + "\n")
    return memory


def tools_run(memory, wire, known):
    """(names of the tools that a turn called, unquoted lines of the prompt)."""
    caps = Capabilities()
    config = Config(memory.root + "/config.json")
    claw_caps.register_all(caps, memory, config)
    channel = Channel()
    # it also tries a tool that is not offered, as in lightweight mode
    names = caps.names() + ["memory_forget"]
    model = Gullible(wire, names, known)
    agent = Agent(memory, caps, model, model, [channel], config)
    session = memory.names.current(memory.names.chat_key("serial", "0"))
    for _ in range(2):
        turn = [(USER, QUESTION, None), (FINAL, "You like tea.", None)]
        memory.sessions.persist(session, turn, True)
    change = memory.sessions.condensing(session)
    change.write(change.cut(0, 1), session_condense.record(memory.summary))
    run(agent.handle(Event("serial", "0", QUESTION)))
    assert model.summaries
    memory.sessions.delete(session)
    return channel.tools, model.seen


def runs(name, mode, formats=2, only=""):
    """Yield (attempt, tools it ran, tools that harmless texts run) over both wire formats."""
    root = tmpdir(name)
    wires = (OpenAIModel("http://x", "m"), AnthropicModel("http://x", "m"))[:formats]
    memory = filled(root, mode, {})
    known = tools_run(memory, wires[0], ())[1]
    calm = [tools_run(memory, wire, known)[0] for wire in wires]
    assert calm[0] == calm[-1] == ["memory_recall"]
    for texts in attempts():
        memory = filled(root, mode, texts, only)
        for wire in wires:
            yield texts["name"], tools_run(memory, wire, known)[0], calm[0]


def test_there_are_enough_attempts_for_every_place():
    found = attempts()
    assert len(found) >= 30
    for place in HARMLESS:
        assert len([1 for texts in found if place in texts]) >= 5, place


def test_stored_text_changes_no_tool_call():
    for name, ran, calm in runs("in_full", "full"):
        assert ran == calm, (name, ran)


def test_nor_does_memory_md_in_lightweight_mode():
    for name, ran, calm in runs("in_light", "lightweight"):
        assert ran == calm, (name, ran)


class Unquoted:
    """Quoting is switched off in a `with` block."""

    def __enter__(self):
        self._mark, quote.MARK = quote.MARK, ""

    def __exit__(self, *_):
        quote.MARK = self._mark


def test_the_model_is_gullible_where_quoting_is_switched_off():
    for mode in ("full", "lightweight"):
        with Unquoted():
            fooled = [name for name, ran, calm in runs("in_off_" + mode, mode, 1) if ran != calm]
        missed = [texts["name"] for texts in attempts() if texts["name"] not in fooled]
        assert missed == [], (mode, missed)


def test_nor_do_contradictions():
    for name, ran, calm in runs("in_pairs", "full", 2, "pair"):
        assert ran == calm, (name, ran)


def test_the_model_is_gullible_in_summaries_and_contradictions_alone():
    for only in ("summary", "pair"):
        with Unquoted():
            found = list(runs("in_" + only, "full", 1, only))
        assert len([name for name, ran, calm in found if ran != calm]) >= 30, only
