"""Learning in the background, in both runtimes: in a thread on CPython, inline in MicroPython."""

import json
import random

import pytest

from tests_host import anthropic_script
from tests_host.model_server import Answer, ModelServer, calls, error, plain, text
from tests_host.net import both
from tests_host.private_ca import PrivateCA

PIXEL = {"content": "The cat is called Pixel", "tags": ["pet"], "keywords": ["cat", "Pixel"]}
QUESTION = "Current user message:"


def facts(*memories, intent="none", **options):
    """The answer of a model that was asked for facts."""
    body = json.dumps({"intent": intent, "memories": list(memories)}, ensure_ascii=False)
    return plain(body, **options)


class TwoMinds(ModelServer):
    """A server that answers the chat from one list and questions about facts from another."""

    def __init__(self, chat, learned, **options):
        super().__init__([self.either] * 500, **options)
        self.chat = list(chat)
        self.learned = list(learned)
        self.questions = []
        self.running = self.most = 0

    def either(self, request):
        if QUESTION in str(request.json["messages"][-1]["content"]):
            self.questions.append(request)
            answer = self.learned.pop(0) if self.learned else facts()
            return answer(request) if callable(answer) else answer
        return self.chat.pop(0) if self.chat else text("fine")


@pytest.fixture(params=both.RUNTIMES)
def run(request):
    """Run a case of extract_cases in one runtime against such a server."""

    def go(case, chat=(), learned=(), **options):
        with TwoMinds(chat, learned, **options) as server:
            both.run(request.param, "extract_cases", case, server.url, "1M")
            return server

    return go


def test_facts_of_a_message_are_stored_and_noted(run):
    server = run("case_learns", learned=[facts(PIXEL), facts()])
    first, second = server.questions
    assert first.json["model"] == "small" and "stream" not in first.json
    assert "tools" not in first.json
    assert first.json["messages"][0]["role"] == "system"
    words = second.json["messages"][1]["content"]
    assert "- pet\n" in words and words.endswith(QUESTION + "\nthanks\n")


def test_a_correction_replaces_the_memory_that_the_model_names(run):
    def answer(request):
        words = request.json["messages"][1]["content"]
        near = [line for line in words.split("\n") if "lives in York" in line]
        fact = {"content": "The user lives in Leeds", "tags": ["home"], "keywords": ["Leeds"]}
        return facts({**fact, "replaces": near[0].split(": ")[0][2:]}, intent="replace")

    run("case_replaces", learned=[answer])


def test_what_the_model_wrote_itself_is_not_written_twice(run):
    fact = {"content": "the cat is called Pixel", "tags": ["pet"], "keywords": ["cat"]}
    run("case_written_by_hand", [calls(("memory_store", fact))], [facts(PIXEL, pause=0.05)])


def test_late_facts_are_stored_and_told_with_the_next_turn(run):
    run("case_late", learned=[facts(PIXEL, stall_at=10, stall=0.6)])


def test_facts_of_a_failed_turn_are_kept(run):
    run("case_failed_turn", [error(400, "no")], [facts(PIXEL)])


def test_answers_that_are_none(run):
    fact = json.dumps({"content": "x"})
    odd = [
        "",
        "I found no facts.",
        '{"intent":"none","memories":[{"content":5}]}',
        '{"intent":"none","memories":"x"}',
        '{"intent":"none","memories":[' + fact[:-3],
        '{"intent":"forget","memories":[%s]}' % fact,
        "42",
        "[1, 2, null]",
    ]
    run("case_odd_answers", learned=[plain(words) for words in odd])


@pytest.mark.parametrize(
    "broken",
    [
        error(500, "bad key sk-extract-0123456789"),
        Answer(b"\xff\xfe not JSON", framing="length"),
        facts(PIXEL, cut_at=120),
        calls(("memory_store", {"content": "x"})),
    ],
    ids=["status", "garbage", "cut", "calls"],
)
def test_a_failure_is_logged_and_the_next_message_is_learned_from(run, broken):
    run("case_errors_are_logged_and_the_next_job_runs", learned=[broken, facts(PIXEL)])


def test_with_one_connection_at_a_time_the_answer_comes_first(run):
    server = run("case_one_connection", learned=[facts(PIXEL)])
    assert [request in server.questions for request in server.requests] == [False, True]


def test_it_can_be_switched_off(run):
    assert not run("case_switched_off").questions


def test_no_job_is_lost_without_a_line(run):
    rng = random.Random(5)
    answers = [facts(PIXEL, pause=rng.random() / 20) for _ in range(40)]
    answers[1] = error(503, "busy")
    answers[3] = facts(cut_at=60)
    run("case_queue", learned=answers)


def test_anthropic_answers_too():
    class Claude(TwoMinds):
        def either(self, request):
            if QUESTION in str(request.json["messages"][-1]["content"]):
                self.questions.append(request)
                block = {"type": "text", "text": json.dumps({"memories": [PIXEL]})}
                return anthropic_script.plain([block])
            return anthropic_script.text("fine")

    for runtime in both.RUNTIMES:
        with Claude([], []) as server:
            both.run(runtime, "extract_cases", "case_anthropic", server.url)
            assert server.questions[0].headers["anthropic-version"]


def test_over_https_the_thread_verifies_the_server(tmp_path):
    ca, other = PrivateCA(tmp_path), PrivateCA(tmp_path, "Other Root")
    folder = tmp_path / "certs"
    folder.mkdir()
    (folder / "root.der").write_bytes(ca.der())
    for chunked in ("length", "chunked"):
        with TwoMinds([], [facts(PIXEL, framing=chunked)], tls=ca.server()) as server:
            where = "%s|%s" % (server.url, folder)
            both.run("cpython", "extract_cases", "case_https", where)
            assert len(server.questions) == 1
    with TwoMinds([], [facts(PIXEL)], tls=other.server()) as server:
        where = "%s|%s" % (server.url, folder)
        both.run("cpython", "extract_cases", "case_https_refused", where)
        assert not server.requests


def test_the_thread_under_load():
    """200 messages, random delays and failures: every job ends with a line, nothing hangs."""
    rng = random.Random(7)

    def answer(request):
        kind = rng.random()
        if kind < 0.1:
            return error(500, "no")
        if kind < 0.2:
            return facts(PIXEL, cut_at=rng.randrange(200))
        number = request.json["messages"][1]["content"].rsplit("message ", 1)[1].strip()
        fact = {"content": "fact number %s is true" % number, "tags": ["n"], "keywords": ["fact"]}
        return facts(fact, pause=rng.random() / 50)

    with TwoMinds([], [answer] * 300) as server:
        both.run("cpython", "extract_cases", "case_load", server.url)
