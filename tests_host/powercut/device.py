"""Block devices in RAM for VfsLfs2 and VfsFat, and what a power cut leaves of a write."""


class Device:
    """Blocks in the bytearray image.

    After off(), when files that were open are collected, writes are silently ignored. `log` lists
    the writes so far, where they are kept.
    """

    log = ()

    def __init__(self, image, block):
        self.image = image
        self.view = memoryview(image)
        self.block = block
        self.on = True

    def readblocks(self, n, buf, offset=0):
        if not self.on:
            return 5  # a collected file still asks; nothing may be allocated here
        at = n * self.block + offset
        buf[:] = self.view[at : at + len(buf)]

    def writeblocks(self, n, buf, offset=0):
        if self.on:
            at = n * self.block + offset
            self.image[at : at + len(buf)] = buf

    def ioctl(self, op, arg):
        if op == 4:
            return len(self.image) // self.block
        if op == 5:
            return self.block
        if op == 6 and self.on:
            at = arg * self.block
            self.image[at : at + self.block] = b"\xff" * self.block
        return 0

    def off(self):
        self.on = False


class QuietDevice(Device):
    """A device that is read in machine code, where the binary makes that: it allocates nothing."""

    def __init__(self, image, block):
        Device.__init__(self, image, block)
        self.power = bytearray(b"\x01")
        try:
            from machine_code import reader

            self.readblocks = reader(image, block, self.power)
        except SyntaxError:
            pass

    def off(self):
        self.power[0] = 0
        Device.off(self)


class Recorder(Device):
    """Keeps what is written: a list of (offset in the image, bytes), of an erase (offset, None).

    Whoever has seen enough takes the list away: None in its place.
    trail: a Trail (see known.py) that is told which blocks are read and which are overwritten.
    """

    def __init__(self, image, block, trail=None):
        Device.__init__(self, image, block)
        self.log = []
        self.trail = trail
        self.latest = -1  # the block that was read last

    def readblocks(self, n, buf, offset=0):
        if not self.on:
            return 5
        size = len(buf)
        if n != self.latest:
            self._note(n, size)
        at = n * self.block + offset
        buf[:] = self.view[at : at + size]

    def writeblocks(self, n, buf, offset=0):
        if self.on:
            size = len(buf)
            if size % self.block:
                self._note(n, size)  # the rest of the block stays
            elif self.trail:
                for i in range(size // self.block):
                    self.trail.overwritten(n + i)
            at = n * self.block + offset
            if self.log is not None:
                self.log.append((at, bytes(buf)))
            self.image[at : at + size] = buf

    def ioctl(self, op, arg):
        if op == 6 and self.on:
            if self.trail:
                self.trail.overwritten(arg)
            if self.log is not None:
                self.log.append((arg * self.block, None))
        return Device.ioctl(self, op, arg)

    def _note(self, n, size):
        if self.trail:
            for i in range(max(1, size // self.block)):
                self.trail.read(n + i)
        self.latest = n if size <= self.block else -1


def program(image, block, write, size=None):
    """Carry out a write of a Recorder's log on image, or its first size bytes, which is a cut."""
    at, data = write
    if data is not None:
        size = len(data) if size is None else size
        image[at : at + size] = memoryview(data)[:size]
    elif size is None:
        image[at : at + block] = b"\xff" * block


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
