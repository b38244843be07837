"""A simulated board for tests: typed at and read through its serial port, as a terminal does."""

import os
import pathlib
import re
import shutil
import signal
import sys
import tempfile
import time

REPO = pathlib.Path(__file__).resolve().parents[1]
if str(REPO / "tools") not in sys.path:
    sys.path.insert(0, str(REPO / "tools"))

import board_process  # noqa: E402
import image  # noqa: E402

from tests_host import prepared  # noqa: E402

PROMPT = re.compile(rb"(?:^|[\r\n])you> $")
REPL = re.compile(rb">>> $")
BANNER = re.compile(rb'Type "help\(\)" for more information\.\r\n>>> $')


_filled = {}
_folder = None


def _with_firmware(fs):
    """Path of an image that holds the firmware and nothing else, made once in this process."""
    global _folder
    files = image.compile_firmware()
    key = fs, tuple((path, os.stat(files[path]).st_mtime_ns) for path in sorted(files))
    if key not in _filled:
        _folder = _folder or tempfile.TemporaryDirectory(prefix="board-images-")
        path = os.path.join(_folder.name, "%d.img" % len(_filled))
        image.update_image(path, fs, files)
        _filled[key] = path
    return _filled[key]


class Board:
    """A board with its own flash image, gone at the end of the `with` block.

    files: {path on the board: bytes}; with firmware=True the repository's firmware lies there too
    (`files` wins). `image_file` uses an existing image instead and keeps it. `env` adds to the
    environment of the supervisor; `options` are further options of tools/sim_board.py.
    """

    def __init__(
        self,
        files=None,
        firmware=False,
        fs="lfs2",
        heap="1M",
        env=None,
        options=(),
        image_file=None,
    ):
        self.directory = tempfile.mkdtemp(prefix="board-")
        self.image = str(image_file or os.path.join(self.directory, "flash.img"))
        self.link = os.path.join(self.directory, "tty")
        self.fs = fs
        self.heap = heap
        self.options = tuple(options)
        self.env = {k: v for k, v in os.environ.items() if not k.startswith("CLAW_")}
        self.env.update(env or {})
        self.output = b""  # all that was received and not yet taken by expect()
        self.log = b""  # all that was ever received
        self._board = None
        try:
            self.install(files or {}, firmware)
            self.power_on()
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def install(self, files, firmware=False):
        """Write files into the image of the switched-off board."""
        wanted = {}
        for path, data in files.items():
            source = os.path.join(self.directory, "files", path.strip("/"))
            os.makedirs(os.path.dirname(source), exist_ok=True)
            with open(source, "wb") as file:
                file.write(data.encode() if isinstance(data, str) else data)
            wanted[path] = source
        there = os.path.exists(self.image)
        if firmware and there:
            wanted = {**image.compile_firmware(), **wanted}
        elif firmware:
            os.makedirs(os.path.dirname(self.image), exist_ok=True)
            shutil.copyfile(_with_firmware(self.fs), self.image)
        if wanted:
            image.update_image(self.image, self.fs, wanted, whole=firmware and there)

    def power_on(self):
        """Start the board and connect to it."""
        self._board = board_process.BoardProcess(
            self.link, self.image, self.fs, self.heap, self.options, self.env
        )

    @property
    def process(self):
        """The supervisor, a subprocess.Popen."""
        return self._board.process

    def power_off(self):
        """Disconnect and end the board as its supervisor does on request."""
        self._board.close()
        self._board = None

    def power_cut(self, on=True):
        """Kill supervisor and interpreter at once with SIGKILL; then, if asked, power on again."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.power_off()
        if on:
            self.power_on()

    def restart(self, how, look=None):
        """Restart a chat by "/reset", "soft reset" or a power cut; return what it prints then.

        look: function called while the power is off.
        """
        if how == "/reset":
            self.send_line("/reset")
            self.expect("Restarting")
        elif how == "soft reset":
            self.reset()
        else:
            self.power_cut(on=False)
            self.output = b""
            if look:
                look()
            self.power_on()
        return self.prompt(60)

    def close(self):
        """End the board and remove its directory."""
        if self._board:
            self.power_off()
        shutil.rmtree(self.directory, ignore_errors=True)

    def disconnect(self):
        """Close the terminal; the board runs on and others may connect."""
        self._board.disconnect()

    def connect(self):
        """Open the terminal again."""
        self._board.connect()

    def read(self, timeout=0.1):
        """Receive for at most timeout seconds; returns what came."""
        data = self._board.read(timeout)
        self.log += data
        self.output += data
        return data

    def expect(self, pattern, timeout=20.0):
        """Wait until the output holds pattern; return all up to its end, as text.

        pattern is a str (searched as it is) or a compiled bytes pattern. What follows stays for
        the next call. Raises AssertionError with the output so far when it does not come.
        """
        if isinstance(pattern, str):
            pattern = re.compile(re.escape(pattern.encode()))
        deadline = time.monotonic() + timeout
        while True:
            found = pattern.search(self.output)
            if found:
                text, self.output = self.output[: found.end()], self.output[found.end() :]
                return text.decode("utf-8", "replace")
            left = deadline - time.monotonic()
            if left <= 0:
                raise AssertionError(
                    "no %r within %g s; the board printed %r"
                    % (pattern.pattern, timeout, self.output[-2000:])
                )
            self.read(min(left, 0.5))

    def send(self, data):
        """Type bytes or text as they are."""
        self._board.write(data.encode() if isinstance(data, str) else data)

    def send_line(self, text):
        """Type text and Enter."""
        self.send(text.encode() + b"\r" if isinstance(text, str) else text + b"\r")

    def prompt(self, timeout=20.0):
        """Wait for the chat's prompt; return what was printed before it, as text."""
        return self.expect(PROMPT, timeout)

    def ask(self, text, timeout=20.0):
        """Type a line at the chat's prompt; return what the board prints until the next prompt."""
        self.send_line(text)
        return self.prompt(timeout)

    def repl(self, statement, timeout=20.0):
        """Run one line at the >>> prompt; return what it printed."""
        self.send_line(statement)
        text = self.expect(REPL, timeout)
        return text.split("\r\n", 1)[1][: -len(">>> ")]

    def reset(self):
        """Reset as the reset button of a board does (the chat or the >>> prompt may be active)."""
        self.send("\x03")
        self.expect(REPL)
        self.send_line("import machine; machine.reset()")
        self.expect("machine.reset()\r\n")

    def mpremote(self, *args, check=True, timeout=60):
        """Run the real mpremote on the board (the terminal must be closed); return its output."""
        with tempfile.TemporaryFile() as out:
            arguments = ["connect", self.link, *args]
            code = prepared.run(prepared.MPREMOTE, arguments, out.fileno(), timeout)
            out.seek(0)
            text = out.read().decode("utf-8", "replace")
        assert not check or code == 0, text
        return text
