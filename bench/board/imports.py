"""Imports the modules that the file "where" names, in a small heap."""

import gc
import sys

from out import report


def main(kind, where):
    """Import them, and report the heap in use."""
    with open(where) as f:
        names = f.read().split()
    __import__("boot")
    for name in names:
        __import__(name)
    gc.collect()
    report("used", gc.mem_alloc())
    report("loaded", len([n for n in names if n in sys.modules]))
