"""What the board's ROM and boot loader do: put the board together, run boot.py and main.py.

tools/sim_board.py runs it through prelude.py with one argument: the number of a pipe that holds
the settings as JSON.
"""

import io
import sys

import micropython

_FILL = micropython.const(1030)  # names, beside the 220 that there are


def start(space):
    """Boot; space is the globals of the REPL. Returns when the REPL may begin."""
    micropython.kbd_intr(-1)  # Ctrl-C has nobody to go to before boot.py runs
    raw = _assemble()
    for name in ("rom", "__file__"):
        space.pop(name, None)
    sys.modules.pop("rom", None)
    if _run("boot.py", space) and not raw:
        _run("main.py", space)


def _assemble():
    import gc
    import json
    import os

    pipe = open(int(sys.argv[1]), "rb")
    settings = json.loads(pipe.read())
    pipe.close()

    import board_sim

    board_sim.power_on(settings)

    # All are loaded now: once / is the board's own, the host's files are out of reach.
    import disk
    import esp32
    import machine
    import neopixel
    import network
    import ntptime
    import requests
    import vfs

    machine.power_on(settings)
    network.power_on(settings)
    esp32.power_on(settings)
    neopixel, ntptime  # noqa: B018 - loaded for the firmware
    sys.modules["urequests"] = requests
    if settings["claw_env"]:
        sys.modules["claw_env"] = _ClawEnv(settings["claw_env"])

    vfs.umount("/")
    fs = settings["fs"]
    try:
        vfs.mount(disk.filesystem(esp32.flash, fs), "/")
        os.chdir("/")
    except OSError as err:
        print(
            "The flash image holds no file system that this board can read (%s, --fs %s): start "
            "with an empty one (make chat-reset)." % (err, fs)
        )
    sys.path[:] = ["", ".frozen", "/lib"]
    sys.argv[:] = []
    _name_table()
    board_sim.tell("up")
    gc.collect()
    return settings["raw"]


def _name_table():
    # MicroPython's tables of names double: the first six hold 1,260 in 13.9 KB, the seventh 1,280
    # more in 14.1 KB. On a chip the names of all that was loaded here lie in ROM, so that a
    # program has the first six for itself. Here these are filled, and it has the seventh.
    for number in range(_FILL):
        hasattr(micropython, "=%d" % number)


class _ClawEnv:
    def __init__(self, settings):
        self.SETTINGS = settings


def _run(name, space):
    """Run /name as the chip does; False after an exception, whose traceback is printed."""
    import machine
    import os

    try:
        os.stat("/" + name)
    except OSError:
        return True
    try:
        micropython.kbd_intr(3)
        execfile(name, space)  # noqa: F821 - a built-in of MicroPython
        return True
    except SystemExit:
        machine.restart("soft")
    except BaseException as err:
        text = io.StringIO()
        sys.print_exception(err, text)
        for line in text.getvalue().split("\n"):
            if line and 'File "rom"' not in line:
                print(line)
        return False
    finally:
        # From here Ctrl-C is a key for the prompt, which turns interrupts on for what it runs.
        micropython.kbd_intr(-1)
