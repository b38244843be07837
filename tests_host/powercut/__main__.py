"""Cut the power at every write of every operation, in the real MicroPython binary.

    python -m tests_host.powercut [--fs lfs2|fat] [--op NAME] [--list]
                                  [--quick|--disk|--locked|--scarce] [--jobs N]

Prints a line per operation and file system with the seconds of one core that it took, and a total.
The exit code is 1 when something that was acknowledged got lost or something else was damaged, 2
when there was nothing to run. --op may hold wildcards and may be repeated. --jobs operations run
at a time: 2 unless told otherwise.

Without a mode every cut is made, and every second cut in the boot after it (a sample of these
where they would take as long as all the rest: recall_folded_in, compactions with a history or an
archive, erase_texts; a sample of all at full size). --quick makes a sample, for `make test`.
--disk cuts nothing: it tries the operations with 0, 1, 2, ... blocks left on the file system,
until one has room enough. --locked locks the heap at every call that durable.py makes. --scarce
tries them with ever more free heap, until one has enough. --plant breaks the firmware on purpose,
see planted.py; an operation ends when that is noticed.
"""

import argparse
import ast
import concurrent.futures
import fnmatch
import os
import pathlib
import re
import subprocess
import sys

from tests_host.both.__main__ import firmware_with_lines, tool

HERE = pathlib.Path(__file__).resolve().parent
COUNTS = re.compile(r"^\S+ \S+: \w+=(\d+) \w+=(\d+) lost=(\d+) damaged=(\d+)$", re.M)
# What the binary prints when it collects a file that was open at the cut.
NOISE = re.compile(r"^OSError: \[Errno \d+\] E[A-Z]+\n", re.M)


def board(heap, *argv):
    """Run board.py with a heap of so many MB; return (exit code, output, seconds of a core)."""
    command = [tool("micropython"), "-X", "heapsize=%dM" % heap, str(HERE / "board.py")]
    command += [firmware_with_lines(), str(HERE), *argv]
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, text=True, **streams) as child:
        output = child.stdout.read()
        # Not child.wait(), which does not tell what this one child took.
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    return child.returncode, NOISE.sub("", output), used.ru_utime + used.ru_stime


def operations(mode):
    """[(file system, name, MB of heap)] of the operations that have this mode."""
    code, output, _ = board(4, "list")
    if code:
        sys.exit("powercut: " + output)
    return [
        (kind, name, heap)
        for kind in ("lfs2", "fat")
        for name, kinds, modes, heap in ast.literal_eval(output)
        if kind in kinds and mode in modes
    ]


def run(job, mode, plant):
    """Run one operation; return (counts, text, seconds); no counts when the binary failed."""
    kind, name, heap = job
    # To collect a heap and to fill it takes time: no larger than it must be.
    heap = 3 if mode == "scarce" else heap
    code, output, seconds = board(heap, kind, name, mode, plant)
    found = COUNTS.search(output)
    counts = [int(n) for n in found.groups()] if found and code in (0, 1) else None
    if counts is None:
        output = "%s %s: the interpreter ended with code %d\n%s" % (kind, name, code, output)
    return counts, "%s (%.1f s)" % (output.rstrip(), seconds), seconds


def main(argv=None):
    """Parse the command line, run the operations, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests_host.powercut")
    parser.add_argument("--fs", choices=("lfs2", "fat"))
    parser.add_argument("--op", action="append")
    for mode in ("quick", "disk", "locked", "scarce"):
        parser.add_argument("--" + mode, action="store_const", const=mode, dest="mode")
    parser.add_argument("--plant", default="-")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args(argv)
    mode = options.mode or "full"
    jobs = [job for job in operations(mode) if options.fs in (None, job[0])]
    if options.op:
        jobs = [job for job in jobs if any(fnmatch.fnmatch(job[1], op) for op in options.op)]
    if options.list or not jobs:
        print("\n".join("%s %s" % job[:2] for job in jobs) or "powercut: no such operation")
        return 0 if jobs else 2
    total = [0, 0, 0, 0]
    failed = took = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for counts, text, seconds in pool.map(lambda job: run(job, mode, options.plant), jobs):
            print(text, flush=True)
            took += seconds
            failed += counts is None
            total = [a + b for a, b in zip(total, counts or (0, 0, 0, 0))]
    words = {"disk": ("fillings", "refused"), "locked": ("calls", "refused")}
    words["scarce"] = ("heaps", "refused")
    words = words.get(mode, ("cuts", "double"))
    print("%d seconds of one core" % took)
    print("total: %s=%d %s=%d lost=%d damaged=%d" % (words[0], total[0], words[1], *total[1:]))
    return 1 if failed or total[2] or total[3] else 0


if __name__ == "__main__":
    sys.exit(main())
