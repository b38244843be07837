"""The clock of the board: set from the network once it is online."""

import asyncio

from claw_core import background
from claw_memory import limits, platform


async def sync(config, say, pauses=()):
    """Set the clock by NTP, with a few attempts; says so when it stays unset.

    pauses: seconds after each attempt that fails, limits.NTP_PAUSES when there are none.
    """
    try:
        import ntptime
    except ImportError:
        return
    ntptime.host = config.get("time.server")
    for pause in pauses or limits.NTP_PAUSES:
        try:
            await background.call(ntptime.settime, limits.NTP_SECONDS, limits.SMALL_STACK)
            return
        except (OSError, OverflowError, IndexError, MemoryError, asyncio.TimeoutError):
            await asyncio.sleep(pause)
    if not platform.unix_time():
        say("[the clock is not set: no answer from %s]" % ntptime.host)
