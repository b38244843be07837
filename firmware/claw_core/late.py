"""Code that is large and seldom used: loaded for one call, after which its place is free again."""

import gc

from claw_memory import platform
from micropython import const

_HELPER = const(
    " config_edit memory_commands memory_forget"
)  # what such code loads and nothing else needs


async def call(module, function, *args):
    """Return what the coroutine function(*args) of the module of claw_core returns."""
    try:
        code = __import__("claw_core." + module, None, None, (function,))
        return await getattr(code, function)(*args)
    finally:
        code = None
        platform.unload("claw_core", module + _HELPER)
        gc.collect()
