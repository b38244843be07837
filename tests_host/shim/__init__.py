"""Makes CPython look like the board to the very same firmware modules.

Using claw_memory as a library on plain CPython needs no install(): put two folders on the path,

    import sys
    sys.path[:0] = ["firmware", "tests_host/shim"]
    from claw_memory.memory import Memory

because the only thing of the board that claw_memory imports is `micropython.const`. On the board
both lines are left out: the modules are there.

install() goes further, for tests of everything else: it makes the modules of this folder
importable (machine, network, esp32, vfs, neopixel, ntptime, urequests, uasyncio, ujson) and adds
to CPython's own modules what only MicroPython has (time.ticks_ms, asyncio.sleep_ms,
asyncio.ThreadSafeFlag, gc.mem_free, os.ilistdir, sys.print_exception and so on). A directory that
stands for the FATFS of a card is mounted as on the board: `vfs.mount(vfs.VfsFat(dir), "/sd")`.
"""

import os
import sys


def install():
    """Put the modules on the path and complete CPython's own; a second call changes nothing."""
    here = os.path.dirname(os.path.abspath(__file__))
    if here not in sys.path:
        sys.path.insert(0, here)
    import vfs

    from . import complete

    vfs.hook()
    complete.complete()
