"""Cuts one operation at every write, boots, compares, cuts the boot as well, and counts."""

import gc
import os
import sys
from binascii import crc32

import vfs
from claw_memory import durable, platform

from device import Device, PowerCut, parts

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

    Names that cannot be opened are skipped: a cut while a directory of FAT grows can leave text of
    removed files in it, which reads as names of nothing.
    """
    found = {} if found is None else found
    for entry in os.ilistdir(path):
        name = path + "/" + entry[0]
        if not platform.exists(name):
            continue
        if entry[1] & 0x4000:
            tree(name, found)
        else:
            found[name] = checksum(name)
    return found


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
    """The enumeration of one operation on one kind of file system."""

    words = ("cuts", "double")  # what is counted besides what was lost and damaged
    device_class = Device

    def __init__(self, op, kind, stride=1, double_stride=1, all_parts=True):
        self.op = op
        self.kind = kind
        self.stride = stride
        self.double_stride = double_stride
        self.all_parts = all_parts
        self.device = None
        self.planted = False
        self.cuts = self.double = self.lost = self.damaged = 0

    def power(self, image, cut=0, part=0):
        """Switch the board on: mount the image and forget what was in RAM."""
        device = self.device_class(image, 4096 if self.kind == "lfs2" else 512, cut, part)
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

    def until_cut(self, work, *args):
        """Run work until the power goes; handlers on the way may have changed the exception."""
        device = self.device
        try:
            return work(*args)
        except PowerCut:
            pass
        except Exception:
            if not device.dead:
                raise

    def dry(self, base):
        """Carry out all steps; keep the views, the files and the number of writes after each."""
        image = bytearray(base)
        device = self.power(image)
        opened = self.op.open(ROOT)
        images = [base]
        self.marks = []
        for step in self.op.steps:
            step(opened)
            images.append(bytes(image))
            self.marks.append(device.count)
        self.off()
        self.sizes = device.sizes
        self.views = []
        self.trees = []
        for at in images:
            self.power(bytearray(at))
            self.views.append(self.look())
            self.trees.append(tree())
            self.off()
        self.extra = ()
        if self.op.between:
            image = bytearray(base)
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

    def all(self):
        """Every cut of the operation and every cut of the boot after it."""
        base = self.prepared()
        if self.op.samples:
            self.stride = max(1, len(self.sizes) // self.op.samples)
            self.all_parts = False
        for cut in range(1, len(self.sizes) + 1, self.stride):
            self.cut_at(base, cut)
        self.cut_at(base, len(self.sizes) + 1)
        return self

    def choices(self, sizes, cut):
        if cut > len(sizes):
            return (0,)
        if self.all_parts:
            return parts(self.kind, sizes[cut - 1], self.op.every_prefix)
        return sorted({0, parts(self.kind, sizes[cut - 1])[-1]}) if sizes[cut - 1] else (0,)

    def cut_at(self, base, cut):
        for part in self.choices(self.sizes, cut):
            image = bytearray(base)
            self.done = 0
            self.power(image, cut, part)
            self.until_cut(self.carry_out)
            done = self.done
            self.off()
            self.cuts += 1
            where = "cut %d+%d of %d" % (cut, part, len(self.sizes))
            sizes = self.check(bytearray(image), done, where, resume=True)
            if self.op.samples:
                continue
            # where only some are tried, others after each first cut
            first = cut % max(1, min(self.double_stride, len(sizes)))
            for again in range(1 + first, len(sizes) + 1, self.double_stride):
                for rest in self.choices(sizes, again):
                    second = bytearray(image)
                    self.power(second, again, rest)
                    self.until_cut(self.look)
                    self.off()
                    self.double += 1
                    self.check(second, done, "%s, then %d+%d" % (where, again, rest))
            gc.collect()

    def carry_out(self):
        opened = self.op.open(ROOT)
        for step in self.op.steps:
            step(opened)
            if self.device.dead:
                return
            self.done += 1

    def look(self):
        return self.op.view(self.op.open(ROOT))

    def check(self, image, done, where, resume=False):
        """Boot from image and compare; return the sizes of the writes that the boot made."""
        try:
            device = self.power(image)
            opened = self.op.open(ROOT)
            view = self.op.view(opened)
            sizes = list(device.sizes)
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
                self.power(image)
                if self.look() != self.views[-1]:
                    self.complain("lost", where + ", then carried on", self.look())
                left = self.op.left(image)
                if left:
                    self.complain("damaged", where + ", then carried on", left)
            return sizes
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
