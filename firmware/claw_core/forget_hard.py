"""The command /memory forget --hard: shows what would go for good, asks, and has it done."""

import asyncio

from claw_core import memory_commands
from claw_memory import erase, platform
from claw_memory.errors import InvalidArg, NotFound

_USE = "Use /memory forget --hard ID; /memory list shows the ids."


async def run(agent, event, channel):
    """Handle /memory forget --hard ID, and without ID go on with what was interrupted.

    channel: has ask() besides emit. Raises what claw_memory.erase does, and InvalidArg.
    """
    scope = event.place(agent.memory, agent.config)[0].scope
    memory = agent.memory
    if (scope and scope.user) or not hasattr(channel, "ask"):
        raise InvalidArg("/memory forget --hard works for the owner at the serial console only.")
    words = event.text.split()[3:]
    try:
        if erase.pending(memory):
            if words:
                raise InvalidArg("Another one is not finished: /memory forget --hard goes on.")
            await _steps(erase.resume(memory, _say(channel)))
        elif len(words) != 1:
            raise InvalidArg(_USE)
        elif not await _agreed(memory, _meant(agent, memory, words[0]), channel):
            channel.emit("info", "Nothing was removed.")
            return
        else:
            id = _meant(agent, memory, words[0])
            await _steps(erase.run(memory, id, _say(channel)))
        channel.emit("info", "Forgotten for good. /reset clears what the RAM still holds of it.")
    except asyncio.CancelledError:
        if erase.pending(memory):
            channel.emit("info", "Not finished: /memory forget --hard goes on with it.")
        raise
    finally:
        platform.unload("claw_memory", erase.MODULES)


def _meant(agent, memory, text):
    # As the other commands take an id; one that was forgotten before only as a whole.
    if memory.longterm is None:
        return text
    try:
        return memory_commands._id(agent, memory, text)
    except NotFound:
        return text


def _say(channel):
    return lambda sentence: channel.emit("info", sentence)


async def _steps(steps):
    try:
        for _ in steps:
            await asyncio.sleep(0)
    finally:
        steps.close()  # what takes up room on the medium goes, whatever stopped it


async def _agreed(memory, id, channel):
    shown = erase.preview(memory, id)
    steps = iter(shown)
    await _steps(steps)
    for line in _lines(shown):
        channel.emit("info", line)
    channel.emit("info", "There is no undo. Type yes to do it.")
    return (await channel.ask(False, "yes or no> ")).lower() in ("yes", "y")


def _lines(shown):
    yield "To be forgotten for good: " + shown.content
    for name in sorted(shown.messages):
        count = shown.messages[name]
        yield "  session %s: %d message%s" % (name, count, "" if count == 1 else "s")
    for path in sorted(shown.lines):
        yield "  %s: %d line%s" % (path, shown.lines[path], "" if shown.lines[path] == 1 else "s")
    if shown.words:
        yield "Recognised by most of its words, or by one of: " + ", ".join(shown.words)
    for id in shown.others:
        yield "%s tells the same and stays: forget it as well." % id
    for path, line in shown.own[:8]:
        yield "%s, line %d, tells it and stays: that file is yours to edit." % (path, line)
    for name in shown.names[:8]:
        yield "The name %s tells it and stays: delete what is called so." % name
    if shown.seconds:
        yield "Then %d KB are overwritten, which wears the flash once and takes about %s." % (
            shown.bytes // 1024,
            _span(shown.seconds),
        )


def _span(seconds):
    if seconds < 90:
        return "%d s" % seconds
    return "%d min" % ((seconds + 30) // 60) if seconds < 5400 else "%d h" % (seconds // 3600 + 1)
