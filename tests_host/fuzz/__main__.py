"""Damage stores at random, open them, use them, and count what was lost.

    python -m tests_host.fuzz [--cases N] [--first K] [--seed S] [--case K] [--runtime RUNTIME]
                                [--fs FS] [--keep FOLDER]

RUNTIME: cpython, or micropython (the binary, half of its cases on LittleFS2, half on FAT). Every
case is told by seed and number and can be run again with --case; --keep FOLDER puts its damaged
files there. The exit code is 1 when a case failed.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import traceback

REPO = pathlib.Path(__file__).resolve().parents[2]
HERE = REPO / "tests_host/fuzz"
SECONDS = 60  # for one case, after which it counts as endless
_CHUNK = 250
_DONE = re.compile(r"^cases=(\d+) failed=(\d+)$", re.M)


class Endless(BaseException):
    """A case does not come to an end; no handler of the firmware may swallow this."""


def _prepare():
    for folder in ("tests_host/both", "tests_host/shim", "firmware", "", "tests_host/fuzz"):
        if str(REPO / folder) not in sys.path:
            sys.path.insert(0, str(REPO / folder))
    from claw_memory import platform

    from tests_host import shim

    shim.install()
    # Nothing is cut here, and waiting for the medium would take most of the time.
    platform.fsync = lambda file: file.flush()


def _alarm(number, frame):
    raise Endless


def scratch():
    """Folder for the cases, in RAM where there is such a place."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def run_here(seed, first, count, keep=None):
    """Run cases in this process; return the texts of those that failed."""
    _prepare()
    from claw_memory import platform

    import case

    was = platform.fsync
    failures = []
    signal.signal(signal.SIGALRM, _alarm)
    with tempfile.TemporaryDirectory(prefix="claw_fuzz_", dir=scratch()) as work:
        fuzzer = case.Fuzzer(work, seed)
        for number in range(first, first + count):
            signal.alarm(SECONDS)
            try:
                done, error = fuzzer.run(number)
            except Endless:
                done, error = "still running", Endless("after %d seconds" % SECONDS)
            signal.alarm(0)
            if error is not None:
                where = "".join(traceback.format_exception(error))
                failures.append(report(seed, number, done, error, where))
            if keep:
                fuzzer.kept(number, keep)
    platform.fsync = was
    return failures


def report(seed, number, done, error, where):
    """What is printed about a failed case."""
    head = "FAILED case %d: %s\n  %s: %s\n" % (number, done, type(error).__name__, error)
    again = "  again: python -m tests_host.fuzz --seed %d --case %d\n" % (seed, number)
    return head + again + where


def run_board(seed, first, count, kind):
    """Run cases in the MicroPython binary; return the texts of those that failed."""
    from tests_host.both.__main__ import tool

    argv = [tool("micropython"), "-X", "heapsize=64M", str(HERE / "board.py"), str(REPO)]
    argv += [kind, str(seed), str(first), str(count)]
    try:
        done = subprocess.run(
            argv, capture_output=True, text=True, timeout=SECONDS + 2 * count, errors="replace"
        )
    except subprocess.TimeoutExpired as e:
        return ["FAILED a case on %s from %d on does not end\n%s" % (kind, first, e.stdout)]
    text = done.stderr + done.stdout
    counted = _DONE.search(text)
    if done.returncode or not counted or counted.groups() != (str(count), "0"):
        return [text or "FAILED: the interpreter ended with code %d" % done.returncode]
    return []


def jobs(options):
    """[(function, arguments)] that make up the run."""
    end = options.first + options.cases
    parts = [(n, min(_CHUNK, end - n)) for n in range(options.first, end, _CHUNK)]
    if options.runtime == "cpython":
        return [(run_here, (options.seed, n, count)) for n, count in parts]
    kinds = (options.fs,) * 2 if options.fs else ("lfs2", "fat")
    return [
        (run_board, (options.seed, n, count, kinds[i % 2])) for i, (n, count) in enumerate(parts)
    ]


def main(argv=None):
    """Parse the command line, run the cases on all cores, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests_host.fuzz")
    parser.add_argument("--cases", type=int, default=20000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--case", type=int)
    parser.add_argument("--keep", help="folder for the damaged files of --case")
    parser.add_argument("--fs", choices=("lfs2", "fat"), help="only this one, with micropython")
    parser.add_argument("--runtime", choices=("cpython", "micropython"), default="cpython")
    options = parser.parse_args(argv)
    if options.keep:
        shutil.rmtree(options.keep, ignore_errors=True)
    if options.case is not None:
        options.first, options.cases = options.case, 1
    if options.case is not None and options.runtime == "cpython":
        failures = run_here(options.seed, options.case, 1, options.keep)
    else:
        failures = []
        with concurrent.futures.ProcessPoolExecutor(os.cpu_count()) as pool:
            for result in [pool.submit(work, *rest) for work, rest in jobs(options)]:
                failures += result.result()
    for text in failures:
        print(text)
    print(
        "fuzz %s: seed=%d cases=%d failed=%d"
        % (options.runtime, options.seed, options.cases, len(failures))
    )
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
