"""Cut the power at every write of every operation, in the real MicroPython binary.

    python -m tests_host.powercut [--fs lfs2|fat] [--op NAME] [--list]
                                  [--quick|--disk|--locked|--scarce]

Prints a line per operation and file system, and a total. The exit code is 1 when something that
was acknowledged got lost or something else was damaged, 2 when there was nothing to run. --op may
hold wildcards and may be repeated.

Without a mode every cut is made, and every second cut in the boot after it (recall_folded_in and
the operations at full size: a sample). --quick cuts at a sample of points, for `make test`.
--disk cuts nothing: it tries the operations with 0, 1, 2, ... blocks left on the file system,
until one has room enough. --locked locks the heap at every call that durable.py makes. --scarce
tries them with ever more free heap, until one has enough. --plant breaks the firmware on purpose,
see planted.py; an operation ends when that is noticed.
"""

import argparse
import ast
import concurrent.futures
import fnmatch
import pathlib
import re
import subprocess
import sys

from tests_host.both.__main__ import firmware_with_lines, tool

HERE = pathlib.Path(__file__).resolve().parent
COUNTS = re.compile(r"^\S+ \S+: \w+=(\d+) \w+=(\d+) lost=(\d+) damaged=(\d+)$", re.M)
# What the binary prints when it collects a file that was open at the cut.
NOISE = re.compile(r"^OSError: \[Errno \d+\] E[A-Z]+\n", re.M)


def board(*argv):
    """Run board.py in the MicroPython binary; return (exit code, output)."""
    # To fill a heap takes time: no larger than it must be.
    heap = "heapsize=4M" if argv[2:3] == ("scarce",) else "heapsize=96M"
    command = [tool("micropython"), "-X", heap, str(HERE / "board.py")]
    command += [firmware_with_lines(), str(HERE), *argv]
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    return done.returncode, NOISE.sub("", done.stderr + done.stdout)


def operations(mode):
    """[(file system, name)] of the operations that have this mode, in the order of the tables."""
    code, output = board("list")
    if code:
        sys.exit("powercut: " + output)
    return [
        (kind, name)
        for kind in ("lfs2", "fat")
        for name, kinds, modes in ast.literal_eval(output)
        if kind in kinds and mode in modes
    ]


def run(job, mode, plant):
    """Run one operation; return (counts, text), counts None when the binary itself failed."""
    code, output = board(*job, mode, plant)
    found = COUNTS.search(output)
    counts = [int(n) for n in found.groups()] if found and code in (0, 1) else None
    if counts is None:
        output = "%s %s: the interpreter ended with code %d\n%s" % (*job, code, output)
    return counts, output.rstrip()


def main(argv=None):
    """Parse the command line, run two operations at a time, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests_host.powercut")
    parser.add_argument("--fs", choices=("lfs2", "fat"))
    parser.add_argument("--op", action="append")
    for mode in ("quick", "disk", "locked", "scarce"):
        parser.add_argument("--" + mode, action="store_const", const=mode, dest="mode")
    parser.add_argument("--plant", default="-")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args(argv)
    mode = options.mode or "full"
    jobs = [job for job in operations(mode) if options.fs in (None, job[0])]
    if options.op:
        jobs = [job for job in jobs if any(fnmatch.fnmatch(job[1], op) for op in options.op)]
    if options.list or not jobs:
        print("\n".join("%s %s" % job for job in jobs) or "powercut: no such operation")
        return 0 if jobs else 2
    total = [0, 0, 0, 0]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for counts, text in pool.map(lambda job: run(job, mode, options.plant), jobs):
            print(text, flush=True)
            failed += counts is None
            total = [a + b for a, b in zip(total, counts or (0, 0, 0, 0))]
    words = {"disk": ("fillings", "refused"), "locked": ("calls", "refused")}
    words["scarce"] = ("heaps", "refused")
    words = words.get(mode, ("cuts", "double"))
    print("total: %s=%d %s=%d lost=%d damaged=%d" % (words[0], total[0], words[1], *total[1:]))
    return 1 if failed or total[2] or total[3] else 0


if __name__ == "__main__":
    sys.exit(main())
