"""Carries out an operation with ever more free heap, from next to none to enough."""

import gc

from claw_memory import platform
from claw_memory.errors import ClawError

import engine
from locked import StillDevice

_STEP = 48  # bytes of heap added from one trial to the next
_GROWTH = 48  # after so many bytes the step grows by one part
_MOST = 160 << 10  # bytes with which every operation must succeed


def hog(spare):
    """Take the whole heap but for `spare` bytes in one piece; return what holds it."""
    held = None
    kept = bytearray(spare)
    # Where nothing is left an error would collect several times. What errors take is given back
    # before the next round, of fewer errors.
    gc.disable()
    for size in (1 << 20, 256, 32, 16):
        gc.collect()
        while size >= 16:
            try:
                held = [held, bytearray(size)]
            except MemoryError:
                size //= 2
    gc.enable()
    del kept
    gc.collect()
    return held


def release(held):
    """Give back what hog() took, whatever still points to some of it."""
    while held:
        following = held[0]
        held.clear()
        held = following


class Scarce(engine.Run):
    """Counts the sizes of the heap and how many of them did not suffice."""

    words = ("heaps", "refused")
    device_class = StillDevice

    def all(self):
        base = self.prepared()
        spare = 0
        # Two sizes in a row that suffice: one may have been luck.
        enough = 0
        while enough < 2 and spare < _MOST:
            enough = 0 if self.run_with(base, spare) else enough + 1
            spare += _STEP + spare // _GROWTH
        if enough < 2:
            self.complain("lost", "%d bytes of heap" % spare, "still refused")
        return self

    def run_with(self, base, spare):
        """Carry out the steps with so much free heap; True when one was refused."""
        image = bytearray(base)
        self.power(image)
        opened = self.op.open(engine.ROOT)
        where = "%d bytes free" % spare
        done = 0
        error = None
        held = hog(spare)
        try:
            for step in self.op.steps:
                step(opened)
                done += 1
        except (MemoryError, ClawError) as e:
            error = e
        release(held)
        platform.unload("claw_memory", "")  # as after every turn
        gc.collect()
        pending = [name for name in engine.tree() if name.endswith("/claw.jnl")]
        view = None if pending else self.op.view(opened)
        # What is only tidying up is left for later without an error.
        refused = error is not None or (view in self.extra and view != self.views[-1])
        self.cuts += 1
        self.double += refused
        if isinstance(error, ClawError):
            self.complain("lost", where, "refused with %r" % error)
        allowed = list(self.views[done : done + 2]) + list(self.extra)
        if not pending and view not in allowed:
            self.complain("lost", where + ", same boot", "reads %s not %s" % (view, allowed))
        # What was decided when the heap ended is completed by the next write or boot.
        if self.op.repeat and view in self.views:
            # The same may be read after several steps: where the steps have come to counts.
            near = self.views[done : done + 2]
            at = done + near.index(view) if view in near else self.views.index(view)
            for step in self.op.steps[at:]:
                step(opened)
            if self.op.view(opened) != self.views[-1]:
                self.complain("lost", where + ", then with enough", self.op.view(opened))
        else:
            self.off()
            self.check(image, 0 if view in self.extra else done, where)
        self.off()
        self.power(image)
        self.check_files(where)
        self.off()
        return refused
