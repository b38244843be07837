"""Runs inside the MicroPython binary: one group of benchmarks, a line `@name value` per figure.

Arguments: firmware folder, this folder, group, kind of file system, image or folder.
"""

import sys

import vfs


def main(firmware, here, group, kind, where):
    """Run one group of benchmarks."""
    vfs.mount(vfs.VfsPosix(firmware), "/firmware", readonly=True)
    vfs.mount(vfs.VfsPosix(here), "/bench", readonly=True)
    sys.path[:] = ["/firmware", "/bench", ".frozen"]
    __import__(group).main(kind, where)


main(*sys.argv[1:])
