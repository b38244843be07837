"""Starts the chat, or explains in one line why it cannot and leaves to the MicroPython prompt."""

import asyncio
import gc
import os
import sys


def notice(sentence):
    """Show a sentence before the console of the chat runs."""
    print("! " + sentence)


async def talk(config, memory, question):
    """Run the chat until the user leaves; every task is ended then."""
    import claw_caps
    from claw_core import provider, stdio
    from claw_core.agent import Agent
    from claw_core.capability import Capabilities
    from claw_core.console import Console

    gc.collect()
    caps = Capabilities()
    claw_caps.register_all(caps, memory, config)
    offline = provider.Offline()
    channels = []
    agent = Agent(memory, caps, provider.make(config, offline), offline, channels, config)
    console = Console(agent, stdio.reader(), stdio.write, question)
    channels.append(console)
    jobs = [agent.run(), console.run(), network(config, console)]
    if config.get("watchdog.seconds"):
        from claw_core import watchdog

        jobs.append(watchdog.run(config.get("watchdog.seconds"), print))
    await until_first(jobs)


def check_pins(text):
    """Raise InvalidArg when one of the pins in text must never be used."""
    from claw_caps import gpio

    gpio.check(text)


async def network(config, console):
    """Stay online as soon as the settings name a network; set the clock when that begins."""
    while not config.get("wifi.ssid"):
        await asyncio.sleep(1)
    while True:
        try:
            from claw_core import clock, wifi

            break
        except MemoryError:
            gc.collect()  # something larger, such as the wizard, goes when it is done
            await asyncio.sleep(1)

    def say(sentence):
        console.emit("info", sentence)

    async def online():
        await clock.sync(config, say)

    await wifi.run(config, say, online)


async def until_first(jobs):
    """Run all jobs until one of them ends, then end the others; raises what that one raised."""
    over = asyncio.Event()
    errors = []

    async def watched(job):
        try:
            await job
        except Exception as e:
            errors.append(e)
        finally:
            over.set()

    tasks = [asyncio.create_task(watched(job)) for job in jobs]
    await over.wait()
    for task in tasks:
        task.cancel()
    await asyncio.sleep(0)
    if errors:
        raise errors[0]


def main():
    """Chat until the user leaves."""
    if "update.part" in os.listdir("/"):
        notice("The last update did not finish: run tools/flash.py again to finish it.")
        return
    from micropython import kbd_intr

    memory = None
    try:
        from claw_core import start

        config = start.settings(notice)
        config.checks["gpio.pins"] = check_pins
        memory = start.open_memory(config, notice)
        if memory is None:
            return
        question = start.offer(config)
        start = None
        give_back(memory)
        kbd_intr(-1)  # the console handles Ctrl-C itself
        asyncio.run(talk(config, memory, question))
        print("Type main() to chat again, or press Ctrl-D to restart.")
    except KeyboardInterrupt:
        print("Type main() to chat, or press Ctrl-D to restart.")
    except MemoryError:
        notice("There is not enough memory for the chat: restart with Ctrl-D.")
    except Exception as e:
        notice("The chat cannot go on: %s %s." % (type(e).__name__, e))
    finally:
        kbd_intr(-1)  # what waits in RAM is written whatever is typed
        asyncio.new_event_loop()
        if memory is not None:
            close(memory)
        gc.collect()
        kbd_intr(3)


def give_back(memory):
    """Let go of the code that only a start needs."""
    from claw_memory import platform

    platform.unload("claw_core", "start config_load config_edit secrets")
    memory.rest()
    gc.collect()


def close(memory):
    """Write what waits in RAM, which takes the place of the chat; a failure is one line."""
    from claw_memory import platform

    if platform.is_micropython():
        for name in [name for name in sys.modules if name.startswith("claw_core")]:
            sys.modules[name] = None  # or its place in the dictionary would hold it
            del sys.modules[name]
        gc.collect()
    try:
        memory.close()
    except Exception as e:
        notice("The memory was not closed: %s" % e)


if __name__ == "__main__":
    main()
