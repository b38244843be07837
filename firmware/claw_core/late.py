"""Code that is large and seldom used: loaded for one call, after which its place is free again."""

import gc
import sys

import claw_core


async def call(module, function, *args):
    """Return what the coroutine function(*args) of the module of claw_core returns."""
    name = "claw_core." + module
    try:
        return await getattr(__import__(name, None, None, (function,)), function)(*args)
    finally:
        if name in sys.modules:
            del sys.modules[name]
            delattr(claw_core, module)
        gc.collect()
