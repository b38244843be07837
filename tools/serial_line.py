"""The serial port of the simulated board: a pseudo terminal under a stable name."""

import collections
import os
import re
import select
import time
import tty

KEPT_OUTPUT = 256 * 1024  # bytes printed before the first terminal comes, kept for it
HELD_OUTPUT = 64 * 1024  # bytes printed and not yet taken by the terminal; then the board waits
STALL_SECONDS = 10.0  # a terminal that is open but takes nothing for so long loses output


class LineError(Exception):
    """One sentence for the user."""


class SerialLine:
    """Like a USB serial port: with no terminal on it, output is dropped and blocks nobody.

    Only what is printed before the first terminal comes is kept, so that it sees the start.
    """

    def __init__(self, link):
        self.link = link
        if os.path.lexists(link) and not os.path.islink(link):
            raise LineError("%s exists and is no link: choose another --link." % link)
        self.master, slave = os.openpty()
        tty.setraw(slave)
        self.name = os.ttyname(slave)
        os.close(slave)  # the slave is open only while a terminal is connected
        os.set_blocking(self.master, False)
        self.attached = False
        self.binary = False  # True: pass output on without turning \n into \r\n
        self._seen = False
        self._out = collections.deque()
        self._held = 0
        self._moved = 0.0
        self._last = b""
        os.makedirs(os.path.dirname(os.path.abspath(link)), exist_ok=True)
        temporary = "%s.%d" % (link, os.getpid())
        os.symlink(self.name, temporary)
        os.replace(temporary, link)

    def close(self):
        """Remove the link, unless another board has taken the name over."""
        if os.path.islink(self.link) and os.readlink(self.link) == self.name:
            os.unlink(self.link)
        os.close(self.master)

    def look(self):
        """Notice whether a terminal came or went; True when it left bytes to receive."""
        poll = select.poll()
        poll.register(self.master, select.POLLIN)
        ready = poll.poll(0)
        events = ready[0][1] if ready else 0
        attached = not events & (select.POLLHUP | select.POLLERR)
        if attached and not self.attached:
            self._seen = True
            self._moved = time.monotonic()
        elif self.attached and not attached:
            self._drop()
        self.attached = attached
        return bool(events & select.POLLIN)

    def _drop(self):
        self._out.clear()
        self._held = 0

    def put(self, data):
        """Queue what the board printed."""
        if not self.binary:
            data = self._line_ends(data)
        if self._seen and not self.attached:
            return
        self._out.append(data)
        self._held += len(data)
        while not self._seen and self._held > KEPT_OUTPUT and len(self._out) > 1:
            self._held -= len(self._out.popleft())

    def _line_ends(self, data):
        # A board ends its lines with \r\n; the unix program does so only at its prompt.
        before = self._last
        self._last = b"\r" if data.endswith(b"\r") else b""
        return re.sub(rb"(?<!\r)\n", b"\r\n", before + data)[len(before) :]

    def full(self):
        """True while the board must wait for the terminal to take something."""
        if not self.attached or self._held < HELD_OUTPUT:
            return False
        if time.monotonic() - self._moved < STALL_SECONDS:
            return True
        self._drop()
        return False

    def pending(self):
        """True when there is something to send and somebody to send it to."""
        return self.attached and bool(self._out)

    def send(self):
        """Pass on as much as the terminal takes now."""
        while self._out:
            chunk = self._out.popleft()
            try:
                done = os.write(self.master, chunk)
            except OSError:
                done = 0
            if done:
                self._moved = time.monotonic()
                self._held -= done
            if done < len(chunk):
                self._out.appendleft(chunk[done:])
                return

    def receive(self):
        """Bytes that the terminal sent, b'' when there are none."""
        try:
            return os.read(self.master, 4096)
        except OSError:
            return b""
