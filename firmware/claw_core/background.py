"""What blocks, beside the loop: in a thread where threads have a GIL, else at once."""

import _thread
import asyncio
import gc
import socket

from claw_memory import limits, platform

_lock = _thread.allocate_lock()
_running = 0  # threads that have not ended, those that nobody waits for any more included


async def call(fn, seconds, stack):
    """Return what fn() returns, or raise what it raises.

    asyncio.TimeoutError after seconds; the thread then ends by itself and its result is dropped.
    stack: bytes. MemoryError when no thread can be started. Without a GIL the loop waits.
    """
    global _running
    if not platform.gil_threads():
        return fn()
    if _running >= limits.THREADS:
        raise asyncio.TimeoutError
    flag = asyncio.ThreadSafeFlag()
    slot = []

    def work():
        # Runs in the thread; touches the slot, under the lock, and the flag.
        global _running
        try:
            result = (fn(), None)
        except Exception as e:
            result = (None, e)
        with _lock:
            slot.append(result)
            _running -= 1
        flag.set()

    gc.collect()
    old = _thread.stack_size(stack)
    with _lock:
        _running += 1
    try:
        _thread.start_new_thread(work, ())
    except Exception:
        with _lock:
            _running -= 1
        raise MemoryError
    finally:
        _thread.stack_size(old)
    # not wait_for: CPython 3.11 loses a cancel that comes together with the result
    timer = asyncio.create_task(_later(flag, seconds))
    try:
        await flag.wait()
    finally:
        timer.cancel()
    with _lock:
        if not slot:
            raise asyncio.TimeoutError
        value, error = slot.pop()
    if error is not None:
        raise error
    return value


async def _later(flag, seconds):
    await asyncio.sleep(seconds)
    flag.set()


async def address(host, port):
    """An address of host as text, IPv4 if it has one; OSError when the name is not found."""

    def look_up():
        found = socket.getaddrinfo(host, port, 0, socket.SOCK_STREAM)
        for entry in found:
            if entry[0] == socket.AF_INET:
                return entry[4][0]
        return found[0][4][0]

    return await call(look_up, limits.DNS_SECONDS, limits.SMALL_STACK)
