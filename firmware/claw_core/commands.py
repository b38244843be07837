"""The commands that start with a slash: a table of verbs, handled without a model."""

import asyncio
import gc
import sys

from claw_core import late, provider, uptime, zone
from claw_memory import limits, platform
from claw_memory.errors import ClawError, InvalidArg, InvalidState, NotFound

_HELP = """/help                      this list
/session new [NAME] | list | switch NAME | delete NAME | show [TURN]
/compact [FOCUS]           have the older part of the conversation summed up
/memory [list]             what is remembered and since when
/memory find TEXT | why ID | history ID | pin ID | unpin ID | stats
/memory share ID | unshare ID    other users of the device read it, or no longer
/memory forget ID or TEXT | undo | export [markdown]    export: for tools/memory.py
/memory forget --hard ID   forget for good: conversations too, then the flash is overwritten
/setup [STEP]              ask for the settings, one after the other
/config show | set KEY [VALUE] | unset KEY    secrets: leave VALUE out
/status                    the state of the board
/reset                     restart the board
/exit                      leave to the MicroPython prompt
Ctrl-C stops a reply, and leaves when there is none."""


# settings, or what they begin with, that are read at the start only
_AT_START = ("sd gpio watchdog memory.root memory.mode memory.max_message_chars").split()

# what nothing may follow: with more behind it, it is not what somebody meant to have done
_ALONE = ("status", "reset", "exit")
# what chats of others than the owner may use
_GUESTS = ("help", "session", "memory")


async def run(agent, event, channel):
    """Run the command in event.text and show what it says on channel."""
    name, _, rest = event.text[1:].partition(" ")
    memory = event.place(agent.memory, agent.config)[0]
    guest = memory.scope and memory.scope.user
    verb = _VERBS.get(name)
    try:
        if verb is None:
            raise NotFound("There is no command /%s; /help lists them." % name[:20])
        if guest and name not in _GUESTS:
            raise InvalidState("/%s is the owner's." % name)
        if name in _ALONE and rest.strip():
            raise InvalidArg("Nothing goes behind /%s: type it alone." % name)
        if name == "memory" and rest.split()[:2] == ["forget", "--hard"]:
            if guest:
                raise InvalidState("/memory forget --hard is the owner's.")
            await late.call("forget_hard", "run", agent, event, channel)
            return
        if name == "memory":
            await provider.step_aside(agent)
        for text in verb(agent, event, rest.strip()):
            if text:
                channel.emit("info", text)
            else:  # work that takes long, in steps
                await asyncio.sleep(0)
    except ClawError as e:
        # not kept for /status: what somebody typed is nobody else's business
        channel.emit("error", agent.config.redact(str(e)))


def _help(agent, event, rest):
    yield _HELP


def _session(agent, event, rest):
    names = agent.memory.names
    key = names.chat_key(event.channel, event.chat_id)
    yield names.command(key, rest, agent.memory.sessions)
    if rest.startswith("delete"):
        agent.paused = ("", 0)  # a session that begins anew counts its turns from the start


def _memory(agent, event, rest):
    from claw_core import memory_commands

    memory, session_id = event.place(agent.memory, agent.config)
    try:
        yield from memory_commands.run(agent, memory, session_id, rest)
    except NotFound as e:
        said = str(e)
        if said[:1] != "t":
            raise
        # a number of the last list, whose memory has gone since
        raise memory_commands.unknown(said[said.rfind(" ") + 1 :])


def date(agent, unix):
    """Unix seconds as a date and time of the zone that is set."""
    if not unix:
        return "an unknown time"
    try:
        east, _ = zone.offset(agent.config.get("time.zone"), unix)
    except ClawError:
        east = 0
    return "%04d-%02d-%02d %02d:%02d" % zone.date(unix + east)[:5]


def _config(agent, event, rest):
    config = agent.config
    verb, _, rest = rest.partition(" ")
    key, _, value = rest.strip().partition(" ")
    if verb == "show":
        yield "\n".join(config.show())
        return
    if verb == "set" and key and value.strip():
        if key == "time.zone":
            zone.offset(value, 0)
        said = config.set(key, value)
    elif verb == "unset" and key:
        said = config.unset(key)
    else:
        raise InvalidArg("Use /config show, /config set KEY VALUE or /config unset KEY.")
    if key.startswith("model.") or key == "extract.enabled":
        agent.connect(provider.make(config, agent.offline))
    elif key in _AT_START or key.partition(".")[0] in _AT_START:
        said += " It counts from the next restart (/reset)."
    yield said


def _status(agent, event, rest):
    from claw_memory import chats

    memory = agent.memory
    root = memory.root or "/"
    seconds = uptime.seconds()
    gc.collect()
    yield "up %d:%02d:%02d, %s" % (seconds // 3600, seconds // 60 % 60, seconds % 60, _cause())
    yield "model: %s" % _model(agent)
    session_id = memory.names.current(memory.names.chat_key(event.channel, event.chat_id))
    turns, size, _ = memory.sessions.info(session_id)
    ending = "" if turns == 1 else "s"
    called = chats.called(memory, session_id)
    yield "session: %s, %d turn%s, %d bytes" % (called, turns, ending, size)
    yield _context(agent, memory, session_id)
    if memory.longterm is not None:
        yield "memories: %d" % memory.longterm.count()
    yield "heap: %d bytes free" % platform.mem_free()
    free = platform.free_bytes(root)
    whole = platform.free_bytes(root, True)
    kind = platform.fs_kind(root)
    yield "storage: %s on %s, %d of %d bytes free" % (root, kind, free, whole)
    wifi = sys.modules.get("claw_core.wifi")
    yield "Wi-Fi: %s" % ("off" if wifi is None else wifi.status())
    now = memory.clock()
    yield "clock: %s" % (date(agent, now) if now else "not set")
    yield "waiting: %d of %d" % (len(agent.inbox), limits.INBOX)
    yield "last error: %s" % (agent.last_error or "none")


def _context(agent, memory, session_id):
    from claw_core.context import Counted, Request
    from claw_core.model import ModelError

    request = Request(memory, agent.caps, agent.config, session_id, "")
    try:
        whole = request.fit(agent)
    except ModelError:
        # no message is on its way: even the latest turn may be left out for the next one
        whole = False
        counted = Counted().tokens(memory.sessions, session_id)
        request.used = request.fixed + counted
    text = "context: about %d of %d tokens, of which %d are not the conversation"
    text %= (request.used, request.window, request.fixed)
    if not whole:
        text += "; its oldest turns are left out"
    return text + "; context.reserve was cut to half of the window" if request.cut else text


def _model(agent):
    if agent.provider is agent.offline:
        return "offline"
    from claw_core.config_edit import address

    config = agent.config
    return "%s, %s at %s" % (
        agent.provider.name,
        config.get("model.name") or "(model.name is not set)",
        address(config.get("model.base_url")) or "(model.base_url is not set)",
    )


def _cause():
    try:
        import machine

        cause = machine.reset_cause()
        for name in ("PWRON_RESET", "HARD_RESET", "WDT_RESET", "DEEPSLEEP_RESET", "SOFT_RESET"):
            if getattr(machine, name, None) == cause:
                return "started by " + name.lower().replace("_", " ")
    except (ImportError, AttributeError):
        pass
    return "started by an unknown cause"


def _reset(agent, event, rest):
    try:
        agent.memory.close()
    except ClawError as e:
        yield str(e)
    yield "Restarting…"
    import machine

    machine.reset()


def _exit(agent, event, rest):
    agent.leaving = True
    return ()


_VERBS = {
    "help": _help,
    "session": _session,
    "memory": _memory,
    "config": _config,
    "status": _status,
    "reset": _reset,
    "exit": _exit,
}
