"""The simulated board: a MicroPython interpreter behind a pseudo terminal, with a flash image.

    python tools/sim_board.py --link PATH --image FILE [--fs lfs2|fat|ffat] [--heap SIZE]

PATH becomes a link to the board's serial port; FILE holds its flash and is made when missing.
boot.py and main.py run as on the chip, then the REPL; mpremote and any terminal program work on
PATH. This program is to the board what power supply and reset circuit are: it starts the
interpreter (tools/board/), starts it anew after a soft reset, machine.reset(), deep sleep or a
watchdog, and carries bytes. SIGUSR1 is a power cut followed by power-on; SIGTERM and SIGINT are
the end.

CLAW_BASE_URL, CLAW_MODEL and CLAW_API_KEY of the environment reach the board as the module
`claw_env`, through a pipe: they are in no file, no argument and no environment of the interpreter.
"""

import argparse
import hashlib
import json
import os
import re
import select
import signal
import subprocess
import sys
import time

from image import FILE_SYSTEMS, ImageError, is_read_only, lock_image, make_image
from serial_line import LineError, SerialLine

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "board")

# What tools/board/ takes of the interpreter's heap; on a chip that code is in the flash. Added to
# --heap, so that boot.py finds SIZE free bytes. A test compares it with gc.mem_free().
PRELUDE_HEAP = 33 * 1024
LEAST_HEAP = 32 * 1024
TYPED_AHEAD = 64 * 1024  # bytes that the board has not read yet; then the sender waits
POLL_SECONDS = 0.05  # how often to look whether a terminal came
BOOT_LOOP = 5  # that many starts in a row, each shorter than SHORT_LIFE and with nothing typed
SHORT_LIFE = 2.0  # seconds

PWRON, HARD, WDT, DEEPSLEEP, SOFT = 1, 2, 3, 4, 5  # machine.reset_cause()
SOFT_FRIENDLY, SOFT_RAW = 80, 81  # exit codes of launch.py
NO_RUNTIME = 83

_HEAP = re.compile(r"^(\d+)(w?)([KkMm]?)$")
# mpremote's mount sends binary data over standard output after this text was sent to the board.
_MOUNT = b"class RemoteCommand"


class BoardError(Exception):
    """One sentence for the user."""


def heap_bytes(size):
    """Bytes for the interpreter's heap so that boot.py finds SIZE ('256K', '1M', '200wK')."""
    found = _HEAP.match(size)
    if not found:
        raise BoardError("The heap size %r is not a number with K or M, such as 256K." % size)
    number, words, unit = found.groups()
    count = int(number) * {"": 1, "k": 1024, "m": 1024 * 1024}[unit.lower()]
    if words:
        count *= 2  # sizes of a 32-bit chip; the unix program is a 64-bit one
    if count < LEAST_HEAP:
        raise BoardError("A heap of %s is too small: 32K is the least that starts." % size)
    # Of every 32 bytes of heap the collector takes 3 bits for its tables.
    return (count + PRELUDE_HEAP) * 256 // 253


def claw_settings(environ):
    """Settings for the board out of the CLAW_ variables of the host, {} without any."""
    settings = {}
    for variable, key in (
        ("CLAW_BASE_URL", "model.base_url"),
        ("CLAW_MODEL", "model.name"),
        ("CLAW_API_KEY", "model.key"),
    ):
        if environ.get(variable):
            settings[key] = environ[variable]
    if "model.base_url" in settings:
        settings["model.provider"] = "openai"
    return settings


class Board:
    """One board: its interpreter, its serial line and its watchdog."""

    def __init__(self, options, environ):
        self.heap = heap_bytes(options.heap)
        self.line = None
        self.lock = None
        self.child = None
        self.settings = self._settings(options, environ)
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

    def _settings(self, options, environ):
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
            "claw_env": claw_settings(environ),
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
        command += [os.path.join(HERE, "prelude.py"), str(settings)]
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


def parse(argv):
    """Options of the command line."""
    parser = argparse.ArgumentParser(description="Run the simulated board.")
    parser.add_argument("--link", required=True, help="name for the board's serial port")
    parser.add_argument("--image", required=True, help="file that holds the flash")
    parser.add_argument("--fs", choices=FILE_SYSTEMS, default="lfs2", help="default lfs2")
    parser.add_argument("--heap", default="2M", help="heap that boot.py finds, default 2M")
    parser.add_argument("--size", type=int, default=4 << 20, help="bytes of a new image")
    parser.add_argument("--sd", default="", help="image of a FAT card for machine.SDCard")
    parser.add_argument("--world", default="{}", help="JSON for tools/board/board_sim.py")
    parser.add_argument(
        "--until-eof", action="store_true", help="end when standard input ends (for programs)"
    )
    return parser.parse_args(argv)


def main(argv):
    """Run the board until a signal or, if asked, the end of standard input; exit code 0 then."""
    options = parse(argv)
    wake, wake_write = os.pipe()
    os.set_blocking(wake_write, False)
    signal.set_wakeup_fd(wake_write)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGUSR1):
        signal.signal(number, lambda *_: None)
    board = None
    try:
        board = Board(options, os.environ)
        print("The board is on %s; Ctrl-C here ends it." % options.link, flush=True)
        board.run(wake, options.until_eof)
    except (BoardError, ImageError, LineError) as err:
        print(err, file=sys.stderr)
        return 1
    except ValueError as err:
        print("--world is not JSON of the expected form: %s." % err, file=sys.stderr)
        return 1
    except OSError as err:
        print("The board cannot run: %s." % err, file=sys.stderr)
        return 1
    finally:
        if board:
            board.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
