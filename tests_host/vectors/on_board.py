"""Runs replay.py in the MicroPython binary, with the memory on a LittleFS2 image in RAM.

Arguments: firmware folder, folder of this file, shim folder, then pairs of a vector (plain JSON)
and the file that gets what came out.
"""

import gc
import json
import sys

import vfs

_BLOCK = 4096


class RamDevice:
    """Block device in RAM."""

    def __init__(self, blocks):
        self.data = bytearray(blocks * _BLOCK)

    def readblocks(self, n, buf, offset=0):
        start = n * _BLOCK + offset
        buf[:] = memoryview(self.data)[start : start + len(buf)]

    def writeblocks(self, n, buf, offset=0):
        start = n * _BLOCK + offset
        self.data[start : start + len(buf)] = buf

    def ioctl(self, op, arg):
        if op == 4:
            return len(self.data) // _BLOCK
        if op == 5:
            return _BLOCK
        return 0


def main(firmware, here, shim, *jobs):
    """Replay each vector on a freshly made file system."""
    sys.path[:] = [firmware, here, shim, ".frozen"]
    device = RamDevice(1024)
    import replay

    for at in range(0, len(jobs), 2):
        with open(jobs[at], "rb") as f:
            vector = json.loads(f.read())
        vfs.VfsLfs2.mkfs(device)
        vfs.mount(vfs.VfsLfs2(device), "/flash")
        out = replay.play(vector, "/flash")
        vfs.umount("/flash")
        with open(jobs[at + 1], "wb") as f:
            f.write(json.dumps(out).encode())
        vector = out = None
        gc.collect()


main(*sys.argv[1:])
