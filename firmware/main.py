"""Starts the chat, or explains in one line why it cannot and leaves to the MicroPython prompt."""

import asyncio
import gc
import os
import sys


class CannotStart(Exception):
    """One sentence for the user: what is wrong and what to do."""


def notice(sentence):
    """Show a sentence before the console of the chat runs."""
    print("! " + sentence)


def settings():
    """The Config of this board."""
    from claw_core.config import Config

    host = sys.modules.get("claw_env")  # what a simulated board got from its host
    config = Config("/config.json", host and host.SETTINGS, notice)
    config.checks["gpio.pins"] = check_pins
    return config


def mount_card(config):
    """Mount the SD card at /sd with the pins of the settings; CannotStart when there is none."""
    import machine
    import vfs

    pins = {}
    for name in ("sck", "miso", "mosi", "cs"):
        if config.get("sd." + name) >= 0:
            pins[name] = machine.Pin(config.get("sd." + name))
    try:
        vfs.mount(machine.SDCard(slot=config.get("sd.slot"), **pins), "/sd")
    except (OSError, ValueError) as e:
        raise CannotStart(
            "No SD card can be used at /sd (%s): insert one, or correct sd.* and memory.root in "
            "/config.json, then press Ctrl-D." % e
        )


def open_memory(config):
    """The Memory where the settings have it; CannotStart when that place cannot be used."""
    from claw_memory import platform
    from claw_memory.errors import ClawError
    from claw_memory.memory import Memory

    root = config.get("memory.root")
    if root.split("/")[1:2] == ["sd"] and not platform.isdir("/sd"):
        mount_card(config)
    if not platform.isdir(root):
        raise CannotStart(
            "The folder %s of memory.root does not exist: make it, or correct memory.root in "
            "/config.json, then press Ctrl-D." % root
        )
    try:
        memory = Memory(
            root,
            mode=config.get("memory.mode"),
            max_message_chars=config.get("memory.max_message_chars"),
            defaults="/defaults",
            notice=notice,
        )
    except ClawError as e:
        raise CannotStart("The memory in %s cannot be opened: %s" % (root, e))
    if platform.fs_kind(root) == "ffat":
        notice(
            "The memory lies on FAT in the board's flash, where a power cut can destroy it: flash "
            "the stock firmware with LittleFS2, or set memory.root to an SD card."
        )
    return memory


async def talk(config, memory):
    """Run the chat until the user leaves; every task is ended then."""
    import claw_caps
    from claw_core import provider, stdio
    from claw_core.agent import Agent
    from claw_core.capability import Capabilities
    from claw_core.console import Console

    gc.collect()
    caps = Capabilities()
    claw_caps.register_all(caps, memory, config)
    offline = provider.Offline(memory)
    channels = []
    agent = Agent(memory, caps, provider.make(config, offline), offline, channels, config)
    console = Console(agent, stdio.reader(), stdio.write, offer(config))
    channels.append(console)
    jobs = [agent.run(), console.run(), network(config, console)]
    if config.get("watchdog.seconds"):
        from claw_core import watchdog

        jobs.append(watchdog.run(config.get("watchdog.seconds"), print))
    await until_first(jobs)


def offer(config):
    """The question of a first boot, "" once it was answered or settings were made without it."""
    at = config.get("setup.next")
    if at == "ask" and not config.values:
        return "This board is not set up: shall it ask for Wi-Fi and model? Type yes or no."
    if at not in ("ask", "done"):
        return "The set-up stopped at its step %s: shall it go on? Type yes or no." % at
    return ""


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
        config = settings()
        memory = open_memory(config)
        kbd_intr(-1)  # the console handles Ctrl-C itself
        asyncio.run(talk(config, memory))
        print("Type main() to chat again, or press Ctrl-D to restart.")
    except KeyboardInterrupt:
        print("Type main() to chat, or press Ctrl-D to restart.")
    except CannotStart as e:
        notice(str(e))
    except MemoryError:
        notice("There is not enough memory to start the chat: restart with Ctrl-D.")
    except Exception as e:
        notice("The chat cannot go on: %s %s." % (type(e).__name__, e))
    finally:
        kbd_intr(3)
        asyncio.new_event_loop()
        if memory is not None:
            close(memory)
        gc.collect()


def close(memory):
    """Write what waits in RAM; a failure is one line."""
    try:
        memory.close()
    except Exception as e:
        notice("The memory was not closed: %s" % e)


if __name__ == "__main__":
    main()
