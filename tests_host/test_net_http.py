"""The HTTP client over real sockets, in both runtimes."""

import socket

import pytest

from tests_host.model_server import Answer, ModelServer, error
from tests_host.net import both, http_cases

BODY = http_cases.EXPECTED
PIECES = [BODY[i : i + 37] for i in range(0, len(BODY), 37)]
STREAM = (
    b': hello\n\ndata: {"t":"\xc3\xbc \xe8\xae\xb0"}\r\n\r\nevent: x\ndata: two\ndata:lines\n\n'
    b"id: 3\n\ndata: [DONE]\n\ndata: tail"
)


@pytest.fixture(params=both.RUNTIMES)
def run(request):
    """Run a case of http_cases in one runtime against a server with this script."""

    def go(case, *script):
        with ModelServer(script) as server:
            both.run(request.param, "http_cases", case, server.url)
        return server

    return go


@pytest.mark.parametrize("framing", ["chunked", "length", "close"])
@pytest.mark.parametrize("split", [0, 1, 3])
def test_body_arrives_whole(run, framing, split):
    server = run("case_body", Answer(PIECES, framing=framing, split=split))
    (request,) = server.requests
    assert request.path == "/v1/x?y=1"
    assert request.body == b'{"a":' + b"x" * 3000 + b"}"
    assert request.headers["content-length"] == "3006"
    assert request.headers["x-test"] == "1"
    assert request.headers["host"] == "127.0.0.1:%d" % server.port


def test_interim_answer_is_passed_over(run):
    class Continued(Answer):
        def pieces(self):
            yield b"HTTP/1.1 100 Continue\r\nX: y\r\n\r\n"
            yield from super().pieces()

    run("case_body", Continued(PIECES))


def test_no_content(run):
    run("case_empty", Answer(b"", 204, framing="close"))


@pytest.mark.parametrize("framing", ["chunked", "length"])
def test_cut_in_the_body(run, framing):
    answer = Answer(PIECES, framing=framing)
    answer.cut_at = answer.size() - 20
    run("case_cut", answer)


@pytest.mark.parametrize("reset", [False, True])
def test_closed_without_an_answer(run, reset):
    run("case_nothing", Answer(PIECES, cut_at=0, reset=reset))


@pytest.mark.parametrize("runtime", both.RUNTIMES)
def test_nothing_listens(runtime):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    both.run(runtime, "http_cases", "case_refused", "http://127.0.0.1:%d/v1" % port)


def test_name_that_does_not_exist(run):
    run("case_no_name")


def test_addresses(run):
    run("case_addresses")


def test_deadline_for_the_first_byte(run):
    run("case_first_byte", Answer(PIECES, stall_at=0, stall=2))


def test_a_head_or_signs_of_life_are_no_beginning(run):
    head = Answer(PIECES).size() - sum(len(b"25\r\n\r\n" + piece) for piece in PIECES) - 5
    run("case_signs_of_life", Answer(PIECES, stall_at=head, stall=3))
    run("case_signs_of_life", Answer([b": alive\n\n"] * 30, pause=0.1))


def test_deadline_between_bytes(run):
    run("case_gap", Answer(PIECES, stall_at=200, stall=2))


def test_deadline_for_the_whole_answer(run):
    run("case_total", Answer(PIECES, split=50, pause=0.1))


def test_cap_on_the_body(run):
    run("case_size", Answer([b"y" * 100] * 100))


def test_redirect_is_refused(run):
    run("case_redirect", error(307, "moved", [("Location", "http://elsewhere/")]))


def test_other_protocols_and_broken_framing(run):
    class Raw(Answer):
        def pieces(self):
            yield self.raw

    for raw in (
        b"SSH-2.0-OpenSSH\r\n\r\n",
        b"HTTP/1.1 abc\r\n\r\n",
        b"HTTP/1.1\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 3000 + b"\r\n",
        b"HTTP/1.1 200 OK\r\nX: " + b"y" * 20000,
    ):
        answer = Raw()
        answer.raw = raw
        run("case_protocol", answer)


def test_the_loop_goes_on_while_the_server_stalls(run):
    run("case_beat", Answer(PIECES, stall_at=300, stall=2))


def test_a_request_can_be_cancelled(run):
    run("case_cancel", Answer(PIECES, stall_at=300, stall=3))


def test_a_body_that_changes_between_its_two_passes(run):
    run("case_changed")


@pytest.mark.parametrize("split", [0, 1, 2, 5])
def test_events_split_anywhere(run, split):
    run("case_sse", Answer(STREAM, split=split))
