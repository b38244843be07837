"""Code that is large and seldom used: loaded for one call, after which its place is free again."""

import gc
import sys

import claw_core

_HELPER = "config_edit"  # what such code loads and nothing else needs


async def call(module, function, *args):
    """Return what the coroutine function(*args) of the module of claw_core returns."""
    try:
        code = __import__("claw_core." + module, None, None, (function,))
        return await getattr(code, function)(*args)
    finally:
        code = None
        _unload(module)
        _unload(_HELPER)
        gc.collect()


def _unload(module):
    name = "claw_core." + module
    if name in sys.modules:
        # a dictionary of MicroPython keeps the value that was in a free place
        sys.modules[name] = None  # pyright: ignore
        del sys.modules[name]
        setattr(claw_core, module, None)
        delattr(claw_core, module)
