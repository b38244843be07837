"""A running MicroPython at the end of a serial port: raw REPL, files, hashes. Uses mpremote.

Everything that can go wrong on the wire or on the board becomes a BoardError with one sentence.
"""

import base64
import contextlib
import io
import json
import struct
import time
from pathlib import Path

import serial
from mpremote.transport import TransportError, TransportExecError
from mpremote.transport_serial import SerialTransport

_CHUNK = 3072  # bytes of a file sent at once: with its base64 form it fits the smallest heap
_ENTER_TRIES = 3
_SETTLE = 0.4  # seconds

# Sent to the board, where its functions are called.
_HELPER = Path(__file__).with_name("flash_remote.py").read_text(encoding="utf-8")


class BoardError(Exception):
    """The board cannot be reached or an operation on it failed; one sentence for people."""


class NoAnswer(BoardError):
    """Nothing at the port speaks MicroPython's raw REPL."""


class NoRoom(BoardError):
    """The file system of the board is full."""


class _Buffered:
    """A pyserial port that reads ahead: mpremote asks for single bytes, which is slow."""

    def __init__(self, port):
        self._port = port
        self._ahead = b""

    def read(self, count=1):
        if not self._ahead:
            self._ahead = self._port.read(max(count, self._port.in_waiting))
        data, self._ahead = self._ahead[:count], self._ahead[count:]
        if data and len(data) < count:
            data += self._port.read(count - len(data))
        return data

    def inWaiting(self):
        return len(self._ahead) + self._port.in_waiting

    def __getattr__(self, name):
        return getattr(self._port, name)


class Board:
    """One connection to a running MicroPython, in its raw REPL between open() and close()."""

    def __init__(self, port):
        """Open the serial port. Raises BoardError when it is missing, in use or forbidden."""
        self.port = port
        self._link = None
        try:
            self._connect()
        except (TransportError, OSError):
            raise BoardError(_open_sentence(port)) from None

    def _connect(self):
        with contextlib.redirect_stdout(io.StringIO()):
            self._link = SerialTransport(self.port, baudrate=115200, timeout=1)
        self._link.serial = _Buffered(self._link.serial)

    def enter(self, soft_reset=True):
        """Take the board over: stop what runs and load the helper functions.

        soft_reset: restart the interpreter first, so that the whole heap is free; file systems
        mounted by main.py are gone then. Raises NoAnswer when no MicroPython does.
        """
        with self._guarded("talking to it"):
            for _ in range(_ENTER_TRIES):
                if self._enter_once(soft_reset):
                    self._link.exec(_HELPER)
                    # A simulated board that was stopped before it was put together shows the files
                    # of this computer; they are nobody's to change.
                    if self._link.exec("print(remote_kind('/'))").strip() != b"VfsPosix":
                        return
                    self._link.serial.write(b"\x04")
                    time.sleep(_SETTLE)
        raise NoAnswer("No MicroPython answers on %s: press RESET on the board and repeat."
                       % self.port)

    def _enter_once(self, soft_reset):
        # A chat may be running: the first Ctrl-C stops a reply, the next one leaves the chat.
        for _ in range(2):
            self._link.serial.write(b"\r\x03")
            if self._settled():
                break
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                self._link.enter_raw_repl(soft_reset=False, timeout_overall=1.5)
                if soft_reset:
                    self._link.enter_raw_repl(soft_reset=True, timeout_overall=10)
        except TransportError:
            return False
        return True

    def _settled(self):
        """True as soon as the prompt of the REPL appears, False when it does not."""
        text = b""
        end = time.monotonic() + _SETTLE
        while time.monotonic() < end:
            text += self._link.serial.read(self._link.serial.inWaiting())
            if text.endswith(b">>> "):
                return True
            time.sleep(0.005)
        return False

    def run(self, code, each_line=None):
        """Run `code` and return what it printed (str). each_line: called with every full line.

        Raises NoRoom when the board reports a full file system, BoardError otherwise.
        """
        output = bytearray()

        def consume(data):
            output.extend(data.replace(b"\x04", b""))
            if each_line and output.endswith(b"\n"):
                each_line(output.decode("utf-8", "replace").rstrip("\r\n"))
                output.clear()

        with self._guarded("working"):
            self._link.exec(code, data_consumer=consume)
        return output.decode("utf-8", "replace").replace("\r\n", "\n")

    def hashes(self, paths):
        """{path: SHA-256 in hex} of those of `paths` that exist on the board."""
        found = {}
        paths = list(paths)
        for at in range(0, len(paths), 40):
            for line in self.run("remote_hashes(%r)" % (paths[at:at + 40],)).splitlines():
                digest, _, path = line.partition(" ")
                found[path] = digest
        return found

    def tree(self, directory):
        """[(path, size in bytes)] of all files below `directory` ("" for the root)."""
        found = []
        for line in self.run("remote_tree(%r)" % directory).splitlines():
            size, _, path = line.partition(" ")
            found.append((path, int(size)))
        return sorted(found)

    def write_file(self, path, data, progress=None):
        """Write bytes to `path` (directories are made); return the SHA-256 that the board reads.

        progress: called with the number of bytes sent so far.
        """
        self.run("remote_open(%r)" % path)
        for at in range(0, len(data), _CHUNK):
            part = data[at:at + _CHUNK]
            self.run("remote_put(%r)" % base64.b64encode(part).decode())
            if progress:
                progress(at + len(part))
        return self.run("remote_done()").strip()

    def read_file(self, path, size, progress=None):
        """The first `size` bytes of the file at `path`."""
        data = bytearray()
        while len(data) < size:
            want = min(24576, size - len(data))
            part = base64.b64decode(self.run("remote_get(%r,%d,%d)" % (path, len(data), want)))
            if not part:
                break
            data += part
            if progress:
                progress(len(data))
        return bytes(data)

    def read_text(self, path):
        """The small text file at `path`, "" when there is none."""
        size = dict(self.sizes([path])).get(path, 0)
        return self.read_file(path, size).decode("utf-8", "replace")

    def sizes(self, paths):
        """[(path, bytes)] of those of `paths` that exist."""
        code = ("for p in %r:\n try:\n  print(os.stat(p)[6], p)\n except OSError:\n  pass\n"
                % (list(paths),))
        return [(line.partition(" ")[2], int(line.partition(" ")[0]))
                for line in self.run(code).splitlines()]

    def remove(self, paths):
        """Remove files that may exist, and directories that become empty."""
        paths = list(paths)
        for at in range(0, len(paths), 40):
            self.run("remote_drop(%r)" % (paths[at:at + 40],))

    def move(self, pairs, copy, each=None):
        """Move files [(from, to)] over existing ones, by rename or by copy and remove."""
        self.run("remote_move(%r,%r)" % (list(pairs), copy), each_line=each)

    def value(self, expression):
        """The value of an expression on the board that JSON can carry."""
        return json.loads(self.run("import json;print(json.dumps(%s))" % expression))

    def facts(self):
        """What remote_facts() in flash_remote.py tells about the board, as a dict."""
        return json.loads(self.run("remote_facts()"))

    def restart(self):
        """Reset the chip; the connection is of no use afterwards except for read_output()."""
        with contextlib.suppress(TransportError, OSError, struct.error, TypeError):
            self._link.exec_raw_no_follow("import machine\nmachine.reset()\n")
            self._link.in_raw_repl = False

    def read_output(self, seconds):
        """Bytes that the board prints within `seconds`; opens the port again if it dropped out."""
        data = b""
        end = time.monotonic() + seconds
        while time.monotonic() < end and not data:
            try:
                if self._link is None:
                    self._connect()
                waiting = self._link.serial.inWaiting()
                if waiting:
                    data = self._link.serial.read(waiting)
                else:
                    time.sleep(0.02)
            except (TransportError, OSError, TypeError):
                self.close()
                time.sleep(0.1)
        return data

    def close(self):
        """Give the port back, with the friendly prompt on it if the board was taken over."""
        if self._link is not None:
            if self._link.in_raw_repl:
                with contextlib.suppress(TransportError, OSError, TypeError):
                    self._link.exit_raw_repl()
            with contextlib.suppress(Exception):
                self._link.serial.close()
            self._link = None

    @contextlib.contextmanager
    def _guarded(self, doing):
        try:
            yield
        except TransportExecError as error:
            last = (error.error_output.strip().splitlines() or ["?"])[-1].strip()
            if "ENOSPC" in last or "Errno 28" in last or last == "OSError: 28":
                raise NoRoom("The file system of the board is full.") from None
            if "KeyboardInterrupt" in last:
                raise BoardError("The work on the board was interrupted: repeat.") from None
            if "MemoryError" in last:
                raise BoardError("The board ran out of memory: press RESET and repeat.") from None
            raise BoardError("The board reports %s." % last.rstrip(".")) from None
        except (TransportError, OSError, struct.error, IndexError, TypeError, ValueError):
            # pyserial raises several of these when a device disappears under it.
            raise BoardError("The board on %s went away or stopped answering while %s: check the "
                             "cable and repeat." % (self.port, doing)) from None


def _open_sentence(port):
    """Why `port` cannot be opened; mpremote does not tell, so it is tried once more."""
    try:
        serial.Serial(port, exclusive=True).close()
        text = ""
    except (OSError, ValueError) as error:
        text = str(error).lower()
    if "no such file" in text or "filenotfound" in text:
        return "%s does not exist: check the cable and the name." % port
    if "permission denied" in text:
        return ("You may not open %s: add yourself to the group that owns it (often dialout), log "
                "in again and repeat." % port)
    if "exclusively lock" in text or "busy" in text:
        return "%s is in use: close the other program (a terminal, mpremote) and repeat." % port
    return "%s cannot be opened as a serial port: check the cable and the name." % port
