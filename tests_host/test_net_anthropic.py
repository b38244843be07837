"""The Anthropic provider over real sockets, in both runtimes."""

import pytest

from tests_host import anthropic_script as script
from tests_host import model_server
from tests_host.model_server import Answer, ModelServer
from tests_host.net import both, openai_cases

LONG = openai_cases.LONG * 10
STORE = {"content": "猫 é", "tags": ["a", "b"]}


@pytest.fixture(params=both.RUNTIMES)
def run(request):
    """Run a case of anthropic_cases in one runtime against a server with these answers."""

    def go(case, *answers):
        with ModelServer(answers) as server:
            both.run(request.param, "anthropic_cases", case, server.url)
        return server

    return go


@pytest.mark.parametrize("split", [0, 1, 2])
def test_text_and_the_request(run, split):
    server = run("case_text", script.text(LONG, split=split))
    (request,) = server.requests
    assert request.path == "/v1/messages"
    assert request.headers["x-api-key"] == openai_cases.KEY
    assert request.headers["anthropic-version"] == "2023-06-01"
    assert "authorization" not in request.headers
    schema = {"type": "object", "properties": {}}
    result = {"type": "tool_result", "tool_use_id": "a", "content": 'x "y"'}
    failed = {"type": "tool_result", "tool_use_id": "b", "content": "bad", "is_error": True}
    use = {"type": "tool_use", "id": "a", "name": "t", "input": {}}
    assert request.json == {
        "model": "test-model",
        "stream": True,
        "max_tokens": 4096,
        "system": 'You are\n"Claw" ü',
        "messages": [
            {"role": "user", "content": "hi"},
            {"role": "assistant", "content": [use]},
            {"role": "user", "content": [result, failed]},
            {"role": "user", "content": "记"},
        ],
        "tools": [
            {"name": "t", "description": 'd "q"', "input_schema": schema},
            {"name": "u", "description": "e", "input_schema": schema},
        ],
    }


def test_a_round_that_ends_with_results_and_no_tools(run):
    server = run("case_bare", script.text("ok"))
    body = server.requests[0].json
    assert "tools" not in body
    assert body["max_tokens"] == 77
    assert body["messages"][-1]["content"][0]["tool_use_id"] == "a"


@pytest.mark.parametrize("split", [0, 1])
def test_tool_calls_in_pieces(run, split):
    wanted = (("memory_store", STORE), ("time_now", ""))
    run("case_calls", script.calls(*wanted, content="Let me see.", split=split))


def test_reasoning_is_shown_and_not_kept(run):
    blocks = script.thinking_block(0, "Hm, a cat.") + script.text_block(1, "A cat.")
    run("case_thinking", Answer([script.start(), blocks, script.stop("end_turn")]))


def test_a_server_that_does_not_stream(run):
    use = {"type": "tool_use", "id": "x", "name": "t", "input": {"a": 1}}
    run("case_plain", script.plain([{"type": "text", "text": "whole"}, use], "tool_use"))


def test_arguments_that_are_no_json_are_not_sent_back(run):
    run("case_broken_arguments", script.calls(("memory_store", '{"content": ')))


def test_the_longest_answer_is_marked(run):
    run("case_longest", script.text("so far", reason="max_tokens"))


def test_an_error_in_the_stream_keeps_what_came(run):
    broken = script.event("error", error={"type": "overloaded_error", "message": "Overloaded"})
    events = [script.start(), script.text_block(0, "so far"), broken]
    run("case_overloaded_in_the_stream", Answer(events))


def test_cut_after_some_text(run):
    whole = script.text("hello, this goes on")
    run("case_cut", script.text("hello, this goes on", cut_at=whole.size() - 300))


def test_errors(run):
    run("case_refused_key", script.error(401, "authentication_error", "invalid x-api-key"))
    run("case_busy", script.error(529, "overloaded_error", "Overloaded", [("Retry-After", "7")]))
    message = "prompt is too long: 210000 tokens > 200000 maximum"
    run("case_too_long", script.error(400, "invalid_request_error", message))
    run("case_other_format", model_server.text("hello"))
