"""The Anthropic provider against the scripted server."""

from claw_core.model import ModelError
from claw_core.model_anthropic import AnthropicModel
from claw_memory import jsonio
from openai_cases import KEY, LONG, Shown


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
        use = b'{"type":"tool_use","id":"a","name":"t","input":{}}'
        yield b'{"role":"assistant","content":[' + use + b"]}"
        yield b'{"role":"tool","tool_call_id":"a","content":"x \\"y\\"","is_error":false}'
        yield b'{"role":"tool","tool_call_id":"b","content":"bad","is_error":true}'
        yield b'{"role":"user","content":"\xe8\xae\xb0"}'

    def tool_rows(self):
        yield "t", 'd "q"', '{"type":"object","properties":{}}'
        yield "u", "e", '{"type":"object","properties":{}}'


class Bare(Request):
    max_tokens = 77

    def messages(self):
        yield b'{"role":"user","content":"hi"}'
        yield b'{"role":"tool","tool_call_id":"a","content":"x","is_error":false}'

    def tool_rows(self):
        return iter(())


async def ask(url, request=Request):
    sink = Shown()
    reply = await AnthropicModel(url, "test-model", KEY, 5).ask(request(), sink)
    return reply, sink


async def failure(url):
    try:
        await AnthropicModel(url, "test-model", KEY, 5).ask(Request(), Shown())
    except ModelError as e:
        assert KEY not in str(e) and KEY[:12] not in str(e), e
        return e
    raise AssertionError("no ModelError")


async def case_text(url):
    reply, sink = await ask(url)
    assert sink.shown() == LONG * 10 == str(sink.kept(), "utf-8"), sink.shown()
    assert list(reply.calls) == [] and reply.raw is None and reply.cut == ""
    assert reply.usage == (12, 34) and reply.finish == "end_turn"


async def case_bare(url):
    reply, sink = await ask(url, Bare)
    assert sink.shown() == "ok"


async def case_calls(url):
    reply, sink = await ask(url)
    assert [call[1] for call in reply.calls] == ["memory_store", "time_now"], reply.calls
    assert reply.calls[0][0] == "toolu_memory_store_1"
    assert jsonio.loads(reply.calls[0][2]) == {"content": "猫 é", "tags": ["a", "b"]}
    assert reply.calls[1][2] in ("", "{}")
    raw = jsonio.loads(jsonio.dumps(reply.raw))
    assert raw["role"] == "assistant"
    assert raw["content"][0] == {"type": "text", "text": "Let me see."}
    assert raw["content"][1]["input"] == {"content": "猫 é", "tags": ["a", "b"]}
    assert raw["content"][2]["input"] == {}
    assert raw["content"][2]["type"] == "tool_use"


async def case_thinking(url):
    reply, sink = await ask(url)
    assert sink.shown("think") == "Hm, a cat."
    assert sink.shown() == "A cat." == str(sink.kept(), "utf-8")


async def case_plain(url):
    reply, sink = await ask(url)
    assert sink.shown() == "whole"
    assert [call[1] for call in reply.calls] == ["t"]
    assert jsonio.loads(reply.calls[0][2]) == {"a": 1}
    assert reply.usage == (5, 6)


async def case_broken_arguments(url):
    reply, sink = await ask(url)
    assert reply.calls[0][2] == '{"content": '
    assert jsonio.loads(jsonio.dumps(reply.raw))["content"][0]["input"] == {}


async def case_longest(url):
    reply, sink = await ask(url)
    assert sink.shown() == "so far" and reply.cut


async def case_cut(url):
    reply, sink = await ask(url)
    assert sink.shown() and reply.cut and not reply.calls, (sink.shown(), reply.cut)


async def case_overloaded_in_the_stream(url):
    reply, sink = await ask(url)
    assert sink.shown() == "so far"
    assert "Overloaded" in reply.cut


async def case_refused_key(url):
    e = await failure(url)
    assert e.kind == "auth" and "127.0.0.1" in str(e) and "model.key" in str(e)


async def case_busy(url):
    e = await failure(url)
    assert e.kind == "busy" and e.retry == 7


async def case_too_long(url):
    assert (await failure(url)).kind == "context"


async def case_other_format(url):
    e = await failure(url)
    assert e.kind == "reply" and "understood" in str(e)
