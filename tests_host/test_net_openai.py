"""The OpenAI provider over real sockets, in both runtimes."""

import json
import socket

import pytest

from tests_host.model_server import (
    Answer,
    ModelServer,
    calls,
    delta,
    error,
    event,
    plain,
    text,
)
from tests_host.net import both, openai_cases

LONG = openai_cases.LONG * 10
DONE = b"data: [DONE]\n\n"
STORE = {"content": "猫 é", "tags": ["a", "b"]}


@pytest.fixture(params=both.RUNTIMES)
def run(request):
    """Run a case of openai_cases in one runtime against a server with this script."""

    def go(case, *script, heap="512K"):
        with ModelServer(script) as server:
            both.run(request.param, "openai_cases", case, server.url, heap)
        return server

    return go


def streamed(*events, **options):
    return Answer([*events, DONE], **options)


@pytest.mark.parametrize("split", [0, 1, 2])
@pytest.mark.parametrize("framing", ["chunked", "close"])
def test_text(run, split, framing):
    server = run("case_text", text(LONG, split=split, framing=framing))
    (request,) = server.requests
    assert request.path == "/v1/chat/completions"
    assert request.headers["authorization"] == "Bearer " + openai_cases.KEY
    assert request.headers["content-type"] == "application/json"
    assert request.json == {
        "model": "test-model",
        "stream": True,
        "stream_options": {"include_usage": True},
        "messages": [
            {"role": "system", "content": 'You are\n"Claw" ü'},
            {"role": "user", "content": "hi"},
            {"role": "assistant", "content": None, "tool_calls": []},
            {"role": "tool", "tool_call_id": "a", "content": "x"},
            {"role": "user", "content": "记"},
        ],
        "tools": [
            {"type": "function", "function": {"name": "t", "description": "d", "parameters": {}}}
        ],
    }


def test_without_tools_and_with_a_limit(run):
    server = run("case_no_tools", text("ok"))
    assert "tools" not in server.requests[0].json
    assert server.requests[0].json["max_tokens"] == 77


def test_the_end_may_be_missing(run):
    run("case_text", text(LONG, done=False))
    # the server neither says [DONE] nor closes
    answer = text(LONG, done=False)
    answer.stall_at, answer.stall = answer.size() - 1, 8
    run("case_text", answer)


def test_fields_may_be_missing_or_extra(run):
    bare = [event({"choices": [{"delta": {"content": c}}]}) for c in "ok"]
    odd = [b": keep-alive\n\n", event({}), event([]), b"data: {\n\n"]
    run("case_no_tools", streamed(*odd, *bare))
    run("case_no_tools", Answer(bare))
    parts = [{"type": "text", "text": "ok"}]
    run("case_no_tools", streamed(event({"choices": [{"message": {"content": parts}}]})))
    run("case_no_tools", streamed(b"event: x\nid: 1\n", delta(content="ok", reasoning=None)))


@pytest.mark.parametrize("split", [0, 1])
def test_calls_in_pieces(run, split):
    run("case_calls", calls(("memory_store", STORE), ("time_now", ""), piece=3, split=split))


def test_calls_in_the_ways_of_other_servers(run):
    arguments = json.dumps(STORE)

    def call(name=None, args=None, **fields):
        function = {}
        if name is not None:
            function["name"] = name
        if args is not None:
            function["arguments"] = args
        return delta(tool_calls=[dict(fields, function=function)])

    # whole calls, all with index 0
    first = call("memory_store", arguments, index=0, id="a")
    run("case_calls", streamed(first, call("time_now", "{}", index=0, id="b")))
    # without any id or index, the arguments as an object
    run("case_calls", streamed(call("memory_store", STORE), call("time_now", {})))
    # without index, in pieces, the name split and then repeated
    run(
        "case_calls",
        streamed(
            call("memory_", "", id="a", index=0),
            call("store", arguments[:9], index=0),
            call(None, arguments[9:], index=0),
            call("time_now", "", id="b", index=1),
            call("time_now", None, id="b", index=1),
        ),
    )
    run(
        "case_calls",
        streamed(
            call("memory_store", arguments[:9], id="a"),
            call(None, arguments[9:]),
            call("time_now", None, id="b"),
        ),
    )
    # the same id twice
    run(
        "case_calls",
        plain(
            None,
            [
                {"id": "x", "function": {"name": "memory_store", "arguments": arguments}},
                {"id": "x", "function": {"name": "time_now", "arguments": None}},
            ],
        ),
    )


def test_reasoning_is_shown_and_not_kept(run):
    for field in ("reasoning_content", "reasoning"):
        run(
            "case_thought",
            streamed(
                delta(**{field: "Let me <b>"}),
                delta(**{field: " think.", "content": ""}),
                delta(content="\n\nAnswer."),
            ),
        )
    whole = "\n<think>Let me <b> think.</think>\n\nAnswer."
    for size in (1, 2, 5, 100):
        pieces = [whole[i : i + size] for i in range(0, len(whole), size)]
        run("case_thought", streamed(*[delta(content=piece) for piece in pieces]))
    run("case_no_thought", streamed(*[delta(content=c) for c in "<thin ice"]))


def test_a_server_that_does_not_stream(run):
    run("case_plain", plain("plain ü answer"))
    run("case_plain", plain("plain ü answer", framing="chunked", split=1))
    ways = [{"id": "a", "function": {"name": "memory_store", "arguments": json.dumps(STORE)}}]
    ways.append({"type": "function", "function": {"name": "time_now", "arguments": {}}})
    run("case_calls", plain(None, ways))


def test_empty_answers(run):
    run("case_empty", text(""))
    run("case_empty", streamed())
    run("case_empty", plain(None))


def test_an_event_that_is_too_long_is_named(run):
    run("case_too_long", streamed(delta(content="x" * 70000)))
    run("case_too_long", streamed(delta(content="x" * 70000), delta(finish="stop")))
    around = [delta(content="before, "), delta(content="x" * 70000), delta(content="after")]
    run("case_piece_too_long", streamed(*around, delta(finish="stop")))


def test_signs_of_life_are_no_answer_yet(run):
    run("case_alive", Answer([b": alive\n\n"] * 30, pause=0.1))
    pieces = [delta(content=part) for part in ("slow ", "but ", "sure")]
    run("case_late", streamed(*pieces, pause=0.3))


def test_cut_streams(run):
    answer = text(LONG)
    answer.cut_at = answer.size() // 2
    run("case_cut", answer)
    answer = calls(("memory_store", STORE), piece=3)
    answer.cut_at = answer.size() - 300
    run("case_cut_calls", answer)
    run("case_limit", streamed(delta(content="Once upon"), delta(finish="length")))


def test_errors_in_the_stream(run):
    broken = event({"error": {"message": "model overloaded", "code": 500}})
    run("case_error_in_stream", streamed(broken))
    run("case_error_in_stream", streamed(event({"error": "model overloaded"})))
    run("case_error_after_text", streamed(delta(content="partial"), broken))


def test_errors_by_status(run):
    said = "Incorrect API key provided: %s. You can find your API key at x" % openai_cases.KEY
    run("case_auth", error(401, said))
    run("case_auth", error(401, "Incorrect API key provided: sk-t******************cdef."))
    run("case_missing", error(404, "The model does not exist"))
    run("case_busy", error(429, "Rate limit", [("Retry-After", "7")]))
    run("case_broken", Answer(b"<html>oops</html>", 500, content_type="text/html"))
    run("case_context", error(400, "This model's maximum context length is 4096 tokens."))
    run("case_context", error(413, "no"))
    run("case_long_error", error(400, "word\n" * 3000))
    run("case_long_error", Answer(b"x" * 9000, 418))


def test_answers_that_are_none(run):
    run("case_page", Answer(b"\n<!doctype html><html>", content_type="text/html"))
    run("case_not_understood", Answer(b"hello\n\n"))
    run("case_not_understood", Answer(b'{"a":1}', framing="length"))
    run("case_not_understood", Answer(b"data: {broken\n\n"))
    run("case_not_understood", Answer(b"data: {broken\n\ndata: [1]\n\ndata: [DONE]\n\n"))
    run("case_not_understood", streamed(b"data: {broken\n\n", delta(), delta(finish="stop")))


def test_nothing_listens():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    for runtime in both.RUNTIMES:
        both.run(runtime, "openai_cases", "case_refused", "http://127.0.0.1:%d/v1" % port)


def test_200_kilobytes(run):
    run("case_many", text("0123456789" * 20000, piece=50), heap="256K")


def test_long_arguments_and_many_calls(run):
    run("case_many_arguments", calls(("a", '{"a":1}'), ("b", {"x": "y" * 60000}), ("c", "{}")))
    run("case_many_calls", calls(*[("t%d" % i, "{}") for i in range(50)]))
    run("case_broken_arguments", calls(("bad name!", '{"a":')))


def test_a_server_that_refuses_stream_options(run):
    refusal = error(400, "Unknown parameter: 'stream_options'.")
    server = run("case_no_usage_option", refusal, text("ok"))
    assert "stream_options" in server.requests[0].json
    assert "stream_options" not in server.requests[1].json
