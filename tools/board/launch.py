"""Run the MicroPython unix program in this CPython process, with a serial line that interrupts.

Started by tools/sim_board.py only: `launch.py UART_FD RAW ARG...`. Bytes that arrive on UART_FD go
to the interpreter's standard input through a pipe, except Ctrl-C while keyboard interrupts are on:
that byte becomes a KeyboardInterrupt, as the interrupt routine of a board's serial port does. (A
terminal in between would drop type-ahead at every prompt, and a second SIGINT ends the program.)
The exit code tells the supervisor how the interpreter ended; see SOFT_FRIENDLY and SOFT_RAW.
"""

import ctypes
import os
import signal
import sys
import threading
import time

SOFT_FRIENDLY = 80  # the interpreter ended by itself (Ctrl-D, soft reset), prompt was >>>
SOFT_RAW = 81  # the same from the raw REPL: main.py is not run after the restart
NO_LINE = 82  # the supervisor is gone
NO_RUNTIME = 83  # the micropython package is missing or differs from the pinned one


class _SigAction(ctypes.Structure):
    """struct sigaction: the handler is its first member on Linux and on macOS."""

    _fields_ = [("handler", ctypes.c_void_p), ("rest", ctypes.c_ubyte * 256)]


def _wake_signal(libc):
    # A handler that does nothing (abs), installed so that blocking calls return with EINTR.
    libc.signal.restype = ctypes.c_void_p
    libc.signal.argtypes = [ctypes.c_int, ctypes.c_void_p]
    libc.signal(signal.SIGUSR1, ctypes.cast(libc.abs, ctypes.c_void_p).value)
    libc.siginterrupt(signal.SIGUSR1, 1)


def _handler(libc):
    action = _SigAction()
    libc.sigaction(signal.SIGINT, None, ctypes.byref(action))
    return action.handler


def _interrupts_on(libc):
    """True while the interpreter has its own SIGINT handler: kbd_intr(3), or a program runs."""
    return _handler(libc) not in (None, 1)  # SIG_DFL, SIG_IGN


def _wait_for_the_rom(libc):
    # The first thing that rom.py does is kbd_intr(-1), seen here as SIG_DFL. A Ctrl-C before that
    # would end it, and leave a prompt whose / is that of the host.
    while _handler(libc) is not None:
        time.sleep(0.001)


def _interrupt(runtime):
    runtime.mp_sched_keyboard_interrupt()
    # The second signal serves the case that the first came just before a call blocked.
    for pause in (0.002, 0):
        signal.pthread_kill(threading.main_thread().ident, signal.SIGUSR1)
        time.sleep(pause)


def _serial_line(uart, stdin, runtime, libc):
    _wait_for_the_rom(libc)
    while True:
        data = os.read(uart, 4096)
        if not data:
            os._exit(NO_LINE)
        start = 0
        for at, byte in enumerate(data):
            if byte == 3 and _interrupts_on(libc):
                _write(stdin, data[start:at])
                _interrupt(runtime)
                start = at + 1
        _write(stdin, data[start:])


def _write(fd, data):
    while data:
        data = data[os.write(fd, data) :]


def main(argv):
    """Run the interpreter with the options after the first two; return the exit code."""
    uart, raw = int(argv[1]), argv[2] == "1"
    try:
        import micropython_run

        runtime = ctypes.CDLL(micropython_run.__file__)
        mode = ctypes.c_int.in_dll(runtime, "pyexec_mode_kind")
        run = runtime.micropython_unix_main
        runtime.mp_sched_keyboard_interrupt.argtypes = []
    except (ImportError, OSError, ValueError, AttributeError) as err:
        sys.stderr.write("The MicroPython runtime cannot be used (%s); run `make venv`.\n" % err)
        return NO_RUNTIME
    libc = ctypes.CDLL(None)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _wake_signal(libc)
    read_end, write_end = os.pipe()
    os.dup2(read_end, 0)
    os.close(read_end)
    mode.value = 1 if raw else 0
    line = (uart, write_end, runtime, libc)
    threading.Thread(target=_serial_line, args=line, daemon=True).start()
    args = [os.fsencode(a) for a in ["micropython"] + argv[3:]]
    run(len(args), (ctypes.c_char_p * (len(args) + 1))(*args))
    return SOFT_RAW if mode.value else SOFT_FRIENDLY


if __name__ == "__main__":
    # _exit: the interpreter's own clean-up has run; CPython's would wait for the line's thread.
    os._exit(main(sys.argv))
