"""https: the OpenAI provider with the CA files of a folder. Arguments: URL|folder."""

from claw_core import http
from claw_core.http import HttpError
from claw_core.model import ModelError
from claw_core.model_openai import OpenAIModel
from claw_core.tls import Trust
from claw_memory import limits, platform
from openai_cases import KEY, Request, Shown

said = []


class Config:
    verify = True

    def get(self, key):
        return {"tls.verify": self.verify, "time.server": "ntp.invalid"}[key]


async def ask(where):
    url, folder = where.split("|")
    sink = Shown()
    model = OpenAIModel(url, "test-model", KEY, 5, Trust(Config(), said.append, folder))
    await model.ask(Request(), sink)
    return sink.shown()


async def failure(where):
    try:
        await ask(where)
    except (ModelError, HttpError) as e:
        assert KEY not in str(e), e
        assert "localhost" in str(e), e
        return str(e)
    raise AssertionError("no error")


async def case_verified(where):
    assert await ask(where) == "hello over TLS"
    assert said == []


async def case_wrong_name(where):
    assert "another name" in await failure(where)


async def case_unknown_ca(where):
    assert "no CA file on the board vouches" in await failure(where)


async def case_expired(where):
    assert "expired" in await failure(where)


async def case_not_yet_valid(where):
    assert "clock" in await failure(where)


async def case_no_ca_files(where):
    assert "no usable CA file" in await failure(where)


async def case_bad_ca_file(where):
    assert await ask(where) == "hello over TLS"
    assert len(said) == 1 and "bad.der" in said[0]


async def case_clock_not_set(where):
    true = platform.unix_time
    platform.unix_time = lambda: 0
    try:
        assert "clock is not set" in await failure(where)
    finally:
        platform.unix_time = true


async def case_not_verified(where):
    Config.verify = False
    try:
        assert await ask(where) == "hello over TLS"
    finally:
        Config.verify = True
    assert len(said) == 1 and "tls.verify is false" in said[0], said


async def case_no_tls_there(where):
    said = await failure(where)
    assert "No safe connection" in said and "http only" in said, said


async def case_no_greeting(where):
    limits.TLS_SECONDS = 0.5
    start = platform.ticks_ms()
    assert "http only" in await failure(where)
    assert platform.ticks_diff(platform.ticks_ms(), start) < 2500


async def case_clock_set_first(where):
    from claw_core import clock

    asked = []
    true = platform.unix_time, clock.sync

    async def sync(config, say, pauses):
        asked.append(pauses)
        platform.unix_time = true[0]

    platform.unix_time = lambda: 0
    clock.sync = sync
    try:
        assert await ask(where) == "hello over TLS"
    finally:
        platform.unix_time, clock.sync = true
    assert asked == [(0,)]


async def case_short_of_memory(where):
    # the first attempt fails as mbedTLS does when the heap outside of gc is used up
    true = http.Response._open
    failures = [OSError(-0x7F00, "alloc")]

    async def failing(self, host, port, ssl):
        if failures:
            raise self.error("failed", failures.pop(0))
        await true(self, host, port, ssl)

    http.Response._open = failing
    try:
        assert await ask(where) == "hello over TLS"
        failures[:] = [OSError(12, "") for _ in range(2)]
        assert "Not enough memory" in await failure_of(where)
    finally:
        http.Response._open = true


async def failure_of(where):
    try:
        await ask(where)
    except ModelError as e:
        assert e.kind == "memory", e.kind
        return str(e)
    raise AssertionError("no error")
