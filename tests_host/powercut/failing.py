"""Carries out an operation with its Nth write failing, for every N; runs in both runtimes.

The caller has to get an error, the store has to read as before it (or as after it, where a bad
medium failed when all was decided), and the same step has to succeed once the medium works again.
"""

from bothlib import tmpdir, wipe
from claw_memory import durable, platform
from claw_memory.errors import ClawError, IOFailure, NoSpace
from claw_memory.platform import isdir

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


def _look(op, root):
    durable._kinds.clear()
    return op.view(op.open(root))


def _states(op, root):
    # what can be read before the first step, after each, and half-way where that is allowed
    _fresh(op, root)
    views = [_look(op, root)]
    opened = op.open(root)
    for step in op.steps:
        step(opened)
        views.append(_look(op, root))
    assert op.expect(views)
    between = ()
    if op.between:
        _fresh(op, root)
        op.between(op.open(root))
        between = (_look(op, root),)
    return views, between


def _fresh(op, root):
    durable._kinds.clear()
    for name in _os.listdir(root):
        wipe(root + "/" + name)
    op.setup(root)


def _decided(path):
    # A journal that could not be copied into place: the next boot or write does it.
    for name in _os.listdir(path):
        name = path + "/" + name
        if name.endswith("/claw.jnl") or (isdir(name) and _decided(name)):
            return True
    return False


def _fail_at(op, root, views, between, medium):
    """Carry out all steps over a medium that fails once; False when nothing failed."""
    _fresh(op, root)
    durable._kinds.clear()
    opened = op.open(root)
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
            assert _look(op, root) in allowed, where
            return True
        assert isinstance(error, NoSpace if medium.code == _ENOSPC else IOFailure), where
        allowed = views[n : n + 1] + list(between)
        if _decided(root) or (medium.code == _EIO and medium.lasting):
            allowed.append(views[n + 1])
        else:
            assert op.view(opened) in allowed, where
        view = _look(op, root)
        assert view in allowed, (where, view)
        if view == views[n]:
            opened = op.open(root)
            op.steps[n](opened)
            assert _look(op, root) == views[n + 1], where
        return True
    return False


def run(op):
    """Let each write of the operation fail in turn: a full disk, a bad medium once, for good."""
    root = tmpdir("nth")
    fsync, platform.fsync = platform.fsync, _flush  # nothing of this has to last
    try:
        _run(op, root)
    finally:
        platform.fsync = fsync


def _run(op, root):
    views, between = _states(op, root)
    failures = 0
    for code, lasting in ((_ENOSPC, True), (_EIO, False), (_EIO, True)):
        at = 1
        while _fail_at(op, root, views, between, Medium(at, code, lasting)):
            at += op.nth_stride
        failures += at - 1
    assert failures, op.name


def run_some(ops, first, last):
    """run() for the operations from first to last of a table."""
    names = [op.name for op in ops]
    for op in ops[names.index(first) : names.index(last) + 1]:
        if op.name not in _LEFT_OUT:
            run(op())
