"""Runs one case, a coroutine function `case_x(url)` of this package, in either runtime."""

import asyncio
import importlib
import os
import subprocess
import sys
import tempfile

from tests_host.both.__main__ import REPO, firmware_with_lines, tool

RUNTIMES = ("cpython", "micropython")
sys.path.append(str(REPO / "tests_host" / "net"))  # cases import each other by their bare names

_SCRIPT = """
import sys
sys.path[:0] = [%r, %r, %r]
import bothlib
bothlib.base = %r
import asyncio, %s as cases
asyncio.run(cases.%s(%r))
print("case passed")
"""


def cases(module):
    """The module of cases, in CPython."""
    return importlib.import_module(module)


def run(runtime, module, case, url, heap="512K", timeout=120):
    """Run case of tests_host/net/<module>.py against url; AssertionError with its output."""
    if runtime == "cpython":
        asyncio.run(getattr(cases(module), case)(url))
        return ""
    folders = [str(REPO / part) for part in ("tests_host/net", "tests_host/both")]
    folders.insert(0, firmware_with_lines())
    with tempfile.TemporaryDirectory() as scratch:
        script = _SCRIPT % (*folders, scratch, module, case, url)
        command = [tool("micropython"), "-X", "heapsize=" + heap, "-c", script]
        environment = dict(os.environ, PYTHONPATH="")
        result = subprocess.run(command, capture_output=True, timeout=timeout, env=environment)
    output = (result.stdout + result.stderr).decode("utf-8", "replace")
    assert result.returncode == 0 and "case passed" in output, output
    return output
