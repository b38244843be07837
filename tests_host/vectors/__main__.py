"""The runner: replays recorded behaviour of ESP-Claw and compares.

    python -m tests_host.vectors [--runtime cpython|micropython] DIR...

Every .json and .json.gz below the folders is a vector. Each failing operation is printed with what
was expected and what came; the last line is `N passed, N failed` (operations and final files), and
the exit code is 1 when something failed.
"""

import argparse
import gzip
import json
import pathlib
import subprocess
import sys
import tempfile

REPO = pathlib.Path(__file__).resolve().parents[2]
for _folder in ("firmware", "tests_host/shim"):
    if str(REPO / _folder) not in sys.path:
        sys.path.append(str(REPO / _folder))

from tests_host.vectors import replay  # noqa: E402

DATA = pathlib.Path(__file__).resolve().parent / "data"
SHOWN = 600  # characters of a value in a message


def vectors(folders):
    """The files of vectors below the folders (or the files themselves), sorted."""
    found = []
    for folder in map(pathlib.Path, folders):
        paths = [folder] if folder.is_file() else sorted(folder.rglob("*"))
        found += [p for p in paths if p.name.endswith((".json", ".json.gz")) and p.is_file()]
    return found


def load(path):
    """The parsed vector of a file, plain or gzipped."""
    data = path.read_bytes()
    if path.name.endswith(".gz"):
        data = gzip.decompress(data)
    return json.loads(data)


def difference(expected, actual, where="", whole=False):
    """The first place at which actual does not hold what is expected, "" when it does.

    Keys that the expected object lacks are not compared, unless whole. Numbers are compared as
    far as ESP-Claw keeps them, which is as doubles written with 15 to 17 digits.
    """
    if isinstance(expected, dict):
        if not isinstance(actual, dict) or (whole and set(expected) != set(actual)):
            return where or "/"
        for key in expected:
            if key not in actual:
                return "%s/%s (missing)" % (where, key)
            found = difference(expected[key], actual[key], "%s/%s" % (where, key), whole)
            if found:
                return found
        return ""
    if isinstance(expected, list):
        if not isinstance(actual, list) or len(expected) != len(actual):
            return (where or "/") + " (length)"
        for at, one in enumerate(expected):
            found = difference(one, actual[at], "%s/%d" % (where, at), whole)
            if found:
                return found
        return ""
    if _is_number(expected) and _is_number(actual):
        same = abs(expected - actual) <= 1e-14 * abs(expected)
    elif isinstance(expected, str) and isinstance(actual, str):
        same = expected == actual or _sound(expected) == _sound(actual)
    else:
        same = type(expected) is type(actual) and expected == actual
    return "" if same else where or "/"


def _sound(value):
    # A recording, which is JSON, cannot hold bytes that are no Unicode: it marks them, or not.
    return "".join(c for c in value if c != "\ufffd" and not 0xD800 <= ord(c) < 0xE000)


def _is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _shown(value):
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= SHOWN else text[:SHOWN] + "..."


def _without_messages(value):
    # A message for people is not recorded.
    if isinstance(value, dict):
        return {
            k: v for k, v in value.items() if not (k == "message" and value.get("ok") is False)
        }
    return value


def _spelled(expected, actual):
    # A text that is expected may be given by its bytes, like one of an operation.
    for key in ("out", "normalized159"):
        if isinstance(expected.get(key), (dict, list)):
            same = replay.value(expected[key]).hex() == actual.get("hex")
            expected = dict(expected, **{key: actual.get(key) if same else "other bytes"})
    return expected


def compare(vector, out):
    """Yield (name, expected, actual, place) for everything compared; place "" when it agrees."""
    if "ops" not in vector:
        keys = ("content", "tags", "keywords", "created_at")
        wanted = {item["id"]: {key: item[key] for key in keys} for item in vector["list"]}
        got = {item["id"]: {key: item[key] for key in keys} for item in out["list"]}
        for id in sorted(set(wanted) | set(got)):
            a, b = wanted.get(id), got.get(id)
            yield "item " + id, a, b, difference(a, b)
        return
    for at, op in enumerate(vector["ops"]):
        expected = vector["results"][at]
        if not expected:
            continue
        actual = out["results"][at]
        if op["op"] == "keyfn":
            # The other fields are cuts that only the C component makes.
            expected = {"normalized159": expected["normalized159"]}
        if "output" in expected:
            expected = dict(expected, output=_without_messages(expected["output"]))
        place = difference(_spelled(expected, actual), actual)
        if not place and op["op"] == "history" and "messages" in expected:
            # History is compared whole: a key too many is a difference as well.
            place = difference(expected["messages"], actual["messages"], "/messages", True)
        yield "operation %d %s" % (at, _shown(op)), expected, actual, place
    if "files" in vector:
        wanted = vector["files"]
        mine = {k: v for k, v in out["files"].items() if _compared(k)}
        for path in sorted(set(wanted) | set(mine)):
            a, b = wanted.get(path), mine.get(path)
            yield "file " + path, a, b, "" if a == b else "/"


def _compared(path):
    parts = path.split("/")
    return parts[0] == "sessions" and path.endswith((".log", ".idx", ".blocked"))


def on_cpython(paths):
    """Yield what came out of each vector, replayed here."""
    for path in paths:
        with tempfile.TemporaryDirectory(prefix="claw_vectors_") as root:
            yield replay.play(load(path), root)


def on_micropython(paths):
    """Yield what came out of each vector, replayed in the MicroPython binary."""
    from tests_host.both.__main__ import firmware_with_lines, tool

    here = pathlib.Path(__file__).resolve().parent
    for path in paths:
        with tempfile.TemporaryDirectory(prefix="claw_vectors_") as folder:
            vector = pathlib.Path(folder) / "in.json"
            out = pathlib.Path(folder) / "out.json"
            vector.write_text(json.dumps(load(path), ensure_ascii=False), "utf-8")
            ran = subprocess.run(
                [tool("micropython"), "-X", "heapsize=32M", str(here / "on_board.py")]
                + [firmware_with_lines(), str(here), str(REPO / "tests_host/shim")]
                + [str(vector), str(out)],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
            )
            if not out.exists():
                yield ran.stdout + ran.stderr
                continue
            yield json.loads(out.read_bytes())


def run(paths, runtime, say=print):
    """Replay the vectors; return (passed, failed)."""
    passed = failed = 0
    play = on_micropython if runtime == "micropython" else on_cpython
    for path, out in zip(paths, play(paths)):
        vector = load(path)
        if isinstance(out, str):
            failed += 1
            say("%s: the replay broke off\n%s" % (path.name, out))
            continue
        for name, expected, actual, place in compare(vector, out):
            if not place:
                passed += 1
                continue
            failed += 1
            say("%s: %s" % (path.name, name))
            say("  differs at %s" % place)
            say("  expected %s" % _shown(expected))
            say("  actual   %s" % _shown(actual))
    return passed, failed


def main(argv=None):
    """Parse the command line, run, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests_host.vectors")
    parser.add_argument("--runtime", choices=("cpython", "micropython"), default="cpython")
    parser.add_argument("folders", nargs="*", default=[str(DATA)], metavar="DIR")
    options = parser.parse_args(argv)
    paths = vectors(options.folders)
    passed, failed = run(paths, options.runtime)
    if not paths:
        print("vectors: no vector below", ", ".join(options.folders))
        failed = 1
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
