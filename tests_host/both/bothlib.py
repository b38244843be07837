"""What a test needs that is to run on CPython and in the MicroPython binary: files and checks."""

import asyncio
import os
import sys

ON_DEVICE = sys.implementation.name == "micropython"

base = ""  # where tmpdir() makes its directories in the binary: the root of the image
_temp = None
_count = 0


def tmpdir(name):
    """Path of a fresh empty directory on the file system under test.

    In the binary this is /t_<name> on the image. On CPython it is a temporary directory, or with
    CLAW_FS=fat in the environment a simulated FATFS mounted at /t_<name>.
    """
    if ON_DEVICE:
        path = base + "/t_" + name
        wipe(path)
        os.mkdir(path)
        return path
    return _host_dir(name)


def _host_dir(name):
    global _temp, _count
    import tempfile

    if _temp is None:
        _temp = tempfile.TemporaryDirectory(prefix="claw_both_")
    _count += 1
    path = "%s/%d_%s" % (_temp.name, _count, name)
    os.mkdir(path)
    if os.environ.get("CLAW_FS") != "fat":
        return path
    import vfs

    point = "/t_" + name
    if any(at == point for _, at in vfs.mount()):
        vfs.umount(point)
    vfs.mount(vfs.VfsFat(path), point)
    return point


def wipe(path):
    """Remove path with all that is in it; nothing happens when there is no such path."""
    try:
        mode = os.stat(path)[0]
    except OSError:
        return
    if mode & 0x4000:
        for name in os.listdir(path):
            wipe(path + "/" + name)
        os.rmdir(path)
    else:
        os.remove(path)


def raises(exc, fn, *args, **kwargs):
    """Call fn and return the exception of type exc that it raises; fail when it raises none."""
    try:
        fn(*args, **kwargs)
    except exc as e:
        return e
    raise AssertionError("%s was not raised" % getattr(exc, "__name__", exc))


def write(path, data):
    """Make path a file that holds exactly these bytes (a str is written as UTF-8)."""
    with open(path, "wb") as f:
        f.write(data.encode() if isinstance(data, str) else data)


def read(path):
    """All bytes of the file at path."""
    with open(path, "rb") as f:
        return f.read()


def exists(path):
    """True when path names a file or a directory."""
    try:
        os.stat(path)
    except OSError:
        return False
    return True


def listdir(path):
    """Sorted names in the directory at path."""
    return sorted(os.listdir(path))


def repo(path):
    """Path at which a file of the repository can be read (not written) in this runtime."""
    if ON_DEVICE:
        return "/host/" + path
    here = os.path.dirname(os.path.abspath(__file__))
    return os.path.join(os.path.dirname(os.path.dirname(here)), path)


def run(coro):
    """Run a coroutine to its end and return its value (asyncio.run)."""
    return asyncio.run(coro)


class Channel:
    """Keeps what an agent shows: `shown`, a list of (kind, text)."""

    def __init__(self, name="serial"):
        self.name = name
        self.shown = []

    def emit(self, kind, text):
        """Keep it."""
        self.shown.append((kind, text))

    def of(self, kind):
        """The texts of a kind."""
        return [text for k, text in self.shown if k == kind]

    def text(self):
        """The answer."""
        return "".join(self.of("text"))


class Lowered:
    """limits with other values inside a with block."""

    def __init__(self, **values):
        self.values = values

    def __enter__(self):
        from claw_memory import limits

        self.saved = {name: getattr(limits, name) for name in self.values}
        for name in self.values:
            setattr(limits, name, self.values[name])

    def __exit__(self, *args):
        from claw_memory import limits

        for name in self.saved:
            setattr(limits, name, self.saved[name])
