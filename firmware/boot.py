"""Runs at every start before main.py: has the heap collected early, which keeps it in one piece.

Without a threshold garbage is collected only when the heap is full; by then modules lie scattered
all over it, and no room is left between them for anything large.
"""

import gc

gc.collect()
gc.threshold(max(4096, gc.mem_free() // 32))
