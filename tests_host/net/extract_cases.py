"""The background learning against the scripted server, through the whole agent.

In MicroPython's unix binary the question is asked between awaits, on CPython in a thread.
"""

import asyncio

from bothlib import Channel, read, tmpdir
from claw_core.agent import Agent
from claw_core.capability import Capabilities
from claw_core.config import Config
from claw_core.events import Event
from claw_core.provider import Offline, make
from claw_memory import limits
from claw_memory.memory import Memory

import claw_caps

KEY = "sk-extract-0123456789"


class Chat:
    """An agent that answers events, with its memory on the file system under test."""

    def __init__(self, url, **settings):
        root = tmpdir("extract")
        values = {"model.base_url": url, "model.name": "main", "model.key": KEY}
        values["extract.model"] = "small"
        for name, value in settings.items():
            values[name.replace("_", ".", 1)] = value
        self.memory = Memory(root, clock=lambda: 1790000000)
        self.config = Config(root + "/config.json", values, print)
        caps = Capabilities()
        claw_caps.register_all(caps, self.memory, self.config)
        self.channel = Channel()
        offline = Offline()
        provider = make(self.config, offline)
        self.agent = Agent(self.memory, caps, provider, offline, [self.channel], self.config)
        self.agent.connect(provider)

    async def say(self, text):
        del self.channel.shown[:]
        await self.agent.handle(Event("serial", "0", text))
        return self.channel.of("note")

    def contents(self):
        return sorted([item.content for item in self.memory.longterm.list()])

    def log(self):
        self.memory.longterm.log("end")
        self.memory.close()
        lines = read(self.memory.memory_dir + "/memory_digest.log").decode().split("\n")
        return [line.split("\t")[2:] for line in lines if "\textract\t" in line]

    async def settled(self):
        for _ in range(3000):
            if not self.agent.extractor.waiting():
                return
            await asyncio.sleep_ms(20)
        raise AssertionError("jobs never ended")


async def case_learns(url):
    chat = Chat(url)
    assert await chat.say("my cat is called Pixel") == ["Memory update: [pet]"]
    assert chat.contents() == ["The cat is called Pixel"]
    item = chat.memory.longterm.recall(["pet"])[0]
    assert item.source == "auto_llm" and item.keywords == "cat,Pixel,pet"
    assert await chat.say("thanks") == []
    assert chat.log() == [["request-1", "none, 1 labels"], ["request-2", "none, 0 labels"]]


async def case_replaces(url):
    chat = Chat(url)
    chat.memory.longterm.store("The user lives in York", "home")
    kept = chat.memory.longterm.store("The user has a flat in Rome", "home")[1]
    assert await chat.say("I moved to Leeds, so not York") == ["Memory update: [home]"]
    assert chat.contents() == ["The user has a flat in Rome", "The user lives in Leeds"]
    assert chat.memory.longterm.get(kept.id).content == "The user has a flat in Rome"


async def case_written_by_hand(url):
    chat = Chat(url)
    assert await chat.say("my cat is called Pixel") == ["Memory update: [pet]"]
    assert chat.contents() == ["the cat is called Pixel"]
    await chat.settled()
    assert chat.log() == [["request-1", "dropped, written by hand"]]


async def case_late(url):
    chat = Chat(url, extract_deadline=0)
    assert await chat.say("my cat is called Pixel") == []
    await chat.settled()
    assert chat.contents() == ["The cat is called Pixel"]
    assert await chat.say("and?") == ["Memory update: [pet]"]
    assert await chat.say("and?") == []


async def case_failed_turn(url):
    # the answer fails, what the message had to teach does not (offline no French is understood)
    chat = Chat(url)
    await chat.say("mon chat s'appelle Pixel")
    assert "HTTP 400" in chat.channel.of("error")[0]
    await chat.settled()
    assert chat.contents() == ["The cat is called Pixel"]
    assert chat.log() == [["request-1", "none, 1 labels"]]


async def case_odd_answers(url):
    chat = Chat(url)
    for n in range(8):
        assert await chat.say("message %d" % n) == []
    await chat.settled()
    assert chat.contents() == []
    assert len(chat.log()) == 8


async def case_errors_are_logged_and_the_next_job_runs(url):
    chat = Chat(url)
    await chat.say("one")
    assert "learned" in chat.agent.last_error and KEY not in chat.agent.last_error
    assert await chat.say("my cat is called Pixel") == ["Memory update: [pet]"]
    log = chat.log()
    assert log[0][1].startswith("failed") and log[1][1] == "none, 1 labels", log


async def case_one_connection(url):
    chat = Chat(url, net_single_connection=True)
    assert await chat.say("my cat is called Pixel") == ["Memory update: [pet]"]


async def case_switched_off(url):
    chat = Chat(url, extract_enabled=False)
    assert await chat.say("my cat is called Pixel") == []
    assert chat.contents() == []


async def case_queue(url):
    # 40 messages at once: every one ends with a line in the log, those too many as dropped
    chat = Chat(url)
    extractor = chat.agent.extractor
    for n in range(1, 41):
        extractor.start(n, "s", "message %d" % n, 0, chat.memory)
    await asyncio.gather(*[extractor.collect(n, "s", False, n % 3 > 0) for n in range(1, 41)])
    await chat.settled()
    log = chat.log()
    assert sorted([int(line[0][8:]) for line in log]) == list(range(1, 41))
    dropped = [line for line in log if "too many" in line[1]]
    assert len(dropped) == 40 - limits.EXTRACT_QUEUE - 1, len(dropped)


async def case_anthropic(url):
    chat = Chat(url, model_provider="anthropic")
    assert await chat.say("my cat is called Pixel") == ["Memory update: [pet]"]


def _trusting(where):
    from claw_core import tls

    url, tls.CERTS = where.split("|")
    return Chat(url)


async def case_https(where):
    chat = _trusting(where)
    assert await chat.say("my cat is called Pixel") == ["Memory update: [pet]"]


async def case_https_refused(where):
    chat = _trusting(where)
    await chat.say("mon chat s'appelle Pixel")
    await chat.settled()
    assert chat.contents() == []
    assert "no CA file on the board vouches" in chat.agent.last_error


async def case_load(url):
    chat = Chat(url)
    extractor = chat.agent.extractor
    beats = 0
    for n in range(1, 201):
        while extractor.waiting() > limits.EXTRACT_QUEUE:
            await asyncio.sleep_ms(2)
            beats += 1
        extractor.start(n, "s", "message %d" % n, 0, chat.memory)
        if n % 2:
            asyncio.create_task(extractor.collect(n, "s", n % 10 == 1, True))
        else:
            await extractor.collect(n, "s", False, False)
    await chat.settled()
    log = chat.log()
    assert sorted([int(line[0][8:]) for line in log]) == list(range(1, 201))
    learned = len([line for line in log if line[1] == "none, 1 labels"])
    assert learned > 80, learned
    assert beats > 50, beats
