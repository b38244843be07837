"""Runs the board's side of the benchmarks in the MicroPython binary, each in a heap of its own."""

import contextlib
import os
import pathlib
import select
import shutil
import subprocess
import sys
import tempfile
import time

from tests_host.both.__main__ import REPO, tool
from tests_host.model_server import ModelServer, calls, text

sys.path.append(str(REPO / "tools"))
import image  # noqa: E402

BUILD = REPO / "build/bench"
BOARD = REPO / "bench/board"
IMAGE_BYTES = 8 << 20
ANSWER = "This is what I know about it. " * 68  # 2 KB
FACT = {"content": "Anna moved to Bergen in May", "tags": ["home"], "keywords": ["Anna", "Bergen"]}
RECALL = (("memory_recall", {"summary_labels": ["label03"]}),)
ROUND = (("memory_store", FACT),) + RECALL


def build():
    """Compile the firmware as it is for the board; boot.py, main.py and skills stay source."""
    try:
        files = image.compile_firmware(build=str(BUILD / "firmware"))
    except image.ImageError as e:
        raise SystemExit(str(e))
    for name, path in files.items():
        source = name.count("/") == 1 and path.endswith(".py")
        if source or name.startswith("/skills/") or name == "/claw_caps/tools.md":
            # in one step: other runs may be reading it
            own = BUILD / ("firmware/%d.new" % os.getpid())
            shutil.copy(path, own)
            target = BUILD / ("firmware" + name)
            target.parent.mkdir(exist_ok=True)
            own.replace(target)


@contextlib.contextmanager
def scratch():
    """A fresh folder, in RAM where there is some."""
    place = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="claw_bench_", dir=place) as folder:
        yield pathlib.Path(folder)


def command(group, kind, where, heap):
    """The command line of one group of benchmarks."""
    binary = [tool("micropython"), "-X", "heapsize=" + heap, str(BOARD / "run.py")]
    return binary + [str(BUILD / "firmware"), str(BOARD), group, kind, str(where)]


def figures(output):
    """The figures that a group printed, as {name: number or text}."""
    found = {}
    for line in output.splitlines():
        if line.startswith("@"):
            name, _, value = line[1:].partition(" ")
            try:
                found[name] = float(value) if "." in value else int(value)
            except ValueError:
                found[name] = value
    return found


def board(group, kind="lfs2", where="-", heap="64M"):
    """Run one group; its figures. Ends the program with its output when it fails."""
    done = subprocess.run(
        command(group, kind, where, heap),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    if done.returncode:
        raise SystemExit("bench %s on %s failed:\n%s" % (group, kind, done.stdout[-3000:]))
    return figures(done.stdout)


def new_image(path, kind):
    """An empty image file, or an empty folder for posix."""
    if kind == "posix":
        path.mkdir()
    else:
        with open(path, "wb") as f:
            f.truncate(IMAGE_BYTES)


def prepared(folder, kind, messages, group="prepare"):
    """An image that holds 127 memories and a conversation of so many messages."""
    path = folder / ("image-%s-%s-%d" % (group, kind, messages))
    new_image(path, kind)
    pathlib.Path(str(path) + ".count").write_text(str(messages))
    found = board(group, kind, path)
    assert found["messages"] == messages
    return path


class Turn:
    """Full turns of the real chat over a prepared image, each on a copy and in a heap of its own.

    One user message, a request with profile, catalog, tools and history, one round of tool calls
    (round_), an answer of 2 KB, all of it stored. With a key the message is also looked through
    for facts to learn, which is a second request. group: what fills the image.
    """

    def __init__(self, folder, kind, messages, round_, key="", group="prepare"):
        self.calls = round_
        self.key = key
        self.kind = kind
        self.filled = prepared(folder, kind, messages, group)
        self.copy = folder / "copy"
        self.modules = []
        self.compactions = 0  # of the long-term store, in the last turn
        self.request_bytes = 0
        self.used = {}  # heap in use, in bytes, at the points that bench/board/chat.py names

    def run(self, heap):
        """True when the turn succeeds in a heap of so many KiB."""
        if self.kind == "posix":
            shutil.rmtree(self.copy, ignore_errors=True)
            shutil.copytree(self.filled, self.copy)
        else:
            shutil.copyfile(self.filled, self.copy)
        asked = []  # the requests of the turn; another one may ask for facts to learn

        def answer(request):
            if "tools" not in request.json:
                return text('{"memory_intent":"none","candidates":[]}')
            asked.append(request)
            if request.json["messages"][-1]["role"] == "tool":
                return text(ANSWER, piece=20)
            return calls(*self.calls)

        with ModelServer([answer] * 8) as server:
            pathlib.Path(str(self.copy) + ".url").write_text("%s\n%s" % (server.url, self.key))
            output = self._talk(heap)
            found = figures(output)
            good = len(asked) == 2 and ANSWER.strip() in output
            if good:
                self.request_bytes = len(asked[1].body)
                results = [m["content"] for m in asked[1].json["messages"] if m["role"] == "tool"]
                good = len(results) == len(self.calls)
                good = good and all('"ok":true' in result for result in results)
        if "modules" in found:
            # main.py comes first on the board
            self.modules = sorted(found["modules"].split(","), key=lambda name: name != "main")
        self.compactions = found.get("compactions", 0)
        self.used = {name: found[name] for name in found if name.startswith("used_")}
        self.output = output
        stored = len(self.calls) == 1 or "Memory update: [home]" in output
        return bool(good and stored and "\n! " not in output)

    def _talk(self, heap):
        process = subprocess.Popen(
            command("chat", self.kind, self.copy, "%dK" % heap),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        output = b""
        sent = False
        end = time.monotonic() + 60
        while time.monotonic() < end:
            if not select.select([process.stdout], [], [], 1)[0]:
                continue
            piece = os.read(process.stdout.fileno(), 65536)
            if not piece:
                break
            output += piece
            asked = output.count(b"you> ")
            if asked == 1 and not sent:
                sent = True
                process.stdin.write(b"what do you know about Anna?\n")
                process.stdin.flush()
            elif asked >= 2 and not process.stdin.closed:
                process.stdin.close()
        process.kill()
        process.wait()
        return output.decode("utf-8", "replace").replace("\r", "")


def smallest(works, low, high, step=4):
    """The smallest heap in KiB, in steps, with which works(heap) is true and stays so."""
    if not works(high):
        return None
    while high - low > step:
        middle = (low + high) // 2 // step * step
        if works(middle) and works(middle + step):
            high = middle
        else:
            low = middle
    return high


def imports(folder, names, heap):
    """True when the modules can be imported in a heap of so many KiB."""
    path = folder / "names"
    path.write_text("\n".join(names))
    done = subprocess.run(
        command("imports", "posix", path, "%dK" % heap),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return done.returncode == 0 and figures(done.stdout).get("loaded") == len(names)


def module_sizes(names):
    """{module: bytes of its .mpy} for those of the names that are .mpy on the board."""
    sizes = {}
    for name in names:
        if name == "main":
            continue  # stays source on the board
        path = BUILD / "firmware" / name.replace(".", "/")
        path = path / "__init__.mpy" if path.is_dir() else path.with_suffix(".mpy")
        if path.exists():  # or it is joined with its package
            sizes[name] = path.stat().st_size
    return sizes
