"""pytest: makes CPython look like the board, and runs coroutine tests with asyncio."""

import asyncio
import gc
import inspect
import os
import pathlib
import signal
import sys

import pytest

REPO = pathlib.Path(__file__).resolve().parents[1]
for folder in ("tests_host/both", "tests_host/shim", "tests_host", "firmware", ""):
    path = str(REPO / folder)
    if path not in sys.path:
        sys.path.insert(0, path)

from tests_host import order, shim  # noqa: E402

shim.install()

from claw_memory import limits  # noqa: E402

_LIMITS = dict(vars(limits))
_frozen = [None]  # the file of tests before which all that pytest holds was put aside

# A shell that starts the tests in the background has them ignore Ctrl-C, and what they start too.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def true_limits():
    """Every test starts with the limits of the firmware, whatever others lowered."""
    _reset()
    yield
    _reset()


def _reset():
    for name in list(vars(limits)):
        if name not in _LIMITS:
            delattr(limits, name)  # one of limits_more, lowered
    vars(limits).update(_LIMITS)


def pytest_pyfunc_call(pyfuncitem):
    """Run `async def test_x` the way the runner in the MicroPython binary does."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    wanted = pyfuncitem._fixtureinfo.argnames
    asyncio.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in wanted}))
    return True


def pytest_collection_modifyitems(items):
    """The longest tests come first, evenly among the workers: those last would run alone."""
    items[:] = order.longest_first(items, int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", 1)))


def pytest_runtest_setup(item):
    """The firmware collects garbage all the time: what other files left need not be looked at."""
    if item.path != _frozen[0]:
        _frozen[0] = item.path
        gc.collect()
        gc.freeze()
