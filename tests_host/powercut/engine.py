"""Prepares one operation, boots from an image that something left of it, compares, and counts."""

import os
import sys
from binascii import crc32

import vfs
from claw_memory import durable, platform

from device import Device, Recorder, program

ROOT = "/m"
# Fills the free space of FAT: the text of removed files, 32 bytes like a directory entry.
_OLD_TEXT = b"Once there are other texts here\n"
_SHOWN = 5  # failures printed per operation


def blank_image(op, kind):
    """An image with a fresh file system, and old text in its free space."""
    image = bytearray(_OLD_TEXT * (op.size[kind] // 32))
    if kind == "lfs2":
        image = bytearray(b"\xff" * len(image))
        vfs.VfsLfs2.mkfs(Device(image, 4096))
    else:
        vfs.VfsFat.mkfs(Device(image, 512))
    return image


def tree(path=ROOT, found=None):
    """{path: (bytes, CRC32)} of all files.

    Names that cannot be opened are skipped: a cut while a directory of FAT grows can leave in it
    what removed files held, which reads as names of nothing.
    """
    found = {} if found is None else found
    for entry in entries(path):
        name = path + "/" + entry[0]
        if not platform.exists(name):
            continue
        if entry[1] & 0x4000:
            tree(name, found)
        else:
            found[name] = checksum(name)
    return found


def entries(path):
    """What os.ilistdir() yields, but for names that are no text."""
    found = os.ilistdir(path)
    while True:
        try:
            entry = next(found)
        except StopIteration:
            return
        except UnicodeError:
            continue
        yield entry


def checksum(name):
    """(bytes, CRC32) of a file."""
    crc = size = 0
    with open(name, "rb") as f:
        while True:
            piece = f.read(512)
            if not piece:
                return size, crc
            crc = crc32(piece, crc)
            size += len(piece)


class Noticed(BaseException):
    """A planted mistake was found, which is all that is asked."""


class Run:
    """One operation on one kind of file system; its subclasses say what goes wrong."""

    words = ("", "")  # what is counted besides what was lost and damaged
    device_class = Device

    def __init__(self, op, kind):
        self.op = op
        self.kind = kind
        self.block = 4096 if kind == "lfs2" else 512
        self.device = None
        self.planted = False
        self.cuts = self.double = self.lost = self.damaged = 0

    def power(self, image, kind=None, *args):
        """Switch the board on: mount the image and forget what was in RAM."""
        device = (kind or self.device_class)(image, self.block, *args)
        durable._kinds.clear()
        self.device = device
        vfs.mount((vfs.VfsLfs2 if self.kind == "lfs2" else vfs.VfsFat)(device), ROOT)
        return device

    def off(self):
        """Switch the board off without any warning."""
        if self.device:
            self.device.off()
            self.device = None
            vfs.umount(ROOT)

    def dry(self, base):
        """Carry out all steps; keep the writes, and the views and the files after each step."""
        image = bytearray(base)
        self.log = self.power(image, Recorder).log
        opened = self.op.open(ROOT)
        self.marks = []  # how many writes there were after each step
        for step in self.op.steps:
            step(opened)
            self.marks.append(len(self.log))
        self.off()
        self.views = []
        self.trees = []
        image[:] = base
        self.see(image)
        written = 0
        for mark in self.marks:
            for write in self.log[written:mark]:
                program(image, self.block, write)
            written = mark
            self.see(image)
        self.extra = ()
        if self.op.between:
            image[:] = base
            self.power(image)
            self.op.between(self.op.open(ROOT))
            self.off()
            self.power(image)
            self.extra = (self.look(),)
            self.off()
        self.names = set()
        for files in self.trees:
            self.names.update(files)
        first = self.trees[0]
        self.still = [
            name for name in first if all(files.get(name) == first[name] for files in self.trees)
        ]
        if not self.op.expect(self.views):
            self.complain("lost", "without a cut", self.views)

    def see(self, image):
        """Keep the view and the files that are found on image."""
        self.power(bytearray(image))
        self.views.append(self.look())
        self.trees.append(tree())
        self.off()

    def prepared(self):
        """The image (bytes) on which the operation begins, after a run of it without a cut."""
        base = blank_image(self.op, self.kind)
        self.power(base)
        self.op.setup(ROOT)
        self.off()
        base = bytes(base)
        self.dry(base)
        return base

    def complain(self, what, where, detail):
        setattr(self, what, getattr(self, what) + 1)
        if self.lost + self.damaged <= _SHOWN:
            print(
                "  %s %s: %s, %s: %s" % (self.kind, self.op.name, what, where, str(detail)[:900])
            )
        if self.planted:
            raise Noticed

    def look(self):
        return self.op.view(self.op.open(ROOT))

    def check(self, image, done, where, resume=False, args=()):
        """Boot from image and compare; return the writes that the boot made, if they are kept."""
        try:
            device = self.power(image, *args)
            opened = self.op.open(ROOT)
            view = self.op.view(opened)
            log = device.log
            device.log = None
            for state in range(done, min(done + 2, len(self.views))):
                if self.views[state] == view:
                    break
            else:
                state = done
                resume = resume and self.op.repeat
            if self.views[state] != view and (done or view not in self.extra):
                allowed = self.views[done : done + 2]
                self.complain("lost", where, "reads %s instead of %s" % (view, allowed))
                return ()
            self.check_files(where)
            if resume:
                for step in self.op.steps[state:]:
                    step(opened)
                self.off()
                self.power(image, *args)
                if self.look() != self.views[-1]:
                    self.complain("lost", where + ", then carried on", self.look())
                left = self.op.left(image)
                if left:
                    self.complain("damaged", where + ", then carried on", left)
            return log
        except Exception as e:
            self.complain("lost", where, repr(e))
            sys.print_exception(e)
            return ()
        finally:
            self.off()

    def check_files(self, where):
        files = tree()
        for name in self.still:
            if files.get(name) != self.trees[0][name] and not self.is_derived(name):
                self.complain("damaged", where, name)
        for name in files:
            if name not in self.names and not self.is_derived(name):
                self.complain("damaged", where, "left over: " + name)

    def is_derived(self, name):
        return any(name.endswith(end) for end in self.op.derived)
