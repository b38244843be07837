"""Without a clock: times are stored as 0, shown as unknown, and right once the clock is set."""

from bothlib import run, tmpdir

from claw_core import commands
from claw_core.agent import Agent
from claw_core.capability import Capabilities
from claw_core.config import Config
from claw_core.events import Event
from claw_memory.memory import Memory


class Channel:
    name = "serial"

    def __init__(self):
        self.shown = []

    def emit(self, kind, text):
        self.shown.append(text)


def test_a_time_that_is_not_known_is_shown_as_that():
    root = tmpdir("unset")
    now = [0]
    memory = Memory(root, clock=lambda: now[0])
    channel = Channel()
    offline = object()
    agent = Agent(memory, Capabilities(), offline, offline, [channel], Config(root + "/c.json"))

    def say(text):
        del channel.shown[:]
        run(commands.run(agent, Event("serial", "0", text), channel))
        return "\n".join(channel.shown)

    _, item = memory.longterm.store("The cat is called Pixel", "pet")
    assert item.created_at == 0
    assert "manual, since an unknown time" in say("/memory list")
    assert "clock: not set" in say("/status")
    now[0] = 1795986000
    memory.longterm.store("The dog is called Rex", "dog")
    shown = say("/memory list")
    assert "since an unknown time" in shown and "since 2026-11-29 21:00" in shown
    agent.config.set("time.zone", "UTC+2")
    assert "since 2026-11-29 23:00" in say("/memory list")
    assert "clock: 2026-11-29 23:00" in say("/status")
    memory.close()
