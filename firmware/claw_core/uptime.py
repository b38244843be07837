"""How long the board has been running, across the wrap of its millisecond counter."""

from claw_memory import platform

_last = platform.ticks_ms()
_total = 0  # milliseconds


def seconds():
    """Seconds since this module was imported at start.

    The counter of a board wraps after 12 days and differences are right up to 6 of them, so the
    idle loop calls this now and then.
    """
    global _last, _total
    now = platform.ticks_ms()
    _total += platform.ticks_diff(now, _last)
    _last = now
    return _total // 1000
