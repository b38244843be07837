"""The command /memory forget --hard: shows what would go for good, asks, and has it done."""

import asyncio

from claw_core import memory_commands
from claw_memory import erase, erase_tells, platform
from claw_memory.errors import InvalidArg, NotFound

_USE = "Type /memory forget --hard ID, with one ID: /memory list shows them."


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
        else:
            try:
                shown = erase.preview(memory, _meant(agent, memory, words[0]))
            except NotFound:
                raise memory_commands.unknown(words[0])
            if not await _agreed(shown, memory.root, channel):
                channel.emit("info", "Nothing was removed.")
                return
            # What was shown, whatever has changed while the question stood there.
            await _steps(erase.run(memory, shown.id, _say(channel), shown.tells))
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


async def _agreed(shown, root, channel):
    await _steps(iter(shown))
    for line in _lines(shown, "card" if platform.fs_kind(root or "/") == "fat" else "flash"):
        channel.emit("info", line)
    channel.emit("info", "There is no undo. Type yes to do it.")
    return (await channel.ask(False, "yes or no> ")).lower() in ("yes", "y")


def _lines(shown, medium):
    yield "To be forgotten for good: " + (shown.content or "hashes of words that are gone")
    for name in sorted(shown.messages):
        turns = [turn + 1 for turn in shown.places[name]]
        yield "  session %s: %s" % (name, _counted(shown.messages[name], "message", "turn", turns))
    for path in sorted(shown.lines):
        places = shown.places[path]
        yield "  %s: %s" % (path, _counted(shown.lines[path], "line", "number", places))
    yield "Together, besides the memory itself: %s." % erase.summed(shown)
    yield "Recognised by " + (", or by ".join(_signs(shown)) or "its id alone") + "."
    for id in shown.others:
        yield "%s tells the same and stays: forget it as well." % id
    for path, line in shown.own[:8]:
        yield "%s, line %d, tells it and stays: that file is yours to edit." % (path, line)
    for name in shown.names[:8]:
        yield "The name %s tells it and stays: delete what is called so." % name
    if shown.seconds:
        yield "Then %d KB are overwritten, which wears the %s once and takes about %s." % (
            shown.bytes // 1024,
            medium,
            _span(shown.seconds),
        )


def _counted(count, what, place, places):
    # 3 messages (turns 1, 2)
    ending = "" if count == 1 else "s"
    more = "" if len(places) == 1 else "s"
    text = "%d %s%s (%s%s %s" % (count, what, ending, place, more, ", ".join(map(str, places)))
    return text + (" …)" if len(places) == erase.PLACES else ")")


def _signs(shown):
    kinds = shown.tells.kinds()
    if erase_tells.MOST in kinds:
        yield "most of its words within a few lines"
    if erase_tells.NEAR in kinds:
        yield "all words of a short text of it side by side"
    if erase_tells.ALONE in kinds:
        yield "a sentence of nothing but it"
    if shown.words:
        yield "one of: " + ", ".join(shown.words)
    if shown.tells.origins:
        yield "the turn that it was learned from"


def _span(seconds):
    if seconds < 90:
        return "%d s" % seconds
    return "%d min" % ((seconds + 30) // 60) if seconds < 5400 else "%d h" % (seconds // 3600 + 1)
