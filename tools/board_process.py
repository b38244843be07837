"""Start tools/sim_board.py and hold the other end of its serial port, for chat.py and tests."""

import os
import select
import subprocess
import sys
import time
import tty

SIM_BOARD = os.path.join(os.path.dirname(os.path.abspath(__file__)), "sim_board.py")
START_SECONDS = 20.0


class BoardStopped(Exception):
    """The board ended; the text is its own explanation, one sentence."""


class BoardProcess:
    """A running board and the open serial port `fd` of it."""

    def __init__(self, link, image, fs="lfs2", heap="2M", options=(), env=None):
        command = [sys.executable, SIM_BOARD, "--until-eof", "--link", link, "--image", image]
        command += ["--fs", fs, "--heap", heap, *options]
        # A session of its own: Ctrl-C in this terminal is not meant for the board's supervisor.
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=env,
            start_new_session=True,
        )
        self.fd = -1
        try:
            ready, _, _ = select.select([self.process.stdout], [], [], START_SECONDS)
            if not ready:
                raise BoardStopped("The board did not start within %d seconds." % START_SECONDS)
            if not self.process.stdout.readline():
                raise BoardStopped(self.explain())
            self.fd = os.open(link, os.O_RDWR | os.O_NOCTTY)
            tty.setraw(self.fd)
        except BaseException:
            self.close()
            raise

    def explain(self):
        """What the ended board said, one sentence."""
        text = self.process.stderr.read().decode("utf-8", "replace").strip()
        return text.splitlines()[-1] if text else "The board ended without a word."

    def read(self, timeout):
        """Bytes from the board within timeout seconds, b'' when there were none.

        Raises BoardStopped when the board is gone.
        """
        ready, _, _ = select.select([self.fd], [], [], timeout)
        if not ready:
            return b""
        try:
            data = os.read(self.fd, 65536)
        except OSError:
            data = b""
        if not data:
            raise BoardStopped(self.explain())
        return data

    def write(self, data):
        """Send bytes; waits while the board's line is full."""
        while data:
            data = data[os.write(self.fd, data) :]

    def close(self, seconds=5.0):
        """Disconnect and end the board."""
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1
        self.process.stdin.close()
        deadline = time.monotonic() + seconds
        try:
            self.process.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()
        self.process.stderr.close()
