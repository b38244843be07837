"""How a block device in memory is read where the binary makes machine code: nothing is allocated.

Imported as source by the binary; a SyntaxError where it makes none (ARM64).
"""

# ruff: noqa: F821

import micropython

# A closure with more than five arguments, those it closes over included, allocates.


def reader(image, block, on=b"\x01"):
    """readblocks() of the buffer image, for LittleFS2 (blocks of 4096 bytes) or FAT (512).

    What is asked for must be a multiple of 16 bytes, as it always is. on: a buffer of one byte;
    while that is 0 nothing is read, and an error returned.
    """
    return _reader_4096(image, on) if block == 4096 else _reader_512(image, on)


def _reader_4096(image, on):
    @micropython.viper
    def read(n: int, buf, offset: int) -> int:
        if not ptr8(on)[0]:
            return 5
        source = ptr32(int(ptr8(image)) + n * 4096 + offset)
        target = ptr32(buf)
        words = int(len(buf)) >> 2
        i = 0
        while i < words:
            target[i] = source[i]
            target[i + 1] = source[i + 1]
            target[i + 2] = source[i + 2]
            target[i + 3] = source[i + 3]
            i += 4
        return 0

    return read


def _reader_512(image, on):
    @micropython.viper
    def read(n: int, buf) -> int:
        if not ptr8(on)[0]:
            return 5
        source = ptr32(int(ptr8(image)) + n * 512)
        target = ptr32(buf)
        words = int(len(buf)) >> 2
        i = 0
        while i < words:
            target[i] = source[i]
            target[i + 1] = source[i + 1]
            target[i + 2] = source[i + 2]
            target[i + 3] = source[i + 3]
            i += 4
        return 0

    return read
