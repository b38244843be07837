"""Cuts one operation at every write, and the boot after it as well; counts what that leaves.

A cut is not waited for: what it leaves are the writes before it, which were kept when the
operation (or the boot) was carried out without one, and a part of the write that is cut.
"""

import gc

from device import Recorder, parts, program
from engine import Run
from known import Known, Trail

_PROOF = 16  # every so many-th time that it is known what comes of an image it is tried again


class Cuts(Run):
    """The enumeration of the cuts of one operation on one kind of file system."""

    words = ("cuts", "double")

    def __init__(self, op, kind, stride=1, double_stride=1, all_parts=True):
        Run.__init__(self, op, kind)
        self.stride = stride
        self.double_stride = double_stride
        self.all_parts = all_parts
        self.known = {}  # {(steps done, carried on or not): Known}
        self.found = 0  # how often it was known what comes of an image
        self.booted = ("", ())  # the first cut from which was booted last, and the writes of that

    def all(self):
        """Every cut of the operation and every cut of the boot after it."""
        base = self.prepared()
        whole = len(self.log)
        if self.op.samples:
            self.stride = max(1, whole // self.op.samples)
            self.all_parts = False
        self.first = bytearray(base)
        self.second = bytearray(base)
        self.work = bytearray(base)
        before = bytearray(base)
        written = 0
        for cut in list(range(1, whole + 1, self.stride)) + [whole + 1]:
            while written < cut - 1:
                program(before, self.block, self.log[written])
                written += 1
            for part in self.choices(self.log, cut):
                self.cut_at(before, cut, part)
        return self

    def choices(self, log, cut):
        """How many bytes of this write (from 1) are to be tried; 0 alone when it is an erase."""
        data = log[cut - 1][1] if cut <= len(log) else None
        if not data:
            return (0,)
        if self.all_parts:
            return parts(self.kind, len(data), self.op.every_prefix)
        return sorted({0, parts(self.kind, len(data))[-1]})

    def cut_at(self, before, cut, part):
        """Cut write number cut after part of its bytes, and then the boots from what that left."""
        self.first[:] = before
        if cut <= len(self.log):
            program(self.first, self.block, self.log[cut - 1], part)
        done = sum([mark < cut for mark in self.marks])
        where = "cut %d+%d of %d" % (cut, part, len(self.log))
        self.cuts += 1
        log = self.checked(self.first, done, where, True)
        if not self.op.samples:
            # where only some are tried, others after each first cut
            at = 1 + cut % max(1, min(self.double_stride, len(log)))
            written = 0
            self.second[:] = self.first
            while at <= len(log):
                while written < at - 1:
                    program(self.second, self.block, log[written])
                    written += 1
                for rest in self.choices(log, at):
                    self.work[:] = self.second
                    program(self.work, self.block, log[at - 1], rest)
                    self.double += 1
                    self.checked(self.work, done, "%s, then %d+%d" % (where, at, rest), False)
                at += self.double_stride
        gc.collect()

    def checked(self, image, done, where, first):
        """check(), or what is known of it; after a first cut return the writes of the boot."""
        if self.op.samples:
            return self.check(image, done, where, resume=first)
        found = self.of(done, True).find(image) or (not first and self.of(done, False).find(image))
        if found:
            self.found += 1
            if self.found % _PROOF:
                return self.boot(image, found) if first else ()
        trail = Trail(image, self.block)
        wrong = self.lost + self.damaged
        self.work[:] = image
        log = self.check(self.work, done, where, first, (Recorder, trail))
        if wrong == self.lost + self.damaged:
            self.of(done, first).add(trail.path, where)
        if first:
            self.booted = (where, log)
        return log

    def of(self, done, first):
        """What is Known of images after so many steps."""
        key = (done, first)
        if key not in self.known:
            self.known[key] = Known(self.block)
        return self.known[key]

    def boot(self, image, found):
        """The writes of a boot of which it is known that nothing is wrong."""
        if self.booted[0] != found:
            self.work[:] = image
            device = self.power(self.work, Recorder)
            self.look()
            self.booted = (found, device.log)
            self.off()
        return self.booted[1]
