"""Runs inside the MicroPython binary: puts '/' on the image, then runs the tests of one file.

Arguments: repository, folder of compiled tests, image, kind of file system, module, and a file
with the names of the tests (an argument ends at 255 bytes: it becomes a qstr); mapped.py adds
where the image lies in memory. The lines it prints that start with \\x01 are for the runner;
everything else is for people.
"""

import gc
import os
import sys
import time

import vfs

_MARK = "\x01"


class FileDevice:
    """Block device in a file of the host, so that the image takes no heap."""

    def __init__(self, path, block):
        self.file = open(path, "r+b")
        self.block = block
        self.blocks = os.stat(path)[6] // block

    def readblocks(self, n, buf, offset=0):
        self.file.seek(n * self.block + offset)
        self.file.readinto(buf)

    def writeblocks(self, n, buf, offset=0):
        self.file.seek(n * self.block + offset)
        self.file.write(buf)

    def ioctl(self, op, arg):
        if op == 4:
            return self.blocks
        if op == 5:
            return self.block
        return 0


class MappedDevice:
    """Block device in memory of this process that is no part of the heap; the host is not asked.

    place: "address,bytes".
    """

    def __init__(self, place, block):
        import uctypes

        self.image = uctypes.bytearray_at(*[int(number) for number in place.split(",")])
        self.view = memoryview(self.image)
        self.block = block
        try:
            from machine_code import reader

            self.readblocks = reader(self.image, block)
        except SyntaxError:  # this binary makes no machine code
            pass

    def readblocks(self, n, buf, offset=0):
        at = n * self.block + offset
        buf[:] = self.view[at : at + len(buf)]

    def writeblocks(self, n, buf, offset=0):
        at = n * self.block + offset
        self.view[at : at + len(buf)] = buf

    def ioctl(self, op, arg):
        if op == 4:
            return len(self.image) // self.block
        if op == 5:
            return self.block
        return 0


class _Partition:
    # What platform.fs_kind asks on a board whose / is FAT on raw flash.
    TYPE_DATA = 1

    @staticmethod
    def find(kind, label=None):
        return [label] if label == "ffat" else []


def mount(repo, tests, image, kind, place):
    """Make the image the root, and repository and tests importable below /host and /both."""
    sys.path.append(repo + "/tests_host/powercut")
    block = 4096 if kind == "lfs2" else 512
    if kind != "posix":
        device = MappedDevice(place, block) if place else FileDevice(image, block)
    vfs.mount(vfs.VfsPosix(repo), "/host", readonly=True)
    vfs.mount(vfs.VfsPosix(tests), "/both", readonly=True)
    sys.path[:] = ["/host/build/both/firmware", "/both", "/host/build/both/shim", ".frozen"]
    if kind == "posix":
        # Not as the root: rename() of a VfsPosix that has a root of its own mixes up its paths.
        import bothlib

        bothlib.base = image
        return
    if kind == "lfs2":
        vfs.VfsLfs2.mkfs(device)
        root = vfs.VfsLfs2(device)
    else:
        vfs.VfsFat.mkfs(device)
        root = vfs.VfsFat(device)
    vfs.umount("/")
    vfs.mount(root, "/")
    os.chdir("/")


def run_tests(module, names):
    """Run the named functions of module, each with its verdict on a line of its own."""
    failed = 0
    for name in names:
        gc.collect()
        start = time.ticks_ms()
        try:
            result = getattr(module, name)()
            if hasattr(result, "send"):
                import asyncio

                asyncio.new_event_loop()
                asyncio.run(result)
        except (Exception, KeyboardInterrupt, SystemExit) as e:
            failed += 1
            sys.print_exception(e)
            print(_MARK + "FAIL", name, time.ticks_diff(time.ticks_ms(), start))
        else:
            print(_MARK + "PASS", name, time.ticks_diff(time.ticks_ms(), start))
    return failed


def main(repo, tests, image, kind, module, names, place=""):
    """Prepare the board, import the module of tests, run them and leave."""
    with open(names) as f:
        wanted = f.read().split()
    mount(repo, tests, image, kind, place)
    if kind == "ffat":
        import esp32

        esp32.Partition = _Partition
    gc.collect()
    # As boot.py does: where only a full heap is swept, what stays ends up all over it, and a
    # piece as large as the interpreter's table of names soon finds no place.
    gc.threshold(gc.mem_free() // 8)
    failed = run_tests(__import__(module), wanted)
    print(_MARK + "DONE", failed)


main(*sys.argv[1:])
