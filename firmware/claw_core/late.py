"""Code that is large and seldom used: loaded for one call, after which its place is free again."""

import gc

from claw_memory import platform
from claw_memory.platform import const

# what such code loads and nothing else needs
_HELPER = const(" config_edit config_load secrets memory_commands memory_forget")


def once(module):
    """A module of claw_core for the moment: it goes with the last use of what this returns."""
    try:
        return __import__("claw_core." + module, None, None, (module,))
    finally:
        platform.unload("claw_core", module)


async def command(module, agent, event, channel):
    """Run a slash command; where its code finds no room, what talks to servers makes way."""
    try:
        __import__("claw_core." + module)
    except MemoryError:
        if module == "compaction":
            raise  # which needs the server
        from claw_core import provider

        platform.unload("claw_core", module + _HELPER)
        await provider.step_aside(agent)
        gc.collect()
    await call(module, "run", agent, event, channel)


async def call(module, function, *args):
    """Return what the coroutine function(*args) of the module of claw_core returns."""
    try:
        code = __import__("claw_core." + module, None, None, (function,))
        return await getattr(code, function)(*args)
    finally:
        code = None
        platform.unload("claw_core", module + _HELPER)
        gc.collect()
