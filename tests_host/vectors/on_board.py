"""Runs replay.py in the MicroPython binary, with the memory on a LittleFS2 image in RAM.

Arguments: firmware folder, folder of this file, shim folder, then pairs of a vector (plain JSON)
and the file that gets what came out.
"""

import gc
import io
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
        # Neither in many small writes to the file nor in a text that grows a little each time.
        text = io.StringIO(1 << 20)
        json.dump(out, text)
        with open(jobs[at + 1], "w") as f:
            f.write(text.getvalue())
        vector = out = text = None
        gc.collect()


main(*sys.argv[1:])
