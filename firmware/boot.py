"""Runs at every start before main.py: has the heap collected early, which keeps it in one piece.

Without a threshold garbage is collected only when the heap is full; by then modules lie scattered
all over it, and no room is left between them for anything large. It also says so when an update
stopped before main.py was there.
"""

import gc
import os

gc.collect()
gc.threshold(max(4096, gc.mem_free() // 32))


def size(path):
    """Bytes of the file at path, -1 when there is none."""
    try:
        return os.stat(path)[6]
    except OSError:
        return -1


if size("/update.part") >= 0 and size("/main.py") <= 0:
    print("! The last update did not finish: run tools/flash.py again to finish it.")
