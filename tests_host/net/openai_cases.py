"""The OpenAI provider against the scripted server."""

from claw_core.model import ModelError, Sink
from claw_core.model_openai import OpenAIModel
from claw_memory import jsonio, limits, platform

KEY = "sk-test-0123456789abcdef"
LONG = "Grüße an 记忆 und 🐈, "


class Request:
    """What the agent would offer, small."""

    user_text = "hi"
    stream = True
    max_tokens = 0

    def system(self):
        yield "You are\n"
        yield '"Claw" ü'

    def messages(self):
        yield b'{"role":"user","content":"hi"}'
        yield b'{"role":"assistant","content":null,"tool_calls":[]}'
        yield b'{"role":"tool","tool_call_id":"a","content":"x","is_error":false}'
        yield b'{"role":"user","content":"\xe8\xae\xb0"}'

    def tools(self):
        yield b'[{"type":"function",'
        yield b'"function":{"name":"t","description":"d","parameters":{}}}]'

    def tool_rows(self):
        return iter(())


class NoTools(Request):
    max_tokens = 77

    def tools(self):
        return iter(())


class Shown(Sink):
    """A sink that remembers what it showed."""

    def __init__(self):
        super().__init__(self._show, 3896)
        self.kinds = {"text": [], "think": []}

    def _show(self, kind, text):
        self.kinds[kind].append(text)

    def shown(self, kind="text"):
        return "".join(self.kinds[kind])


async def ask(url, request=Request):
    """(Reply, Shown) of one request."""
    sink = Shown()
    reply = await OpenAIModel(url, "test-model", KEY, 5).ask(request(), sink)
    return reply, sink


async def failure(url):
    try:
        await OpenAIModel(url, "test-model", KEY, 5).ask(Request(), Shown())
    except ModelError as e:
        assert KEY not in str(e) and KEY[:12] not in str(e), e
        return e
    raise AssertionError("no ModelError")


async def case_text(url):
    reply, sink = await ask(url)
    assert sink.shown() == LONG * 10 == str(sink.kept(), "utf-8"), sink.shown()
    assert len(sink.kinds["text"]) > 10
    assert list(reply.calls) == [] and reply.raw is None and reply.cut == ""
    assert reply.usage == (12, 34) and reply.finish == "stop"


async def case_no_tools(url):
    reply, sink = await ask(url, NoTools)
    assert sink.shown() == "ok"


async def case_calls(url):
    reply, sink = await ask(url)
    assert [call[1] for call in reply.calls] == ["memory_store", "time_now"], reply.calls
    ids = [call[0] for call in reply.calls]
    assert ids[0] and ids[1] and ids[0] != ids[1], ids
    assert jsonio.loads(reply.calls[0][2]) == {"content": "猫 é", "tags": ["a", "b"]}
    assert jsonio.loads(reply.calls[1][2] or "{}") == {}
    stored = jsonio.loads(jsonio.dumps(reply.raw))
    assert stored["role"] == "assistant" and len(stored["tool_calls"]) == 2
    for call in stored["tool_calls"]:
        assert call["type"] == "function" and call["id"] in ids
        assert isinstance(jsonio.loads(call["function"]["arguments"]), dict)


async def case_thought(url):
    reply, sink = await ask(url)
    assert sink.shown() == "Answer.", sink.kinds
    assert sink.shown("think") == "Let me <b> think.", sink.kinds
    assert sink.kept() == b"Answer."


async def case_no_thought(url):
    _, sink = await ask(url)
    assert sink.shown() == "<thin ice", sink.kinds
    assert sink.shown("think") == ""


async def case_plain(url):
    reply, sink = await ask(url)
    assert sink.shown() == "plain ü answer", sink.kinds
    assert reply.usage == (5, 6)


async def case_empty(url):
    reply, sink = await ask(url)
    assert sink.shown() == "" and not reply.calls and reply.cut == ""


async def case_too_long(url):
    e = await failure(url)
    assert e.kind == "reply" and "longer than 64 KB" in str(e), e


async def case_piece_too_long(url):
    reply, sink = await ask(url)
    assert sink.shown() == "before, after" and "longer than 64 KB" in reply.cut
    assert not reply.calls


async def case_alive(url):
    start = platform.ticks_ms()
    try:
        await OpenAIModel(url, "test-model", KEY, 0.5).ask(Request(), Shown())
        raise AssertionError("no ModelError")
    except ModelError as e:
        assert "did not begin" in str(e), e
    assert platform.ticks_diff(platform.ticks_ms(), start) < 2000


async def case_late(url):
    model = OpenAIModel(url, "test-model", KEY, 0.5)
    sink = Shown()
    await model.ask(Request(), sink)
    assert sink.shown() == "slow but sure"


async def case_cut(url):
    reply, sink = await ask(url)
    assert 5 < len(sink.shown()) < 210 and LONG * 10 == sink.shown() + (LONG * 10)[sink.total :]
    assert "broke off" in reply.cut and not reply.calls, reply.cut


async def case_cut_calls(url):
    e = await failure(url)
    assert "broke off" in str(e), e


async def case_limit(url):
    reply, sink = await ask(url)
    assert sink.shown() == "Once upon" and "longest" in reply.cut


async def case_error_in_stream(url):
    e = await failure(url)
    assert "model overloaded" in str(e) and e.kind == "status", e


async def case_error_after_text(url):
    reply, sink = await ask(url)
    assert sink.shown() == "partial" and "model overloaded" in reply.cut


async def case_auth(url):
    e = await failure(url)
    assert e.kind == "auth" and "127.0.0.1" in str(e) and "401" in str(e), e
    assert "model.key" in str(e) and "Incorrect API key" in str(e), e


async def case_missing(url):
    e = await failure(url)
    assert e.kind == "config" and "model.name" in str(e), e


async def case_busy(url):
    e = await failure(url)
    assert e.kind == "busy" and e.retry == 7, (e, e.kind, e.retry)


async def case_broken(url):
    e = await failure(url)
    assert e.kind == "busy" and e.retry == 1 and "500" in str(e), (e, e.kind)


async def case_context(url):
    e = await failure(url)
    assert e.kind == "context" and "/session new" in str(e), (e, e.kind)


async def case_page(url):
    e = await failure(url)
    assert e.kind == "config" and "/v1" in str(e), e


async def case_not_understood(url):
    e = await failure(url)
    assert e.kind == "reply", (e, e.kind)


async def case_long_error(url):
    e = await failure(url)
    assert len(str(e)) < 400 and "\n" not in str(e), e


async def case_refused(url):
    e = await failure(url)
    assert e.kind == "unreachable" and "127.0.0.1" in str(e), (e, e.kind)


async def case_many(url):
    """A 200 KB answer passes through; only its start is kept."""
    count = [0]

    def show(kind, text):
        count[0] += len(text)

    sink = Sink(show, 3896)
    reply = await OpenAIModel(url, "m", KEY, 5).ask(Request(), sink)
    assert count[0] == sink.total == 200000, count
    assert len(sink.kept()) < 4000 and sink.kept().endswith(b"200000 characters]")
    assert reply.cut == ""


async def case_many_arguments(url):
    reply, _ = await ask(url)
    assert [call[2] for call in reply.calls] == ['{"a":1}', None, None], reply.calls
    arguments = [c["function"]["arguments"] for c in reply.raw["tool_calls"]]
    assert arguments == ['{"a":1}', "{}", "{}"]


async def case_many_calls(url):
    reply, _ = await ask(url)
    assert len(reply.calls) == len(reply.raw["tool_calls"]) == limits.CALLS


async def case_broken_arguments(url):
    reply, _ = await ask(url)
    assert reply.calls[0][1:] == ("bad_name_", '{"a":'), reply.calls
    assert reply.raw["tool_calls"][0]["function"]["arguments"] == "{}"


async def case_no_usage_option(url):
    reply, sink = await ask(url)
    assert sink.shown() == "ok"
