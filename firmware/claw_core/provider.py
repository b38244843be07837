"""Which provider answers, by the settings. Only the one in use is imported."""

import asyncio
import gc
import sys

from claw_core import uptime
from claw_memory import limits, platform
from micropython import const

# what only a server needs
_SERVER = const(
    "model_openai model_anthropic model_http model_errors model_think http http_errors sse tls"
    " extractor extract_prompt extract_grounds extract_thread blocking_https"
)
_NAMES = const(256)  # most that are made only to have the table grow


class Offline:
    """The offline model, imported when it is asked for the first time."""

    name = "offline"
    backend = 1

    async def ask(self, request, sink):
        """See claw_core.model."""
        from claw_core import model_offline

        def find(text, limit=8):
            return model_offline.search(request.memory, text, limit)

        return await model_offline.OfflineModel(find).ask(request, sink)

    def unload(self):
        """Give the memory back that the offline model takes; it is imported anew when asked."""
        unload(" ".join([name[10:] for name in sys.modules if "offline" in name]))


def learns(config):
    """True when messages are looked through in the background.

    As with ESP-Claw that takes a key: a server without one is a small one at home, which a
    second question per message would slow down. extract.enabled set to true asks it too.
    """
    if not config.get("extract.enabled"):
        return False
    return bool(config.get("model.key")) or config.values.get("extract.enabled") is True


async def make_room(agent):
    """Where RAM is short, let go of what talks to servers: the offline model needs the room."""
    agent.memory.profile.first = None  # which reads no prompt, so bootstrap.md stays
    gc.collect()
    if platform.is_micropython() and platform.mem_free() < limits.OFFLINE_ROOM:
        await _leave(agent)


async def _leave(agent):
    agent.connect(agent.offline)
    agent.away = True
    await asyncio.sleep(0)  # what was cancelled ends
    unload(_SERVER)


def short():
    """True on a board whose heap is small: what is not in use then makes room."""
    return platform.is_micropython() and platform.mem_size() < limits.ROOMY_HEAP


def tidy(memory):
    """In the middle of a turn: where the heap is small, let go of what is not in use."""
    if short():
        memory.unload()
        gc.collect()


def _busy(agent):
    return agent.extractor is not None and agent.extractor.waiting() > 0


async def step_aside(agent):
    """Where the heap is small, let go of what talks to servers until go_back(), if it is idle."""
    if short() and not _busy(agent) and agent.provider is not agent.offline:
        await _leave(agent)


async def rest(agent):
    """Let the memory rest after a turn; what needs much RAM has that of the server's code, too."""
    busy = _busy(agent)
    if agent.tight:
        # code that is loaded anew lies closer together, which leaves larger pieces of heap
        agent.memory.unload()
        await step_aside(agent)
        agent.tight = False
        _new_names(agent)
    elif agent.memory.untidy():
        await step_aside(agent)
    agent.memory.rest(busy and short())


async def quiet(agent):
    """Let the memory do what waits for a quiet moment, again and again."""
    while True:
        await asyncio.sleep(limits.IDLE_SECONDS)
        uptime.seconds()
        if not agent.busy:
            try:
                agent.memory.idle()
                if agent.memory.untidy():
                    await rest(agent)
            except Exception as e:  # the next quiet moment may do better
                agent.last_error = "%s %s" % (type(e).__name__, e)


def _new_names(agent):
    # MicroPython's table of names grows in one large piece, for which there may be room only now:
    # a full one refuses whatever needs a new name. Some names make it grow if it is about to.
    if platform.is_micropython() and agent.names < _NAMES:
        for _ in range(_NAMES // 8):
            hasattr(agent, "=%d" % agent.names)
            agent.names += 1


async def settle(agent):
    """Behind a turn: rest(), and be ready for the next one, however little RAM there is."""
    try:
        await rest(agent)
    except MemoryError:
        agent.tight = True
    gc.collect()
    go_back(agent)


def go_back(agent):
    """After make_room(), step_aside() or rest(): the next message is for the server again."""
    if agent.away:
        agent.offline.unload()
        try:
            agent.connect(make(agent.config, agent.offline))
            agent.away = False
        except MemoryError:
            pass  # the turns to come are answered offline until there is room again


def unload(names):
    """Let go of modules of claw_core (blank-separated names) that only a moment needs."""
    platform.unload("claw_core", names)
    gc.collect()


def make(config, offline, say=print, model=""):
    """The provider that config asks for; offline is the one that needs no server.

    say: function that gets a sentence when a connection is not verified. model: name of another
    model than model.name.

    "auto" means a server when model.base_url is set.
    """
    kind = config.get("model.provider")
    if kind == "auto":
        kind = "openai" if config.get("model.base_url") else "offline"
    if kind == "offline":
        return offline
    tls = None
    if config.get("model.base_url").startswith("https:"):
        from claw_core.tls import Trust  # ssl takes RAM: it is imported when a request needs it

        tls = Trust(config, say)
    if kind == "anthropic":
        from claw_core.model_anthropic import AnthropicModel as Model
    else:
        from claw_core.model_openai import OpenAIModel as Model
    return Model(
        config.get("model.base_url"),
        model or config.get("model.name"),
        config.get("model.key"),
        config.get("model.timeout"),
        tls,
    )
