"""The simulated board: a MicroPython interpreter behind a pseudo terminal, with a flash image.

    python tools/sim_board.py --link PATH --image FILE [--fs lfs2|fat|ffat] [--heap SIZE]

PATH becomes a link to the board's serial port; FILE holds its flash and is made when missing.
boot.py and main.py run as on the chip, then the REPL; mpremote and any terminal program work on
PATH. The interpreter (tools/board/) is started by tools/supervisor.py, and anew after a soft
reset, machine.reset(), deep sleep or a watchdog. SIGUSR1 is a power cut followed by power-on;
SIGTERM and SIGINT are the end.

CLAW_BASE_URL, CLAW_MODEL, CLAW_API_KEY and CLAW_SETUP of the environment reach the board as the
module `claw_env`, through a pipe: they are in no file, no argument and no environment of the
interpreter.
"""

import argparse
import os
import re
import signal
import sys

from image import FILE_SYSTEMS, ImageError
from serial_line import LineError
from supervisor import Board, BoardError

# What tools/board/ takes of the interpreter's heap, six tables of names included (rom.py); on a
# chip that code is in the flash. Added to --heap, so that boot.py finds SIZE free bytes. A test
# compares it with gc.mem_free().
PRELUDE_HEAP = 49 * 1024 + 256
LEAST_HEAP = 32 * 1024

_HEAP = re.compile(r"^(\d+)(w?)([KkMm]?)$")


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
        ("CLAW_SETUP", "setup.next"),
    ):
        if environ.get(variable):
            settings[key] = environ[variable]
    if "model.base_url" in settings:
        settings["model.provider"] = "openai"
    return settings


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
        board = Board(options, heap_bytes(options.heap), claw_settings(os.environ))
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
