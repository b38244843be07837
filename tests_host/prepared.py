"""Programs in Python that tests run many times: each run is a fork of a process with its imports.

That process is there from the first run on. It has imported the programs, but never runs one.
"""

import importlib
import multiprocessing
import multiprocessing.connection
import os
import pathlib
import subprocess
import sys

MPREMOTE = "mpremote.main"
BOOT_LOADER = "esp32_mock_bootloader.cli"

_REPO = str(pathlib.Path(__file__).resolve().parents[1])
_context = multiprocessing.get_context("forkserver")
_context.set_forkserver_preload([MPREMOTE, BOOT_LOADER])


def start(program, arguments, output):
    """Run main() of this module with these arguments; gives the multiprocessing.Process.

    output: descriptor that gets the standard output and errors; it stays open here.
    """
    # Nothing of the firmware and of what stands in for the board.
    path = [place for place in sys.path if "site-packages" in place or _REPO not in place]
    given = multiprocessing.connection.Connection(os.dup(output), readable=False)
    process = _context.Process(
        target=_run,
        args=(program, list(arguments), dict(os.environ), os.getcwd(), path, given),
        daemon=True,
    )
    process.start()
    given.close()
    return process


def run(program, arguments, output, timeout):
    """The same to its end; gives the exit code. Raises TimeoutExpired after timeout seconds."""
    process = start(program, arguments, output)
    process.join(timeout)
    if process.exitcode is None:
        process.kill()
        process.join()
        raise subprocess.TimeoutExpired([program, *arguments], timeout)
    return process.exitcode


def _run(program, arguments, environment, folder, path, output):
    null = os.open(os.devnull, os.O_RDONLY)
    for fd, place in ((null, 0), (output.fileno(), 1), (output.fileno(), 2)):
        os.dup2(fd, place)
    os.close(null)
    output.close()
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    sys.path[:] = path
    sys.argv = [program.split(".")[0], *arguments]
    sys.exit(importlib.import_module(program).main())
