"""Runs the MicroPython binary in this process, with an image as a part of its memory.

Arguments: image, then those of the binary. The last one that the binary gets is where the image
lies, address and bytes in decimal. Only for the binary that is a module of this Python.
"""

import ctypes
import mmap
import sys

from micropython_run import run_main


def main(image, *argv):
    """Map image, shared with the file, and run; returns the exit code."""
    with open(image, "r+b") as file:
        memory = mmap.mmap(file.fileno(), 0)
    address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    return run_main(["micropython", *argv, "%d,%d" % (address, len(memory))])


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
