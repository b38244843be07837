"""Runs in the MicroPython binary: prints path and size of every file in a flash image."""

import os
import sys

import vfs


class _Image:
    def __init__(self, path, block):
        self._file = open(path, "rb")
        self._block = block
        self._count = os.stat(path)[6] // block

    def readblocks(self, n, buf, offset=0):
        self._file.seek(n * self._block + offset)
        self._file.readinto(buf)

    def ioctl(self, op, arg):
        return {4: self._count, 5: self._block}.get(op, 0)


def show(folder):
    """Print the files below folder."""
    for entry in os.ilistdir(folder):
        path = folder.rstrip("/") + "/" + entry[0]
        if entry[1] & 0x4000:
            show(path)
        else:
            print(os.stat(path)[6], path[4:])


image, kind = sys.argv[1:]
system, block = (vfs.VfsLfs2, 4096) if kind == "lfs2" else (vfs.VfsFat, 512)
vfs.mount(system(_Image(image, block)), "/img", readonly=True)
show("/img")
