"""The agent: turns, tool rounds, failures and interrupts, with models that follow a script."""

# heap: 1M

import asyncio

from bothlib import Channel, run, tmpdir, write

from claw_core.agent import Agent
from claw_core.capability import Capabilities
from claw_core.config import Config
from claw_core.context import Request
from claw_core.events import Event
from claw_core.model import ModelError, Reply
from claw_memory import jsonio, limits
from claw_memory.memory import Memory


class Model:
    """Takes the steps of a script: a str is an answer, a list are calls, an error is raised."""

    backend = 1

    def __init__(self, *script, name="scripted"):
        self.name = name
        self.script = list(script)
        self.requests = []

    async def ask(self, request, sink):
        self.requests.append([jsonio.loads(m) for m in request.messages()])
        await asyncio.sleep(0)
        step = self.script.pop(0) if self.script else "the end"
        if isinstance(step, Exception):
            raise step
        if isinstance(step, Reply):
            sink.text(step.text)
            return step
        if isinstance(step, str):
            for start in range(0, len(step), 7):
                sink.text(step[start : start + 7])
            if step.endswith("..."):
                await asyncio.sleep(60)
            return Reply()
        calls = [("id%d" % i, name, args) for i, (name, args) in enumerate(step)]
        stored = []
        for call_id, name, args in calls:
            function = jsonio.obj("name", name, "arguments", args)
            stored.append(jsonio.obj("id", call_id, "type", "function", "function", function))
        raw = jsonio.obj("role", "assistant", "content", None, "tool_calls", stored)
        return Reply("", calls, raw)


class Bench:
    """An agent over a memory in a fresh directory, with two tools."""

    def __init__(self, name, *script, offline=("offline answer",)):
        self.root = tmpdir(name)
        self.memory = Memory(self.root, mode="lightweight")
        self.channel = Channel()
        self.config = Config(self.root + "/config.json")
        self.model = Model(*script)
        self.calls = []
        caps = Capabilities()
        schema = '{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}'
        caps.add("echo", "Say it again.", schema, self._echo)
        caps.add("clock", "The time.", '{"type":"object"}', self._clock, exempt=True)
        caps.add("slow", "Waits.", '{"type":"object"}', self._slow)
        offline = Model(*offline, name="offline")
        self.agent = Agent(self.memory, caps, self.model, offline, [self.channel], self.config)
        self.id = self.memory.names.current(self.memory.names.chat_key("serial", "0"))

    def _echo(self, args, ctx):
        self.calls.append((args["a"], ctx.session_id, ctx.request_id))
        return args["a"]

    def _clock(self, args, ctx):
        return "noon"

    async def _slow(self, args, ctx):
        await asyncio.sleep(60)
        return "done"

    def say(self, text):
        """One event handled; returns the answer that was shown."""
        self.channel.shown = []
        run(self.agent.handle(Event("serial", "0", text)))
        assert self.channel.shown[-1] == ("done", "")
        return self.channel.text()

    def stored(self):
        """The messages of the session as (role, content)."""
        return [(m["role"], m["content"]) for m in self.memory.sessions.history(self.id)]


def test_a_plain_answer_is_shown_and_stored_once():
    bench = Bench("plain", "hello there", "again")
    assert bench.say("hi") == "hello there"
    assert bench.stored() == [("user", "hi"), ("assistant", "hello there")]
    assert bench.say("hi 2") == "again"
    (first, second) = bench.model.requests
    assert [m["content"] for m in first] == ["hi"]
    assert [m["content"] for m in second] == ["hi", "hello there", "hi 2"]


def test_tool_rounds_are_stored_as_they_happen():
    bench = Bench("rounds", [("echo", '{"a":"x"}'), ("echo", '{"a":"y"}')], "done")
    assert bench.say("go") == "done"
    assert bench.calls == [("x", bench.id, 1), ("y", bench.id, 1)]
    assert bench.stored() == [
        ("user", "go"),
        ("assistant", None),
        ("tool", "x"),
        ("tool", "y"),
        ("assistant", "done"),
    ]
    second = bench.model.requests[1]
    assert [m["role"] for m in second] == ["user", "assistant", "tool", "tool"]
    assert [m["tool_call_id"] for m in second[2:]] == ["id0", "id1"]
    assert bench.channel.of("tool") == ["echo", "echo"]


def test_calls_that_cannot_work_become_results_that_the_model_can_read():
    bench = Bench(
        "bad",
        [
            ("nothing", "{}"),
            ("echo", "{"),
            ("echo", '{"a":1}'),
            ("echo", "{}"),
            ("echo", None),
        ],
        "sorry",
    )
    bench.agent.caps.add("broken", "Fails.", "{}", lambda args, ctx: 1 // 0)
    bench.model.script.insert(1, [("broken", "")])
    assert bench.say("go") == "sorry"
    results = [m for m in bench.memory.sessions.history(bench.id) if m["role"] == "tool"]
    errors = [jsonio.loads(m["content"])["error"] for m in results]
    assert errors == [
        "unknown_tool",
        "invalid_json",
        "invalid_arguments",
        "invalid_arguments",
        "the arguments of all calls together are over 8192 bytes",
        "failed",
    ]
    assert all(m["is_error"] is True for m in results)


def test_the_same_call_with_the_same_result_ends_the_turn_the_third_time():
    same = [("echo", '{"a":"x"}')]
    bench = Bench("circle", same, [("echo", '{ "a": "x" }')], same, "never")
    text = bench.say("go")
    assert "echo" in text and "3 times" in text
    assert len(bench.model.requests) == 3
    results = [content for role, content in bench.stored() if role == "tool"]
    assert results[0] == "x" and "before" in results[1]
    assert bench.stored()[-1] == ("assistant", text)
    other = [("clock", "{}")]
    bench = Bench("exempt", other, other, other, other, "noon it is")
    assert bench.say("go") == "noon it is"


def test_endless_rounds_and_empty_answers_end_in_a_sentence():
    script = [[("echo", '{"a":"%d"}' % i)] for i in range(20)]
    bench = Bench("endless", *script)
    text = bench.say("go")
    assert "10 rounds" in text
    assert len(bench.model.requests) == 11 and len(bench.calls) == 10
    assert bench.stored()[-1] == ("assistant", text)
    bench = Bench("empty", "", "back")
    assert "empty answer" in bench.say("go")
    assert bench.say("go") == "back"


def test_long_tool_results_cannot_fill_a_session():
    script = [[("echo", '{"a":"%d%s"}' % (i, "y" * 7900))] for i in range(10)]
    bench = Bench("long", *script)
    assert "took more than 49152 bytes" in bench.say("go")
    _, size, _ = bench.memory.sessions.info(bench.id)
    assert 49152 < size < 60000
    results = [content for role, content in bench.stored() if role == "tool"]
    assert "[cut: the result had 7901 bytes]" in results[-1]
    bench = Bench("longer", [("echo", '{"a":"x"}'), ("echo", None)], "fine")
    bench.agent.caps.add("echo", "Says much.", "{}", lambda args, ctx: "记" * 5000)
    assert bench.say("go") == "fine"
    (result, _) = [content for role, content in bench.stored() if role == "tool"]
    assert result.endswith("[cut: the result had 15000 bytes]") and len(result.encode()) < 8300


def test_an_unreachable_server_is_explained_and_tried_again():
    bench = Bench("offline", ModelError("No way to h.", "unreachable"), "back online")
    assert bench.say("hi") == "offline answer"
    assert bench.channel.of("error") == ["No way to h."]
    assert bench.agent.last_error == "No way to h."
    assert bench.say("hi") == "back online"
    assert bench.channel.of("error") == []


def test_the_offline_model_goes_on_after_a_tool_round():
    bench = Bench(
        "midway", [("echo", '{"a":"x"}')], ModelError("Gone."), offline=("I saw x (offline)",)
    )
    assert bench.say("hi") == "I saw x (offline)"
    assert [role for role, _ in bench.stored()] == ["user", "assistant", "tool", "assistant"]


def test_a_failed_turn_is_stored_for_the_next_prompt():
    bench = Bench("failed", ModelError("A."), "fine", offline=(ModelError("B."),))
    assert bench.say("hi") == ""
    assert bench.channel.of("error") == ["A.", "B."]
    assert bench.stored()[-1] == ("assistant", "[no answer: B.]")
    assert bench.say("hi") == "fine"


def test_a_busy_server_is_asked_again():
    limits.RETRIES, before = 2, limits.RETRIES
    bench = Bench("busy", ModelError("Busy.", "busy", 0), "at last")
    assert bench.say("hi") == "at last"
    assert bench.channel.of("error") == []
    busy = ModelError("Busy.", "busy", 0)
    long = ModelError("Busy.", "busy", 3600)
    bench = Bench("busier", long, "not asked", offline=("off",))
    assert bench.say("hi") == "off"
    limits.RETRIES = 0
    bench = Bench("busiest", busy, "not asked", offline=("off",))
    assert bench.say("hi") == "off"
    limits.RETRIES = before


def test_a_request_that_is_too_long_is_shortened():
    bench = Bench("context")
    bench.model.script = ["a" * 3000] * 6
    for number in range(6):
        bench.say("question %d" % number)
    # no summary comes either: what is sent is shortened for this turn
    script = [ModelError("Too long.", "context"), ModelError("No.", "status"), "short enough"]
    bench.model.script = script
    bench.model.requests = []
    assert bench.say("last") == "short enough"
    full, _, short = bench.model.requests
    assert len(full) == 13 and 0 < len(short) < 7 and short[0]["role"] == "user"
    assert short[-1]["content"] == "last"
    bench.model.script = [ModelError("Too long.", "context")] * 20
    bench.model.requests = []
    assert bench.say("hopeless") == "offline answer"
    assert len(bench.model.requests) == 2


def test_a_cut_answer_is_stored_as_such():
    bench = Bench("cut", Reply("half an ans", cut="h broke off."))
    assert bench.say("hi") == "half an ans"
    assert bench.channel.of("error") == ["h broke off."]
    assert bench.stored()[-1] == ("assistant", "half an ans [cut: h broke off.]")


def test_a_long_answer_is_shown_whole_and_stored_with_a_mark():
    bench = Bench("longest", "记忆 " * 5000)
    assert len(bench.say("hi")) == 15000
    role, content = bench.stored()[-1]
    assert content.endswith("the answer had 15000 characters]")
    assert 3900 < len(content) <= 4096 - 100


def test_a_stopped_reply_keeps_what_came():
    bench = Bench("stop", "so far...", "next")

    async def scene():
        task = asyncio.create_task(bench.agent.handle(Event("serial", "0", "hi")))
        while bench.channel.text() != "so far...":
            await asyncio.sleep(0)
        assert bench.agent.interrupt() is True
        await task

    run(scene())
    assert bench.agent.interrupt() is False
    assert bench.channel.shown[-2:] == [("info", "[stopped]"), ("done", "")]
    assert bench.stored()[-1] == ("assistant", "so far... [stopped by the user]")
    assert bench.say("hi") == "next"


def test_a_stopped_tool_leaves_a_sound_history():
    bench = Bench("stop_tool", [("echo", '{"a":"x"}'), ("slow", "{}")], "next")

    async def scene():
        task = asyncio.create_task(bench.agent.handle(Event("serial", "0", "hi")))
        while bench.channel.of("tool") != ["echo", "slow"]:
            await asyncio.sleep(0)
        bench.agent.interrupt()
        await task

    run(scene())
    assert [m for m in bench.stored() if m[0] == "tool"] == [
        ("tool", "x"),
        ("tool", "not finished: stopped by the user"),
    ]
    assert bench.say("hi") == "next"
    assert [m["role"] for m in bench.model.requests[-1]] == (
        ["user", "assistant", "tool", "tool", "assistant", "user"]
    )


def test_a_blocked_session_is_refused_with_what_to_do():
    bench = Bench("blocked", "a", "b")
    bench.say("hi")
    bench.memory.sessions.close()
    write(bench.memory.sessions.data_path(bench.id) + ".blocked", b"")
    assert bench.say("more") == ""
    (error,) = bench.channel.of("error")
    assert "/session new" in error and "/session delete" in error
    assert len(bench.stored()) == 2


def test_errors_inside_are_one_sentence_without_secrets():
    bench = Bench("inside", ValueError("sk-secret is bad"), "fine")
    bench.config.set("model.key", "sk-secret")
    bench.say("hi")
    (error,) = bench.channel.of("error")
    assert "ValueError" in error and "sk-secret" not in error
    assert bench.say("hi") == "fine"
    bench = Bench("memory", MemoryError(), "second try", MemoryError(), MemoryError(), "fine")
    assert bench.say("hi") == "second try"
    bench.say("hi")
    assert "not enough memory" in bench.channel.of("error")[0]
    assert bench.say("hi") == "fine"


def test_without_memory_a_message_is_stored_with_an_answer_or_not_at_all():
    bench = Bench("half", "fine")
    sessions = bench.memory.sessions
    number, persist = sessions.turn_number, sessions.persist

    def short(*args, **named):
        raise MemoryError

    sessions.persist = short
    bench.say("not stored")
    sessions.persist = persist
    sessions.turn_number = short
    bench.say("stored")
    assert "not enough memory" in bench.channel.of("error")[0]
    sessions.turn_number = number
    (role, content), (second, answer) = bench.stored()
    assert (role, content, second) == ("user", "stored", "assistant")
    assert answer.startswith("[no answer: There is not enough memory")
    assert bench.say("hi") == "fine"


def test_the_chat_goes_on_when_there_is_no_memory_to_report_or_to_rest():
    bench = Bench("report", MemoryError(), MemoryError(), "fine", "finer")
    bench.config.redact = bench.memory.rest = _short
    bench.say("hi")
    assert "not enough memory" in bench.channel.of("error")[0]
    assert "not enough memory" in bench.agent.last_error
    assert bench.say("hi") == "fine"

    agent, emitted = bench.agent, bench.channel.emit
    for kind in ("text", "done"):  # without the second the channel would wait for ever
        failed = []

        def emit(got, text, kind=kind, failed=failed):
            if got == kind and not failed:
                failed.append(got)
                raise MemoryError
            emitted(got, text)
            agent.leaving = got == "done"

        agent.leaving = False
        bench.channel.emit = emit
        agent.inbox.put(Event("serial", "0", "hi"))
        run(agent.run())
        assert failed and bench.channel.shown[-1] == ("done", "")


def _short(*args, **named):
    raise MemoryError


def test_commands_are_no_part_of_a_session():
    bench = Bench("commands", "hello")
    bench.say("/help")
    assert "/memory" in bench.channel.of("info")[0]
    bench.say("/nonsense")
    assert "/help" in bench.channel.of("error")[0]
    bench.say("/config set model.key sk-1234567")
    bench.say("/config show")
    bench.say("/status")
    assert "sk-1234567" not in str(bench.channel.shown)
    bench.say("/config set model.base_url http://me:pa55word@host/v1?key=pa55word")
    bench.say("/config show")
    bench.say("/status")
    assert "pa55word" not in str(bench.channel.shown)
    assert "at http://****@host/v1?****" in str(bench.channel.shown)
    bench.say("/config set model.timeout soon")
    assert "model.timeout" in bench.channel.of("error")[0]
    bench.say("/session new work")
    bench.say("/session list")
    assert "work" in " ".join(bench.channel.of("info"))
    assert bench.memory.sessions.count(bench.id) == 0
    bench.say("/exit")
    assert bench.agent.leaving and bench.model.requests == []


def test_run_takes_events_until_it_leaves():
    bench = Bench("run", "one", "two")
    for text in ("a", "b", "/exit"):
        assert bench.agent.inbox.put(Event("serial", "0", text))
    run(bench.agent.run())
    assert bench.channel.text() == "onetwo"
    assert [bench.agent.inbox.put(Event("x", "0", "y")) for _ in range(5)] == [True] * 4 + [False]


def test_the_system_prompt_is_the_profile_and_the_memory():
    bench = Bench("system")
    request = Request(bench.memory, bench.agent.caps, bench.config, bench.id, "hi")
    prompt = "".join(request.system())
    assert "console" in prompt[: prompt.index("\n\nUser Profile")]
    assert prompt.count("User Profile") == prompt.count("Agent Identity Card") == 1
    tools = jsonio.loads(b"".join(request.tools()))
    assert [t["function"]["name"] for t in tools] == ["echo", "clock", "slow"]
