"""Carries out an operation on a file system with hardly any room left."""

import os

from claw_memory.errors import ClawError, NoSpace

from engine import ROOT, Run

_FILLERS = ROOT + "/fill"


def fill(spare):
    """Take all room, then give back `spare` blocks (LittleFS2) or clusters (FAT)."""
    piece = b"full" * (os.statvfs(ROOT)[0] // 8)
    number = 0
    try:
        os.mkdir(_FILLERS)
        while True:
            # One block at a time, closed each time: what an error interrupts is not kept.
            with open("%s/%d" % (_FILLERS, number), "wb") as f:
                f.write(piece)
            number += 1
    except OSError:
        pass
    for _ in range(min(spare, number)):
        number -= 1
        os.remove("%s/%d" % (_FILLERS, number))


def unfill():
    """Give the room back."""
    for name in os.listdir(_FILLERS):
        os.remove(_FILLERS + "/" + name)
    os.rmdir(_FILLERS)


class FullDisk(Run):
    """Tries an operation with ever more room left, and counts how often it was refused."""

    words = ("fillings", "refused")

    def all(self, most=24):
        """Every filling from no room at all up to enough, or up to `most` blocks to spare."""
        base = self.prepared()
        for spare in range(most):
            if not self.fill_up_to(base, spare):
                break
        return self

    def fill_up_to(self, base, spare):
        """Carry out the steps with `spare` blocks left; True when one was refused."""
        image = bytearray(base)
        self.power(image)
        fill(spare)
        self.off()
        self.power(image)
        where = "%d spare" % spare
        self.cuts += 1
        state = 0
        error = None
        try:
            opened = self.op.open(ROOT)
            for step in self.op.steps:
                step(opened)
                state += 1
        except ClawError as e:
            error = e
            self.double += 1
            if not isinstance(e, NoSpace):
                self.complain("lost", where, "refused with %r" % e)
            self.compare(self.op.view(opened), state, where + ", same boot")
        self.off()
        self.power(image)
        self.compare(self.look(), state, where)
        self.off()
        self.power(image)
        unfill()
        opened = self.op.open(ROOT)
        if self.op.view(opened) != self.views[-1] and self.op.repeat:
            for step in self.op.steps[state:]:
                step(opened)
        self.off()
        self.power(image)
        if self.op.repeat and not self.op.quiet and self.look() != self.views[-1]:
            self.complain("lost", where + ", then with room again", self.look())
        self.check_files(where)
        self.off()
        return error is not None

    def compare(self, view, state, where):
        quiet = self.views[:state] if self.op.quiet else []
        if view not in [self.views[state]] + quiet + list(self.extra):
            self.complain("lost", where, "reads %s instead of %s" % (view, self.views[state]))
