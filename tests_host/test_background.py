"""Name look-ups and other blocking calls beside the loop, with CPython's threads."""

import asyncio
import socket
import subprocess
import threading
import time

import pytest
from claw_core import background, clock, http
from claw_memory import limits, platform

from tests_host.both.__main__ import REPO, tool
from tests_host.model_server import Answer, ModelServer


@pytest.fixture
def name_server(monkeypatch):
    """Have the look-up of any name last until `answer` is set, or for ever; yields that event."""
    answer = threading.Event()

    def getaddrinfo(host, port, *_, **__):
        if not host[-1].isdigit():
            assert answer.wait(20)
            if host == "unknown.test":
                raise socket.gaierror(-2, "Name or service not known")
        return [
            (socket.AF_INET6, socket.SOCK_STREAM, 6, "", ("::1", port, 0, 0)),
            (socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port)),
        ]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    yield answer
    answer.set()
    deadline = time.monotonic() + 20
    while background._running and time.monotonic() < deadline:
        time.sleep(0.01)
    assert background._running == 0


async def fetch(host, port):
    reply = await http.post("http://%s:%d/" % (host, port), [], lambda: iter([b"x"]))
    data = await reply.read_all(100)
    await reply.close()
    return data


def test_the_loop_goes_on_while_a_name_is_looked_up(name_server):
    async def scene(port):
        task = asyncio.create_task(fetch("slow.test", port))
        # each turn of the loop is one step of this; a loop that waits for the name never ends it
        for _ in range(50):
            await asyncio.sleep(0.001)
        assert not task.done()
        name_server.set()
        return await task

    with ModelServer([Answer(b"found")]) as server:
        assert asyncio.run(scene(server.port)) == b"found"
        assert server.requests[0].headers["host"] == "slow.test:%d" % server.port


def test_a_look_up_without_an_answer_ends_at_its_deadline(name_server, monkeypatch):
    monkeypatch.setattr(limits, "DNS_SECONDS", 0.1)
    with pytest.raises(http.HttpError, match="slow.test:80 was not found: no name server"):
        asyncio.run(fetch("slow.test", 80))


def test_a_name_that_does_not_exist(name_server):
    name_server.set()
    with pytest.raises(http.HttpError, match="name of unknown.test:80 cannot be looked up"):
        asyncio.run(fetch("unknown.test", 80))


def test_calls_that_nobody_waits_for_any_more_do_not_pile_up(name_server, monkeypatch):
    monkeypatch.setattr(limits, "DNS_SECONDS", 0.02)
    for _ in range(3 * limits.THREADS):
        with pytest.raises(http.HttpError):
            asyncio.run(fetch("slow.test", 80))
        assert background._running <= limits.THREADS


def test_an_error_of_the_call_arrives_and_without_a_gil_it_runs_in_the_loop(monkeypatch):
    def fail():
        raise ValueError(threading.current_thread() is threading.main_thread())

    for threads in (True, False):
        monkeypatch.setattr(platform, "gil_threads", lambda threads=threads: threads)
        with pytest.raises(ValueError, match=str(not threads)):
            asyncio.run(background.call(fail, 5, 8192))
    monkeypatch.setattr(platform, "gil_threads", lambda: True)

    def no_thread(*_):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(background._thread, "start_new_thread", no_thread)
    with pytest.raises(MemoryError):
        asyncio.run(background.call(fail, 5, 8192))
    assert background._running == 0


def test_the_time_is_asked_for_beside_the_loop(monkeypatch):
    import ntptime

    waiting = threading.Event()

    def settime():
        assert waiting.wait(20)

    monkeypatch.setattr(ntptime, "settime", settime)

    class Config:
        def get(self, key):
            return "ntp.test"

    async def scene():
        task = asyncio.create_task(clock.sync(Config(), pytest.fail))
        for _ in range(50):
            await asyncio.sleep(0.001)
        assert not task.done()
        waiting.set()
        await task

    asyncio.run(scene())


def test_modules_that_asyncio_imports_for_each_connection_are_found_without_a_search():
    script = "import sys; sys.path.insert(0, %r); import claw_core.http; print(%s)" % (
        str(REPO / "firmware"),
        "[name in sys.modules for name in ('socket', 'errno')]",
    )
    done = subprocess.run([tool("micropython"), "-c", script], capture_output=True, check=True)
    assert done.stdout.decode().strip() == "[True, True]"
