"""What the tests of the flash tools share: made-up firmware, a mock boot loader, the board."""

import contextlib
import hashlib
import os
import pathlib
import signal
import struct
import subprocess
import sys
import time

from tests_host import prepared

REPO = pathlib.Path(__file__).resolve().parents[1]
TOOLS = REPO / "tools"
if str(TOOLS) not in sys.path:
    sys.path.insert(0, str(TOOLS))


# The first lines of the real boot.py and main.py treat /update.part in the same way.
FINISH = "The last update did not finish"
BOOT = b"""import os
def size(path):
    try:
        return os.stat(path)[6]
    except OSError:
        return -1
if size("/update.part") >= 0 and size("/main.py") <= 0:
    print("%s")
""" % FINISH.encode()
MAIN = b"""import os
if "update.part" in os.listdir("/"):
    print("%s")
else:
    from claw_memory import __version__
    from claw_core.chat import NAME
    print("hello from", __version__, "with", NAME)
    print("you> ", end="")
""" % FINISH.encode()


def esp_image(chip_id, app=None, body=b"", hashed=True):
    """Bytes of an ESP image: header, one segment, checksum, hash. app: (project, version)."""
    segment = body
    if app:
        project, version = app
        descriptor = struct.pack("<II8x", 0xABCD5432, 0)
        descriptor += version.encode().ljust(32, b"\0") + project.encode().ljust(32, b"\0")
        segment = descriptor.ljust(256, b"\0") + body
    segment += bytes(-len(segment) % 4)
    head = bytearray(24)
    head[0:4] = bytes([0xE9, 1, 2, 0x3F])
    struct.pack_into("<H", head, 12, chip_id)
    head[23] = 1 if hashed else 0
    data = bytes(head) + struct.pack("<II", 0x3F400020, len(segment)) + segment
    checksum = 0xEF
    for byte in segment:
        checksum ^= byte
    data += bytes(15 - len(data) % 16) + bytes([checksum])
    return data + hashlib.sha256(data).digest() if hashed else data


def micropython_image(
    chip_id=9,
    base=0,
    version="1.26.1",
    project="micropython",
    vfs_end=8 << 20,
    banner=True,
    size=100000,
):
    """A boot loader, partition table and app, laid out as a MicroPython release file is."""
    # Incompressible, so that esptool sends it in many blocks as it does real code.
    filler = b"".join(hashlib.sha256(b"%d" % n).digest() for n in range(size // 32))
    text = b"\0MicroPython v%s on 2025-09-11; x\0" % version.encode() if banner else b""
    app = esp_image(chip_id, (project, "v" + version), text + filler)
    entries = (
        (1, 2, 0x9000, 0x6000, b"nvs"),
        (0, 0, 0x10000, 0x1F0000, b"factory"),
        (1, 0x81, 0x200000, vfs_end - 0x200000, b"vfs"),
    )
    table = b"".join(struct.pack("<HBBII16sI", 0x50AA, *entry, 0) for entry in entries)
    data = esp_image(chip_id, body=b"boot loader" * 40)
    data = data.ljust(0x8000 - base, b"\xff") + table
    return data.ljust(0x10000 - base, b"\xff") + app


def small_firmware(folder, version="1.0.0", extra=None):
    """A firmware of a few small modules in `folder`; extra: {relative path: bytes or None}."""
    files = {
        "boot.py": BOOT,
        "main.py": MAIN,
        "defaults/user.md": b"# User\n",
        "certs/root.der": b"\x30\x82 certificate",
        "claw_memory/__init__.py": b'__version__ = "%s"\n' % version.encode(),
        "claw_core/__init__.py": b"",
        "claw_core/chat.py": b"NAME = 'chat %s'\n" % version.encode(),
    }
    files.update(extra or {})
    for name, data in files.items():
        path = pathlib.Path(folder) / name
        if data is None:
            path.unlink(missing_ok=True)
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return pathlib.Path(folder)


@contextlib.contextmanager
def boot_loader(chip="esp32s3"):
    """A simulated chip in its boot loader; gives (port, process)."""
    reading, writing = os.pipe()
    arguments = ["run", "--pty", "--chip", chip]
    process = prepared.start(prepared.BOOT_LOADER, arguments, writing)
    os.close(writing)
    try:
        with os.fdopen(reading) as output:
            port = output.readline().strip()
            assert port.startswith("/dev/"), port
            yield port, process
    finally:
        process.kill()
        process.join()


def tool(name, *arguments, env=None, stdin=subprocess.DEVNULL, timeout=120):
    """Run tools/<name>.py as people do; gives the finished process with its text output."""
    return subprocess.run(
        [sys.executable, str(TOOLS / (name + ".py")), *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdin=stdin,
        text=True,
        timeout=timeout,
        env=env,
        cwd=str(REPO),
        check=False,
    )


def one_sentence(process):
    """The message of a tool that failed, checked to be for people: no trace, no Python words."""
    assert process.returncode == 1, process.stdout + process.stderr
    assert "Traceback" not in process.stderr + process.stdout, process.stderr
    text = process.stderr.strip()
    assert text and text[-1] in ".!", text
    for word in ("Error:", "Errno", "Exception", "None"):
        assert word not in text, text
    return text


class SimBoard:
    """The simulated board as a process: `port`, power cuts, what the console shows."""

    def __init__(self, folder, fs="lfs2", size=None, heap=None):
        self.port = str(pathlib.Path(folder) / "tty")
        command = [
            sys.executable,
            str(TOOLS / "sim_board.py"),
            "--link",
            self.port,
            "--fs",
            fs,
            "--image",
            str(pathlib.Path(folder) / "flash.img"),
        ]
        if size:
            command += ["--size", str(size)]
        if heap:
            command += ["--heap", heap]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        line = self.process.stdout.readline()
        assert line.startswith("The board is on"), line

    def power_cut(self):
        """Cut the power and switch it on again at once."""
        self.process.send_signal(signal.SIGUSR1)

    def boot_text(self, until, seconds=10):
        """Cut the power and give what the board prints from its start until `until` appears."""
        from mpremote.transport_serial import SerialTransport

        link = SerialTransport(self.port, timeout=0.2)
        try:
            link.serial.read(4096)
            self.power_cut()
            text = ""
            end = time.monotonic() + seconds
            while until not in text and time.monotonic() < end:
                text += link.serial.read(256).decode("utf-8", "replace")
            return text
        finally:
            link.serial.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Switch the board off for good."""
        self.process.terminate()
        self.process.wait(10)
        self.process.stdout.close()
