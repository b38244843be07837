"""What fits a model's window: counting, whole turns, shortened tool results, no turn too much."""

# heap: 1M

from bothlib import raises, tmpdir
from test_agent import Bench, Model

from claw_core import budget, tokens
from claw_core.context import Counted, Request
from claw_core.model import ModelError, Reply
from claw_memory import jsonio
from claw_memory.sessions import FINAL, USER, Sessions


def words(count, mark):
    return " ".join(["%s%d" % (mark, n) for n in range(count)])


def sent(request):
    """Tokens of what a request would send."""
    size = sum([tokens.estimate(part) for part in request.system()])
    size += sum([tokens.estimate(part) for part in request.tools()])
    return size + sum([tokens.message(m) for m in request.messages()])


class Sized(Model):
    """Notes how large each request is, and whether its calls and results are whole."""

    def __init__(self, *script, **options):
        Model.__init__(self, *script, **options)
        self.sizes = []

    async def ask(self, request, sink):
        self.sizes.append(sent(request))
        check_pairs([jsonio.loads(m) for m in request.messages()])
        return await Model.ask(self, request, sink)


def check_pairs(messages):
    open_calls = []
    for message in messages:
        if message["role"] == "tool":
            assert message["tool_call_id"] in open_calls, messages
            open_calls.remove(message["tool_call_id"])
        else:
            assert not open_calls, messages
            open_calls = [call["id"] for call in message.get("tool_calls") or ()]
    assert not open_calls, messages


def bench(name, window, reserve=256, **settings):
    found = Bench(name)
    found.config.overrides.update({"context.window": window, "context.reserve": reserve})
    found.config.overrides["context.summarise"] = False
    found.config.overrides.update({k.replace("_", ".", 1): v for k, v in settings.items()})
    found.agent.provider = found.model = Sized()
    return found


def test_the_window_is_never_exceeded_over_a_long_conversation():
    b = bench("budget_long", 4096, model_history_bytes=1000000)
    for n in range(40):
        step = n % 4
        b.model.script = [words(60 * step, "a%d_" % n) or "ok"]
        if step == 2:
            arguments = jsonio.dumps({"a": words(80, "r")})
            b.model.script.insert(0, [("echo", arguments), ("echo", arguments)])
        assert b.say("question %d %s" % (n, words(30, "q")))
        assert not b.channel.of("error"), b.channel.shown
    assert max(b.model.sizes) <= 4096 - 256
    # and not far below: what fits is sent
    assert max(b.model.sizes) > 3200
    last = b.model.requests[-1]
    assert last[0]["role"] == "user" and last[-1]["content"].startswith("question 39 ")
    # nothing left the session
    assert len([m for m in b.stored() if m[0] == "user"]) == 40


def test_both_limits_hold():
    b = bench("budget_both", 1000000, model_history_bytes=5000)
    for n in range(12):
        b.model.script = [words(150 + n, "a")]
        b.say("question %d" % n)
    raw = sum([len(jsonio.dumps(m)) + 1 for m in b.model.requests[-1]])
    assert 4000 < raw <= 5000, raw
    assert b.model.requests[-1][0]["role"] == "user"


def test_the_count_includes_the_new_message_and_every_round():
    b = bench("budget_count", 32768)
    request = Request(b.memory, b.agent.caps, b.config, b.id, "")
    b.memory.sessions.persist(b.id, [(USER, words(100, "q"), None)])
    counts = []
    for text in ("", words(300, "n")):
        if text:
            b.memory.sessions.persist(b.id, [(FINAL, text, None)], completed=True)
        assert request.fit(b.agent)
        assert request.used == sent(request)
        counts.append(request.used)
    assert counts[1] - counts[0] > 600
    # after a restart, behind another session, after a compaction: never an old count
    b.memory.sessions.persist("other", [(USER, "x", None)])
    Request(b.memory, b.agent.caps, b.config, "other", "").fit(b.agent)
    request.fit(b.agent)
    assert request.used == counts[1] == sent(request)
    b.memory.sessions.condensing(b.id).tidy()
    b.memory.sessions.persist(b.id, [(USER, words(50, "m"), None)])
    request.fit(b.agent)
    assert request.used == sent(request) > counts[1]


def test_records_are_looked_at_once():
    sessions = Sessions(tmpdir("budget_once"))
    for _ in range(30):
        sessions.persist("a", [(USER, words(20, "q"), None), (FINAL, "a", None)], completed=True)
    counted = Counted()
    first = counted.tokens(sessions, "a")
    log = sessions.log("a")
    looked = []
    plain = log.records
    log.records = lambda first=0, last=None: looked.append(first) or plain(first, last)
    sessions.persist("a", [(USER, "more", None)])
    assert counted.tokens(sessions, "a") > first
    assert looked == [60]


def test_a_turn_of_many_tools_fits_too():
    b = bench("budget_tools", 4096)
    big = jsonio.dumps({"a": words(150, "r")})
    b.caps = b.agent.caps
    b.caps.add("big", "Much.", '{"type":"object"}', lambda args, ctx: words(1200, "big"))
    b.model.script = [[("big", "{}"), ("echo", big)], [("big", '{"x":1}')], [("big", '{"x":2}')]]
    b.model.script.append("done")
    assert b.say("go") == "done"
    assert max(b.model.sizes) <= 4096 - 256
    results = [m["content"] for m in b.model.requests[-1] if m["role"] == "tool"]
    assert len(results) == 4
    assert any([" bytes left out " in content for content in results])
    # what is stored is whole
    stored = [content for role, content in b.stored() if role == "tool"]
    assert not any([" bytes left out " in content for content in stored])


def test_old_results_are_shortened_before_turns_stay_out():
    b = bench("budget_old", 4096)
    b.agent.caps.add("big", "Much.", '{"type":"object"}', lambda args, ctx: words(850, "big"))
    b.model.script = [[("big", "{}")], "first"]
    b.say("one")
    b.model.script = [[("big", "{}")], "second"]
    b.say("two")
    b.model.script = ["third"]
    b.say("three")
    last = b.model.requests[-1]
    assert [m["content"] for m in last if m["role"] == "user"] == ["one", "two", "three"]
    results = [m["content"] for m in last if m["role"] == "tool"]
    assert len(results) == 2
    for content in results:
        assert content.startswith("big0 big1 ") and content.endswith("big848 big849")
        assert " bytes left out …] " in content and len(content) < 1200


def test_a_message_that_cannot_fit_is_said_so_and_answered_offline():
    b = bench("budget_hopeless", 2192, 3000)
    assert b.say(words(900, "q")) == "offline answer"
    assert "context.window" in b.channel.of("error")[0]
    assert b.model.sizes == []
    b.model.script = ["fine"]
    assert b.say("short") == "fine"


def test_the_status_tells_what_is_used_without_a_message():
    b = bench("budget_status", 2192, 3000)
    b.say("/status")
    (line,) = [text for text in b.channel.of("info") if text.startswith("context: ")]
    parts = line.split(" ")
    assert parts[2] == parts[8] and parts[4] == "1096" and int(parts[2]) > 20, line
    assert line.endswith("; context.reserve was cut to half of the window")
    # the last message takes more than the window: that is no error of the status
    b.say(words(900, "q"))
    b.say("/status")
    (line,) = [text for text in b.channel.of("info") if text.startswith("context: ")]
    assert int(line.split(" ")[2]) > 1096 and "; its oldest turns are left out; " in line, line
    assert not b.channel.of("error")
    b.config.overrides["context.reserve"] = 1096
    b.say("/status")
    (line,) = [text for text in b.channel.of("info") if text.startswith("context: ")]
    assert "1096 tokens" in line and "reserve" not in line


def test_a_setting_counts_when_it_says_so():
    b = bench("budget_setting", 8192)
    del b.config.overrides["context.window"]
    for key, value in (("context.window", "4096"), ("files.shared", "true")):
        b.say("/config set %s %s" % (key, value))
        assert b.channel.of("info") and "restart" not in b.channel.of("info")[0]
    b.say("/status")
    assert " of 3840 tokens" in "".join(b.channel.of("info"))
    for key, value in (("sd.slot", "1"), ("memory.max_message_chars", "1000")):
        b.say("/config set %s %s" % (key, value))
        assert "counts from the next restart" in b.channel.of("info")[0]


def test_texts_are_cut_between_characters_and_escapes():
    cases = [
        "plain text " * 100,
        "汉字" * 300,
        "é😀" * 200,
        '\\"\n\t' * 200,
        "\\" * 600,
        "x" * 299 + "\U0001f600" * 100 + "y" * 100,
    ]
    for text in cases:
        for most in (100, 101, 102, 103, 256, 300):
            quoted = jsonio.literal(text)
            escaped = quoted.replace("😀", "\\ud83d\\ude00")
            for literal in (quoted, escaped):
                raw = ('[{"role":"tool","content":%s,"n":1},{"content":"end"}]' % literal).encode()
                short = budget.shortened(raw, most)
                assert len(short) < most + 160, (len(short), most)
                value = jsonio.loads(short)
                content = value[0]["content"]
                assert " bytes left out " in content and value[1]["content"] == "end"
                head, tail = content.split(" [… ")[0], content.split(" …] ")[-1]
                assert text.startswith(head) and text.endswith(tail), (head, tail)
    same = b'{"content":"short","x":["a","b"]}'
    assert budget.shortened(same, 10) == same


def test_a_request_counts_what_the_server_refused():
    b = bench("budget_refused", 32768)
    for n in range(10):
        b.model.script = [words(100, "a")]
        b.say("question %d" % n)
    b.config.overrides["context.summarise"] = True
    full = b.model.sizes[-1]
    b.model.script = [ModelError("Too long.", "context"), "They asked.", "fine"]
    assert b.say("last") == "fine"
    assert b.model.sizes[-1] < full * 3 // 4
    assert b.agent.window < full
    assert [k for k, _ in b.channel.shown if k == "error"] == []


def test_messages_without_a_fit_are_as_before():
    b = bench("budget_plain", 4096)
    b.model.script = [Reply("hello")]
    b.say("hi")
    request = Request(b.memory, b.agent.caps, b.config, b.id, "")
    assert [jsonio.loads(m)["content"] for m in request.messages()] == ["hi", "hello"]
    assert raises(ModelError, squeeze, b, request).kind == "context"


def squeeze(b, request):
    b.agent.window = 1
    request.fit(b.agent)
