"""A block device on a host file: the flash or the card of the simulated board."""

_BLANK = b"\xff" * 256


class Disk:
    """Device of `size` bytes in blocks of `block` bytes on an open file.

    Every write reaches the file before it returns, so that killing the process models a power cut.
    """

    def __init__(self, file, size, block):
        self.file = file
        self.size = size
        self.block = block

    def readblocks(self, n, buf, off=0):
        """Fill buf from block n, byte off."""
        self.file.seek(n * self.block + off)
        return 0 if self.file.readinto(buf) == len(buf) else -5

    def writeblocks(self, n, buf, off=0):
        """Write buf to block n, byte off."""
        self.file.seek(n * self.block + off)
        return 0 if self.file.write(buf) == len(buf) else -5

    def ioctl(self, op, arg):
        """Answer what a file system asks a block device (4: count, 5: size, 6: erase)."""
        if op == 4:
            return self.size // self.block
        if op == 5:
            return self.block
        if op == 6:
            # As the flash does: else old text stays behind what is written into a block. A chip
            # takes no heap for that, and neither may this.
            self.file.seek(arg * self.block)
            for _ in range(self.block // len(_BLANK)):
                if self.file.write(_BLANK) != len(_BLANK):
                    return -5
        return 0


class ReadOnlyDisk(Disk):
    """The same on a write-protected file: LittleFS2 reports EROFS."""

    def writeblocks(self, n, buf, off=0):
        """Refuse."""
        return -30

    def ioctl(self, op, arg):
        """Refuse to erase."""
        return -30 if op == 6 else Disk.ioctl(self, op, arg)


class LockedCard:
    """A write-protected FAT device: FAT takes a missing writeblocks for the lock of the card."""

    def __init__(self, disk):
        self.readblocks = disk.readblocks
        self.ioctl = disk.ioctl


class NoCard:
    """An empty card slot."""

    def readblocks(self, n, buf, off=0):
        """Refuse."""
        return -5

    def ioctl(self, op, arg):
        """Tell that the card does not start."""
        return -1 if op == 1 else 0


_SECTOR = {"lfs2": 4096, "fat": 512, "ffat": 4096}


def open_disk(path, fs, read_only=False):
    """Return the device for the image at path.

    fs is 'lfs2', 'fat' (512-byte sectors) or 'ffat' (4096-byte sectors). Raises OSError when the
    file cannot be opened.
    """
    file = open(path, "rb" if read_only else "r+b")
    size = file.seek(0, 2)
    if not read_only:
        return Disk(file, size, _SECTOR[fs])
    disk = ReadOnlyDisk(file, size, _SECTOR[fs])
    return disk if fs == "lfs2" else LockedCard(disk)


def is_blank(disk):
    """True when the first block holds only 0xff or only 0x00: never formatted."""
    buf = bytearray(512)
    disk.readblocks(0, buf)
    return buf == b"\xff" * 512 or buf == bytes(512)


def filesystem(disk, fs):
    """Return a mountable file system object for disk, formatted first when the disk is blank.

    As on the chip, mounting comes first: a power cut can leave the first block of a good LittleFS2
    erased, its second one being the valid superblock. Raises OSError when the disk holds something
    else.
    """
    import vfs

    kind = vfs.VfsLfs2 if fs == "lfs2" else vfs.VfsFat
    if fs == "lfs2":
        try:
            return kind(disk)
        except OSError:
            if not is_blank(disk):
                raise
    if is_blank(disk):
        kind.mkfs(disk)
    return kind(disk)
