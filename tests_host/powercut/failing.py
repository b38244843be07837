"""Carries out an operation with its Nth write failing, for every N; runs in both runtimes.

The caller has to get an error, the store has to read as before it (or as after it, where a bad
medium failed when all was decided), and the same step has to succeed once the medium works again.
"""

import gc
import os

from bothlib import ON_DEVICE, read, tmpdir, wipe, write
from claw_memory import durable, platform
from claw_memory.errors import ClawError, IOFailure, NoSpace
from claw_memory.platform import isdir

from device import Device, QuietDevice

_ENOSPC = 28
_EIO = 5
# Cut by the other harness only: their step or their view is not one call that can be refused.
_LEFT_OUT = ("append_every_prefix", "recall_folded_in", "first_boot", "derive", "make_dirs")


class Medium:
    """Counts the writing calls of durable.py and lets number `at` fail, or all from there on.

    A full disk (ENOSPC) takes half of a write and still lets files be overwritten, renamed and
    removed; a bad medium (EIO) takes nothing.
    """

    def __init__(self, at, code, lasting):
        self.at = at
        self.code = code
        self.lasting = lasting
        self.count = 0
        self.failed = False

    def fails(self):
        self.count += 1
        fails = self.count == self.at or (self.lasting and self.failed)
        self.failed = self.failed or fails
        return fails

    def open(self, path, mode):
        if mode == "r+b":
            return open(path, mode) if self.code == _ENOSPC else File(path, mode, self)
        if self.code == _EIO and self.fails():
            raise OSError(_EIO)
        return File(path, mode, self)

    def __getattr__(self, name):
        # as the module os
        call = getattr(_os, name)
        if self.code == _ENOSPC or name not in ("remove", "rename", "mkdir"):
            return call

        def failing(*args):
            if self.fails():
                raise OSError(_EIO)
            return call(*args)

        return failing


class File:
    """A file that writes through a Medium."""

    def __init__(self, path, mode, medium):
        self.file = open(path, mode)
        self.medium = medium
        for name in ("read", "seek", "flush", "close", "fileno"):
            if hasattr(self.file, name):
                setattr(self, name, getattr(self.file, name))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()

    def write(self, data):
        if self.medium.fails():
            if self.medium.code == _ENOSPC:
                self.file.write(data[: len(data) // 2])
            raise OSError(self.medium.code)
        return self.file.write(data)


_os = durable._os


def _flush(file):
    file.flush()


def _use(medium):
    durable._open = medium.open if medium else open
    durable._os = medium if medium else _os


class Place:
    """Where an operation is carried out, below `root`; fresh() brings back what setup() made.

    In the binary that is a file system in RAM of the kind under test, whose bytes are put back.
    Reading from it allocates, and a collection that then closes a forgotten file would change the
    file system under its own feet: none takes place but between two runs.
    """

    def __init__(self, op):
        self.op = op
        self.root = tmpdir("nth")
        self.device = self.kept = self.now = None
        kind = platform.fs_kind(self.root)
        if ON_DEVICE and kind in op.size:
            import vfs

            self.vfs = vfs
            self.system = vfs.VfsLfs2 if kind == "lfs2" else vfs.VfsFat
            self.block = 4096 if kind == "lfs2" else 512
            self.root = "/nth"
            self.image = bytearray(b"\xff" * op.size[kind])
            self.system.mkfs(Device(self.image, self.block))
            self.mount()
            self.threshold = gc.threshold()
            gc.threshold(-1)

    def mount(self):
        self.device = QuietDevice(self.image, self.block)
        self.vfs.mount(self.system(self.device), self.root)

    def unmount(self):
        gc.collect()
        self.device.off()
        self.vfs.umount(self.root)

    def close(self):
        if self.device:
            self.unmount()
            gc.threshold(self.threshold)

    def fresh(self):
        """All as setup() leaves it, the clock too."""
        durable._kinds.clear()
        if self.kept is None:
            self.op.setup(self.root)
            self.now = self.op.clock and self.op.clock.now
            durable._kinds.clear()
            self.kept = bytes(self.image) if self.device else tree(self.root)
        elif self.device:
            self.unmount()
            self.image[:] = self.kept
            self.mount()
        else:
            put_back(self.root, self.kept)
        if self.op.clock:
            self.op.clock.now = self.now

    def look(self):
        """What a user can read after a restart."""
        durable._kinds.clear()
        return self.op.view(self.op.open(self.root))


def tree(root):
    """{name: bytes of a file, or the tree of a directory}."""
    found = {}
    for name in os.listdir(root):
        path = root + "/" + name
        found[name] = tree(path) if isdir(path) else read(path)
    return found


def put_back(root, wanted):
    """Make the directory root hold what a tree() says, and nothing else."""
    for name in os.listdir(root):
        path = root + "/" + name
        if name not in wanted or isdir(path) != isinstance(wanted[name], dict):
            wipe(path)
    for name in wanted:
        path = root + "/" + name
        data = wanted[name]
        if isinstance(data, dict):
            if not isdir(path):
                os.mkdir(path)
            put_back(path, data)
        elif not platform.exists(path) or read(path) != data:
            write(path, data)


def _states(op, place):
    # what can be read before the first step, after each, and half-way where that is allowed
    place.fresh()
    views = [place.look()]
    opened = op.open(place.root)
    for step in op.steps:
        step(opened)
        views.append(place.look())
    assert op.expect(views)
    between = ()
    if op.between:
        place.fresh()
        op.between(op.open(place.root))
        between = (place.look(),)
    return views, between


def _decided(path):
    # A journal that could not be copied into place: the next boot or write does it.
    for name in _os.listdir(path):
        name = path + "/" + name
        if name.endswith("/claw.jnl") or (isdir(name) and _decided(name)):
            return True
    return False


def _fail_at(op, place, views, between, medium):
    """Carry out all steps over a medium that fails once; False when nothing failed."""
    place.fresh()
    opened = op.open(place.root)
    for n in range(len(op.steps)):
        where = (op.name, n, medium.at, medium.code, medium.lasting)
        before = medium.failed
        error = None
        _use(medium)
        try:
            op.steps[n](opened)
        except ClawError as e:
            error = e
        finally:
            _use(None)
        if before or not medium.failed:
            assert error is None, where
            continue
        if error is None:
            allowed = views[n if op.quiet else n + 1 : n + 2] + list(between)
            assert place.look() in allowed, where
            return True
        assert isinstance(error, NoSpace if medium.code == _ENOSPC else IOFailure), where
        allowed = views[n : n + 1] + list(between)
        if _decided(place.root) or (medium.code == _EIO and medium.lasting):
            allowed.append(views[n + 1])
        else:
            assert op.view(opened) in allowed, where
        view = place.look()
        assert view in allowed, (where, view)
        if view == views[n]:
            opened = op.open(place.root)
            op.steps[n](opened)
            assert place.look() == views[n + 1], where
        return True
    return False


def run(op):
    """Let each write of the operation fail in turn: a full disk, a bad medium once, for good."""
    place = Place(op)
    fsync, platform.fsync = platform.fsync, _flush  # nothing of this has to last
    try:
        _run(op, place)
    finally:
        platform.fsync = fsync
        place.close()


def _run(op, place):
    views, between = _states(op, place)
    failures = 0
    for code, lasting in ((_ENOSPC, True), (_EIO, False), (_EIO, True)):
        at = 1
        while _fail_at(op, place, views, between, Medium(at, code, lasting)):
            at += op.nth_stride
        failures += at - 1
    assert failures, op.name


def run_some(ops, first, last):
    """run() for the operations from first to last of a table."""
    names = [op.name for op in ops]
    for op in ops[names.index(first) : names.index(last) + 1]:
        if op.name not in _LEFT_OUT:
            run(op())
