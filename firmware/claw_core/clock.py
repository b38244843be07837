"""The clock of the board: set from the network once it is online."""

import asyncio

from claw_memory import limits, platform


async def sync(config, say):
    """Set the clock by NTP, with a few attempts; says so when it stays unset."""
    try:
        import ntptime
    except ImportError:
        return
    ntptime.host = config.get("time.server")
    for pause in limits.NTP_PAUSES:
        try:
            ntptime.settime()
            return
        except (OSError, OverflowError, IndexError):
            await asyncio.sleep(pause)
    if not platform.unix_time():
        say("[the clock is not set: no answer from %s]" % ntptime.host)
