"""The hardware watchdog, fed by the loop: restarts the board when the loop stands still."""

import asyncio

from claw_memory import limits


async def run(seconds, say):
    """Feed it as long as the loop runs, for ever; say(sentence) tells when that ends.

    seconds: without a turn of the loop until the restart, at least limits.WATCHDOG_LEAST: a TLS
    handshake and a compaction hold the loop up as well. Once started it cannot be stopped.
    """
    import machine

    seconds = max(seconds, limits.WATCHDOG_LEAST)
    dog = machine.WDT(timeout=seconds * 1000)
    try:
        while True:
            dog.feed()
            await asyncio.sleep(1)
    finally:
        dog.feed()
        say(
            "[The watchdog restarts the board in %d s. To work at this prompt, start the chat "
            "again, /config set watchdog.seconds 0 and /reset.]" % seconds
        )
