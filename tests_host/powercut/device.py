"""A block device in RAM that loses power at a given write, for VfsLfs2 and VfsFat."""


class PowerCut(BaseException):
    """The power is gone. Not an Exception: no handler of the firmware may catch it."""


class Device:
    """Blocks in the bytearray image; write number `cut` persists only its first `part` bytes.

    Writes are counted from 1, an erase counts as one. The cut write and all later ones raise
    PowerCut, which ends the program as a power cut does. After off(), when files that were open
    are collected, writes are silently ignored. With cut=0 nothing is cut. `sizes` lists the bytes
    of each write so far (0 for an erase).
    """

    def __init__(self, image, block, cut=0, part=0):
        self.image = image
        self.view = memoryview(image)
        self.block = block
        self.cut = cut
        self.part = part
        self.count = 0
        self.dead = False
        self.on = True
        self.sizes = []

    def readblocks(self, n, buf, offset=0):
        if not self.on:
            return 5  # a collected file still asks; nothing may be allocated here
        at = n * self.block + offset
        buf[:] = self.view[at : at + len(buf)]

    def writeblocks(self, n, buf, offset=0):
        if not self.on:
            return
        at = n * self.block + offset
        if self._powered(len(buf)):
            self.image[at : at + len(buf)] = buf
        elif self.part:
            self.image[at : at + self.part] = memoryview(buf)[: self.part]
            self.part = 0
        if self.dead:
            raise PowerCut

    def ioctl(self, op, arg):
        if op == 4:
            return len(self.image) // self.block
        if op == 5:
            return self.block
        if op == 6 and self.on:
            at = arg * self.block
            if not self._powered(0):
                raise PowerCut
            self.image[at : at + self.block] = b"\xff" * self.block
        return 0

    def off(self):
        self.on = False

    def _powered(self, size):
        if not self.dead:
            self.count += 1
            self.sizes.append(size)
            self.dead = self.count == self.cut
        return not self.dead


def parts(kind, size, every=False):
    """How many of the size bytes of a cut write may have reached the medium.

    LittleFS2 programs flash byte by byte: none, the first, half, all but one; with every=True any
    number. FAT stands for a card that writes sectors of 512 bytes whole.
    """
    if kind == "fat":
        return range(0, size, 512)
    if every and size:
        return range(size)
    return sorted({0, min(1, size), size // 2, max(0, size - 1)})
