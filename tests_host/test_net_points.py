"""Both formats cut and stalled at every point, and far too long, in both runtimes."""

import pytest

from tests_host import anthropic_script, model_server
from tests_host.model_server import Answer, ModelServer
from tests_host.net import both, points_cases

FORMATS = {"openai": model_server.text, "anthropic": anthropic_script.text}


@pytest.fixture(params=both.RUNTIMES)
def run(request):
    """Run a case of points_cases in one runtime against a server with this script."""

    def go(case, kind, script):
        with ModelServer(script) as server:
            where = "%s|%s|%d" % (server.url, kind, len(script))
            both.run(request.param, "points_cases", case, where)

    go.runtime = request.param
    return go


def answer(kind, **options):
    return FORMATS[kind](points_cases.TEXT, piece=3, framing="close", **options)


@pytest.mark.parametrize("kind", FORMATS)
def test_cut_at_every_point(run, kind):
    # CPython, whose garbage collection takes a hundred times as long, does few
    points = range(0, answer(kind).size(), 1 if run.runtime == "micropython" else 25)
    script = [answer(kind, cut_at=at, reset=at % 5 == 4) for at in points] + [answer(kind)]
    run("case_cuts", kind, script)


@pytest.mark.parametrize("kind", FORMATS)
def test_stalled_at_every_part(run, kind):
    script = [answer(kind, stall_at=at, stall=1.5) for at in range(0, answer(kind).size(), 41)]
    run("case_stalls", kind, script)


def endless(kind):
    """10 MB in an answer that goes on and on."""
    pieces = FORMATS[kind]("x" * 10000, piece=10000).body
    index = next(i for i, piece in enumerate(pieces) if b"xxxx" in piece)
    for piece in pieces[:index]:
        yield piece
    middle = pieces[index]
    if kind == "anthropic":
        end = middle.index(b"event: content_block_stop")
        start = middle.index(b"event: content_block_delta")
        yield middle[:start]
        middle = middle[start:end]
    for _ in range(1000):
        yield middle


@pytest.mark.parametrize("kind", FORMATS)
def test_ten_megabytes(run, kind):
    run("case_huge", kind, [Answer(endless(kind))])
