"""Standard input and output of the board, without ever blocking the loop."""

import asyncio
import select
import sys

from micropython import const

from claw_memory import limits

_CTRL_C = const(3)


def reader():
    """A coroutine function that waits for typed bytes and returns them, b"" at the end of input.

    A board's read(n) blocks until n bytes are there, so one is read at a time; but going through
    the loop for each of them would be too slow for a paste at the speed of the line. Nothing is
    taken beyond a Ctrl-C: what follows it may be meant for the MicroPython prompt.
    """
    stream = sys.stdin.buffer
    waiting = asyncio.StreamReader(stream)
    poll = select.poll()
    poll.register(stream, select.POLLIN)

    async def read():
        data = bytearray(await waiting.read(1))
        while data and data[-1] != _CTRL_C and len(data) < limits.KEYS and poll.poll(0):
            byte = stream.read(1)
            if not byte:
                break
            data.extend(byte)
        return data

    return read


def write(text):
    """Show text; what cannot be shown, because nobody is there, is lost."""
    try:
        sys.stdout.write(text)
    except OSError:
        pass
