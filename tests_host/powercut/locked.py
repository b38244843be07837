"""Carries out an operation of durable.py with the heap locked from its Nth call on."""

import io

import micropython
from claw_memory import durable, platform

import engine
from device import Device


class StillDevice(Device):
    """A device that takes nothing from the heap, so that only the firmware can run out of it.

    What is written is in the image after off().
    """

    def __init__(self, image, block):
        Device.__init__(self, image, block)
        self.medium = io.BytesIO(image)
        self.erased = b"\xff" * block

    def readblocks(self, n, buf, offset=0):
        if not self.on:
            return 5
        self.medium.seek(n * self.block + offset)
        self.medium.readinto(buf)

    def writeblocks(self, n, buf, offset=0):
        if self.on:
            self.medium.seek(n * self.block + offset)
            self.medium.write(buf)

    def ioctl(self, op, arg):
        if op == 6 and self.on:
            self.writeblocks(arg, self.erased)
            return 0
        return Device.ioctl(self, op, arg)

    def off(self):
        if self.on:
            self.medium.seek(0)
            self.medium.readinto(self.image)
        Device.off(self)


class Locked(engine.Run):
    """Locks the heap at each call that durable.py makes to write, and counts what it refused."""

    words = ("calls", "refused")
    device_class = StillDevice

    def all(self):
        base = self.prepared()
        self.hook()
        self.at = 1
        while self.lock_at(base):
            self.at += 1
        return self

    def hook(self):
        self.armed = False
        self.called = 0
        real = durable._os

        class Os:
            stat = self.ticking(real.stat)
            remove = self.ticking(real.remove)
            rename = self.ticking(real.rename)
            mkdir = self.ticking(real.mkdir)

        durable._os = Os
        durable._open = self.ticking(open)
        durable._put = self.ticking(durable._put)
        platform.fsync = self.ticking(platform.fsync)

    def ticking(self, call):
        def tick(*args):
            if self.armed:
                self.called += 1
                if self.called == self.at:
                    self.locked = True
                    micropython.heap_lock()
            return call(*args)

        return tick

    def lock_at(self, base):
        image = bytearray(base)
        self.power(image)
        opened = self.op.open(engine.ROOT)
        done = 0
        self.called = 0
        self.locked = False
        self.armed = True
        error = None
        try:
            for step in self.op.steps:
                step(opened)
                done += 1
        except MemoryError as e:
            error = e
        self.armed = False
        if self.locked:
            micropython.heap_unlock()
        where = "locked at call %d" % self.at
        self.cuts += 1
        self.double += error is not None
        if self.locked and error is None and done < len(self.op.steps):
            self.complain("lost", where, "no error")
        allowed = self.views[done : done + 2]
        view = self.op.view(opened)
        # What was decided when the heap ended is completed by the next write or boot.
        if view not in allowed and not platform.exists(engine.ROOT + "/d/claw.jnl"):
            self.complain("lost", where + ", same boot", view)
        self.off()
        self.check(image, done, where, resume=True)
        return self.locked
