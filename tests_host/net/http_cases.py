"""The HTTP client against the scripted server."""

import asyncio

from claw_core import http, sse
from claw_memory import limits, platform


def body():
    yield b'{"a":'
    yield b"x" * 3000
    yield b"}"


async def fetch(url, **options):
    """(status, whole body) of one POST."""
    reply = await http.post(url, [("X-Test", "1")], body, **options)
    try:
        data = bytearray()
        while True:
            piece = await reply.read()
            reply.first = 0
            if not piece:
                return reply.status, bytes(data)
            data.extend(piece)
    finally:
        await reply.close()


async def failure(url, **options):
    """The HttpError of one POST."""
    try:
        await fetch(url, **options)
    except http.HttpError as e:
        return e
    raise AssertionError("no HttpError")


async def case_body(url):
    assert await fetch(url + "/x?y=1") == (200, EXPECTED)


EXPECTED = "".join(["piece %d ü 记忆\n" % i for i in range(40)]).encode()


async def case_empty(url):
    assert await fetch(url) == (204, b"")


async def case_cut(url):
    e = await failure(url)
    assert e.kind == "cut" and url[7:].split("/")[0] in str(e), e


async def case_nothing(url):
    e = await failure(url)
    assert e.kind == "reset", (e, e.kind)


async def case_refused(url):
    e = await failure(url)
    assert e.kind == "refused" and "check the address" in str(e), (e, e.kind)


async def case_no_name(url):
    e = await failure("http://no-such-host.invalid/v1")
    assert e.kind == "dns" and "no-such-host.invalid" in str(e), (e, e.kind)


async def case_addresses(url):
    for bad in (
        "",
        "localhost:80",
        "ftp://x",
        "http://",
        "http://u:p@h/",
        "http://h:0",
        "http://h:x",
    ):
        e = await failure(bad)
        assert e.kind == "address", (bad, e)
    e = await failure("https://127.0.0.1/")
    assert e.kind == "address" and "https" in str(e), e
    assert http.split_url("http://h/a/b") == ("http", "h", 80, "/a/b")
    assert http.split_url("https://h:8443") == ("https", "h", 8443, "")
    assert http.split_url("http://[::1]:8080/v1") == ("http", "::1", 8080, "/v1")


async def case_first_byte(url):
    start = platform.ticks_ms()
    e = await failure(url, first=0.2)
    assert e.kind == "timeout" and "begin" in str(e), e
    assert platform.ticks_diff(platform.ticks_ms(), start) < 2000


async def case_signs_of_life(url):
    start = platform.ticks_ms()
    try:
        reply = await http.post(url, [], body, 0.5)
        while await reply.read():
            pass
        raise AssertionError("no HttpError")
    except http.HttpError as e:
        assert e.kind == "timeout" and "begin" in str(e), e
    assert 400 < platform.ticks_diff(platform.ticks_ms(), start) < 2000


async def case_gap(url):
    before = limits.GAP_SECONDS
    limits.GAP_SECONDS = 0.2
    e = await failure(url)
    limits.GAP_SECONDS = before
    assert e.kind == "timeout" and "nothing more" in str(e), e


async def case_total(url):
    before = limits.TOTAL_SECONDS
    limits.TOTAL_SECONDS = 0.5
    e = await failure(url)
    limits.TOTAL_SECONDS = before
    assert e.kind == "timeout" and "finish" in str(e), e


async def case_size(url):
    before = limits.BODY_BYTES
    limits.BODY_BYTES = 2000
    e = await failure(url)
    limits.BODY_BYTES = before
    assert e.kind == "size", e


async def case_redirect(url):
    e = await failure(url)
    assert e.kind == "redirect" and "http://elsewhere/" in str(e), e


async def case_protocol(url):
    e = await failure(url)
    assert e.kind == "protocol", (e, e.kind)


async def case_beat(url):
    """The loop goes on while the server stalls for two seconds."""
    gaps = []
    task = asyncio.create_task(fetch(url))
    last = platform.ticks_ms()
    for _ in range(100):
        await asyncio.sleep_ms(10)
        now = platform.ticks_ms()
        gaps.append(platform.ticks_diff(now, last))
        last = now
    assert not task.done()
    assert (await task)[1] == EXPECTED
    # a busy machine may hold up a few beats, a loop that waits for the server stops them all
    gaps.sort()
    assert gaps[-10] <= 50 and gaps[-1] < 1000, gaps


async def case_cancel(url):
    task = asyncio.create_task(fetch(url))
    await asyncio.sleep_ms(200)
    task.cancel()
    try:
        await task
    except asyncio.CancelledError:
        return
    raise AssertionError("not cancelled")


async def case_changed(url):
    sizes = [10, 12]

    def shifty():
        yield b"x" * sizes.pop(0)

    try:
        await http.post(url, [], shifty)
    except http.HttpError as e:
        assert e.kind == "protocol" and "changed" in str(e), e
        return
    raise AssertionError("no HttpError")


async def case_sse(url):
    """Events of a whole answer, split as the server likes."""
    reply = await http.post(url, [], body)
    events = sse.Events()
    got = []
    while True:
        piece = await reply.read()
        if not piece:
            break
        got.extend(events.feed(piece))
    await reply.close()
    assert got == [b'{"t":"\xc3\xbc \xe8\xae\xb0"}', b"two\nlines", b"[DONE]"], got
    assert events.finish() == b"tail"
