"""Power supply and reset circuit of the simulated board: starts its interpreter, carries bytes."""

import hashlib
import json
import os
import select
import signal
import subprocess
import sys
import time

from image import compile_stand_in, is_read_only, lock_image, make_image
from serial_line import SerialLine

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "board")

TYPED_AHEAD = 64 * 1024  # bytes that the board has not read yet; then the sender waits
POLL_SECONDS = 0.05  # how often to look whether a terminal came
BOOT_LOOP = 5  # that many starts in a row, each shorter than SHORT_LIFE and with nothing typed
SHORT_LIFE = 2.0  # seconds

PWRON, HARD, WDT, DEEPSLEEP, SOFT = 1, 2, 3, 4, 5  # machine.reset_cause()
SOFT_FRIENDLY, SOFT_RAW = 80, 81  # exit codes of launch.py
NO_RUNTIME = 83

# mpremote's mount sends binary data over standard output after this text was sent to the board.
_MOUNT = b"class RemoteCommand"


class BoardError(Exception):
    """One sentence for the user."""


class Board:
    """One board: its interpreter, its serial line and its watchdog."""

    def __init__(self, options, heap, claw_env):
        self.heap = heap
        self.line = None
        self.lock = None
        self.child = None
        self._first = compile_stand_in()
        self.settings = self._settings(options, claw_env)
        self.line = SerialLine(options.link)
        self._typed = bytearray()
        self._tail = b""
        self._control = b""
        self._controlled = False
        self._alarm = None  # when the watchdog bites
        self._watchdog = 0  # milliseconds, 0: never started
        self._next = None  # (cause, raw, delay) of the start that the board asked for
        self._short = 0
        self._heard = False
        self._started = 0.0

    def _settings(self, options, claw_env):
        world = json.loads(options.world)
        if not isinstance(world, dict):
            raise ValueError("not an object")
        image = os.path.abspath(options.image)
        os.makedirs(os.path.dirname(image), exist_ok=True)
        make_image(image, options.size)
        self.lock = lock_image(image)
        read_only = is_read_only(image)
        nvs = image + ".nvs"
        if not read_only and not os.path.exists(nvs):
            open(nvs, "wb").close()
        card = os.path.abspath(options.sd) if options.sd else ""
        return {
            "image": image,
            "fs": options.fs,
            "read_only": read_only,
            "nvs": nvs,
            "sd": card,
            "sd_read_only": bool(card) and is_read_only(card),
            "id": list(hashlib.sha256(os.fsencode(os.path.realpath(image))).digest()[:6]),
            "world": world,
            "claw_env": claw_env,
        }

    def start(self, cause, raw=False):
        """Start the interpreter."""
        uart, self._uart = os.pipe()
        self._output, output = os.pipe()
        self._ctl, ctl = os.pipe()
        settings, pipe = os.pipe()
        text = json.dumps(dict(self.settings, cause=cause, raw=raw, control=ctl)).encode()
        fds = (uart, ctl, settings, self.lock.fileno())
        command = [sys.executable, os.path.join(HERE, "launch.py"), str(uart), str(int(raw))]
        command += ["-X", "heapsize=%d" % self.heap, "-i"]
        command += [self._first, str(settings)]
        keep = ("PATH", "LANG", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")
        self.child = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            pass_fds=fds,
            env={name: os.environ[name] for name in keep if name in os.environ},
        )
        for fd in (uart, output, ctl, settings):
            os.close(fd)
        try:
            with os.fdopen(pipe, "wb") as file:
                file.write(text)
        except BrokenPipeError:
            pass  # the interpreter ended at once: the loop will say so
        os.set_blocking(self._uart, False)
        self._typed.clear()
        self._control = b""
        self._controlled = True
        self._watchdog, self._alarm, self._next = 0, None, None
        self._heard = False
        self.line.binary = False
        self._started = time.monotonic()

    def stop(self):
        """End the interpreter as a power cut does."""
        if self.child:
            self.child.kill()
            self.child.wait()
            for fd in (self._uart, self._output, self._ctl):
                os.close(fd)
            self.child = None

    def close(self):
        """End all and free the image."""
        self.stop()
        if self.line:
            self.line.close()
        if self.lock:
            self.lock.close()

    def power_cycle(self):
        """Cut the power, then switch it on."""
        self.stop()
        self._short = 0
        self.start(PWRON)

    def run(self, wake, until_eof=False):
        """Carry bytes; wake is a descriptor that signals write to. Returns at the end of stdin."""
        self.start(PWRON)
        while True:
            ready = self._carry([wake, 0] if until_eof else [wake])
            if wake in ready and self._power_cut(os.read(wake, 4096)):
                return
            if 0 in ready and not os.read(0, 4096):
                return
            if self._alarm and time.monotonic() > self._alarm:
                self._next = (WDT, False, 0)
            if self._next:
                self._again(*self._next)

    def _power_cut(self, signals):
        """Act on the numbers of the signals that came; True when one means the end."""
        if signal.SIGTERM in signals or signal.SIGINT in signals:
            return True
        if signal.SIGUSR1 in signals:
            self.power_cycle()
        return False

    def _carry(self, others):
        if self.line.look() and len(self._typed) < TYPED_AHEAD:
            self._type(self.line.receive())
        readers = others + ([self._ctl] if self._controlled else [])
        if not self.line.full():
            readers.append(self._output)
        if self.line.attached and len(self._typed) < TYPED_AHEAD:
            readers.append(self.line.master)
        writers = [self._uart] if self._typed else []
        if self.line.pending():
            writers.append(self.line.master)
        ready, writable, _ = select.select(readers, writers, [], POLL_SECONDS)
        if self.line.master in writable:
            self.line.send()
        if self._uart in writable:
            self._feed()
        if self._ctl in ready:
            self._obey(os.read(self._ctl, 4096))
        if self._output in ready:
            self._print()
        return ready

    def _type(self, data):
        if not data:
            return
        self._heard = True
        text = self._tail + data
        if _MOUNT in text:
            self.line.binary = True
        self._tail = text[-len(_MOUNT) :]
        self._typed += data
        self._feed()

    def _feed(self):
        try:
            del self._typed[: os.write(self._uart, self._typed)]
        except BlockingIOError:
            pass
        except BrokenPipeError:
            self._typed.clear()

    def _print(self):
        data = os.read(self._output, 65536)
        if data:
            self.line.put(data)
            if self.line.attached:
                self.line.send()
        elif not self._next:
            self._ended(self.child.wait())

    def _obey(self, data):
        """Follow what the board says over its control pipe."""
        if not data:
            self._controlled = False
        *lines, self._control = (self._control + data).split(b"\n")
        for words in (line.decode().split() for line in lines):
            if words[0] == "wdt":
                self._watchdog = int(words[1])
            if words[0] in ("wdt", "feed") and self._watchdog:
                self._alarm = time.monotonic() + self._watchdog / 1000
            elif words[0] == "hard":
                self._next = (HARD, False, 0)
            elif words[0] == "soft":
                self._next = (SOFT, False, 0)
            elif words[0] == "deepsleep":
                self._next = (DEEPSLEEP, False, int(words[1]) / 1000 or None)

    def _ended(self, code):
        if code in (SOFT_FRIENDLY, SOFT_RAW):
            self._next = (SOFT, code == SOFT_RAW, 0)
        elif code == NO_RUNTIME:
            raise BoardError("The MicroPython runtime cannot be used: run `make venv`.")
        else:
            how = "by signal %d" % -code if code < 0 else "with code %d" % code
            self.line.put(b"\r\nThe interpreter ended %s; restarting.\r\n" % how.encode())
            self._next = (HARD, False, 0)

    def _again(self, cause, raw, delay):
        while True:  # what was printed before the end is printed before the restart
            ready, _, _ = select.select([self._output], [], [], 0)
            data = os.read(self._output, 65536) if ready else b""
            if not data:
                break
            self.line.put(data)
        lived = time.monotonic() - self._started
        self._short = 0 if self._heard or lived > SHORT_LIFE else self._short + 1
        self.stop()
        if self._short >= BOOT_LOOP:
            raise BoardError(
                "The board restarted %d times in a row, each time within %d seconds and with "
                "nothing typed: its boot.py or main.py restarts it, or the interpreter ends."
                % (BOOT_LOOP, SHORT_LIFE)
            )
        if cause == SOFT:
            self.line.put(b"MPY: soft reboot\r\n")
        if delay is None:
            raise BoardError("The board sleeps for ever (machine.deepsleep() without a time).")
        time.sleep(delay)
        self.start(cause, raw)
