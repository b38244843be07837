"""Carries out operations on CPython with an allocation failing: every so many, once.

CPython itself may not survive this, so that every trial is a process of its own.
Arguments: density of the sample (each allocation up to this one, then ever fewer), operations.
"""

import os
import pathlib
import signal
import sys

REPO = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(REPO / p) for p in ("", "firmware", "tests_host/both", "tests_host/powercut")]

import _testcapi  # noqa: E402

from tests_host import shim  # noqa: E402

shim.install()

import failing  # noqa: E402
import ops_durable  # noqa: E402
import ops_memory  # noqa: E402
import ops_truth  # noqa: E402
from claw_memory import platform  # noqa: E402


def child(op, root, at, until):
    """In a process of its own, which may die: carry out the steps; tell how far it got."""
    tell, told = os.pipe()
    pid = os.fork()
    if pid == 0:
        code = 1
        signal.alarm(2)  # CPython may also spin for ever
        try:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            opened = op.open(root)
            steps = op.steps
            write, step = os.write, None
            _testcapi.set_nomemory(at, until)
            for step in steps:
                step(opened)
                write(told, b".")
            code = 0
        finally:
            _testcapi.remove_mem_hooks()
            os._exit(code)
    os.close(told)
    done = len(os.read(tell, 100))
    while os.read(tell, 100):
        done += 1
    os.close(tell)
    return done, os.waitpid(pid, 0)[1] != 0


def starve(op, place, views, between, at, until):
    """Carry out the steps with allocations failing; return (failed, what is wrong or "")."""
    place.fresh()
    done, failed = child(op, place.root, at, until)
    view = place.look()
    allowed = views[done : done + 2] + list(between)
    if op.quiet:
        allowed += views[: done + 1]
    if view not in allowed:
        return True, "reads %s" % (view,)
    if view in views:
        opened = op.open(place.root)
        near = views[done : done + 2]
        for step in op.steps[done + near.index(view) if view in near else views.index(view) :]:
            step(opened)
        if op.repeat and place.look() != views[-1]:
            return True, "cannot be carried on"
    return failed, ""


def main(density, names):
    """Starve the named operations; print a line for each, return the exit code."""
    platform.fsync = failing._flush
    wrong = 0
    for table in (ops_durable.OPS, ops_memory.OPS, ops_truth.OPS):
        for kind in table:
            if kind.name not in names:
                continue
            op = kind()
            place = failing.Place(op)
            views, between = failing._states(op, place)
            tried = refused = 0
            at = quiet = 0
            while quiet < 8 and tried < 100:
                at += 1 + at // density
                tried += 1
                failed, why = starve(op, place, views, between, at, at + 1)
                refused += failed
                quiet = 0 if failed else quiet + 1
                if why:
                    wrong += 1
                    print("  %s: allocation %d: %s" % (op.name, at, why[:500]))
            print("%s: allocations=%d refused=%d" % (op.name, tried, refused), flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), sys.argv[2:]))
