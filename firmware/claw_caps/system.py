"""The state of the board for the model: version, uptime, heap, storage, Wi-Fi."""

import gc
import os
import sys

import claw_memory
from claw_core import uptime
from claw_memory import jsonio, platform


def system_info(args, ctx):
    """What the board is and how full it is; sizes in bytes, uptime in seconds."""
    root = ctx.memory.root or "/"
    out = jsonio.obj("ok", True, "version", claw_memory.__version__, "board", platform.board())
    out["uptime_s"] = uptime.seconds()
    gc.collect()
    out["heap_free"] = platform.mem_free()
    disk = jsonio.obj("root", root, "kind", platform.fs_kind(root))
    disk["free"] = platform.free_bytes(root)
    disk["total"] = _total(root)
    out["storage"] = disk
    # asking for the interface would switch the radio on, so only who already did is asked
    wifi = sys.modules.get("claw_core.wifi")
    if wifi is not None:
        out["wifi"] = wifi.status()
    return jsonio.dumps(out)


def _total(root):
    try:
        st = os.statvfs(root)
    except (OSError, AttributeError):
        return -1
    return st[0] * st[2]  # MicroPython counts blocks in f_bsize, as free_bytes does
