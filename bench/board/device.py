"""Block devices of the benchmarks: one in RAM that counts what flash would feel, one in a file."""

import os


class RamDevice:
    """Blocks in a bytearray. Counts programmed bytes, programs (writes) and erases (blocks)."""

    def __init__(self, size, block):
        self.image = bytearray(size)
        self.block = block
        self.reset()

    def reset(self):
        """Count from 0 again."""
        self.programmed = self.programs = self.erases = 0

    def readblocks(self, n, buf, offset=0):
        """Read from block n on."""
        at = n * self.block + offset
        buf[:] = memoryview(self.image)[at : at + len(buf)]

    def writeblocks(self, n, buf, offset=0):
        """Write to block n."""
        at = n * self.block + offset
        self.image[at : at + len(buf)] = buf
        self.programmed += len(buf)
        self.programs += 1

    def ioctl(self, op, arg):
        """Number and size of blocks; erasing."""
        if op == 4:
            return len(self.image) // self.block
        if op == 5:
            return self.block
        if op == 6:
            self.erases += 1
        return 0


class FileDevice:
    """Blocks in a file of the host, so that the image takes no heap."""

    def __init__(self, path, block):
        self.file = open(path, "r+b")
        self.block = block
        self.blocks = os.stat(path)[6] // block

    def readblocks(self, n, buf, offset=0):
        """Read from block n on."""
        self.file.seek(n * self.block + offset)
        self.file.readinto(buf)

    def writeblocks(self, n, buf, offset=0):
        """Write to block n."""
        self.file.seek(n * self.block + offset)
        self.file.write(buf)

    def ioctl(self, op, arg):
        """Number and size of blocks; erasing."""
        if op == 4:
            return self.blocks
        if op == 5:
            return self.block
        return 0
