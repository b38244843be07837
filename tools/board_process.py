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
        self.link = link
        self.fd = -1
        self._received = b""
        try:
            ready, _, _ = select.select([self.process.stdout], [], [], START_SECONDS)
            if not ready:
                raise BoardStopped("The board did not start within %d seconds." % START_SECONDS)
            if not self.process.stdout.readline():
                raise BoardStopped(self.explain())
            self.connect()
        except BaseException:
            self.close()
            raise

    def connect(self):
        """Open the serial port."""
        self.fd = os.open(self.link, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        tty.setraw(self.fd)

    def disconnect(self):
        """Close the serial port; the board runs on."""
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1
        self._received = b""

    def explain(self):
        """What the ended board said, one sentence."""
        text = self.process.stderr.read().decode("utf-8", "replace").strip()
        return text.splitlines()[-1] if text else "The board ended without a word."

    def read(self, timeout):
        """Bytes from the board within timeout seconds, b'' when there were none.

        Raises BoardStopped when the board is gone.
        """
        if self._received:
            data, self._received = self._received, b""
            return data
        ready, _, _ = select.select([self.fd], [], [], timeout)
        return self._receive() if ready else b""

    def _receive(self):
        try:
            data = os.read(self.fd, 65536)
        except BlockingIOError:
            return b""
        except OSError:
            data = b""
        if not data:
            raise BoardStopped(self.explain())
        return data

    def write(self, data):
        """Send bytes; what the board prints meanwhile is kept for read()."""
        while data:
            ready, writable, _ = select.select([self.fd], [self.fd], [])
            if ready:
                self._received += self._receive()
            if writable:
                try:
                    data = data[os.write(self.fd, data) :]
                except BlockingIOError:
                    time.sleep(0.001)

    def close(self, seconds=5.0):
        """Disconnect and end the board."""
        self.disconnect()
        self.process.stdin.close()
        deadline = time.monotonic() + seconds
        try:
            self.process.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()
        self.process.stderr.close()
