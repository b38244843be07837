"""Standard input and output of the board, without ever blocking the loop."""

import asyncio
import select
import sys

from micropython import const

from claw_memory import limits, platform

_CTRL_C = const(3)
_TOGETHER_MS = const(5)  # an Enter and a Ctrl-C of a program lie less apart
_PROGRAM_MS = const(150)  # a program goes on typing within this time


def reader():
    """A coroutine function that waits for typed bytes and returns them, b"" at the end of input.

    A board's read(n) blocks until n bytes are there, so one is read at a time; but going through
    the loop for each of them would be too slow for a paste at the speed of the line. Nothing is
    taken beyond a Ctrl-C: what follows it may be meant for the MicroPython prompt. mpremote
    sends Enter with its Ctrl-C and goes on at once: that is the end of input, even if a reply was
    on its way.
    """
    stream = sys.stdin.buffer
    waiting = asyncio.StreamReader(stream)
    poll = select.poll()
    poll.register(stream, select.POLLIN)

    entered = [0, False]  # when an Enter ended what was read, else 0; whether Ctrl-C came with it

    async def read():
        if entered[1]:
            await asyncio.sleep_ms(_PROGRAM_MS)
            if poll.poll(0):
                return b""
        data = bytearray(await waiting.read(1))
        while data and data[-1] != _CTRL_C and len(data) < limits.KEYS and poll.poll(0):
            byte = stream.read(1)
            if not byte:
                break
            data.extend(byte)
        now = platform.ticks_ms()
        together = data[-2:] == b"\r\x03"
        if len(data) == 1 and entered[0]:
            together = platform.ticks_diff(now, entered[0]) < _TOGETHER_MS
        entered[1] = together and data[-1] == _CTRL_C
        entered[0] = now if data[-1:] == b"\r" else 0
        return data

    return read


def write(text):
    """Show text; what cannot be shown, because nobody is there, is lost."""
    try:
        sys.stdout.write(text)
    except OSError:
        pass
