"""What happens once, before the chat: the settings, the memory, what a first boot asks for.

main.py lets go of this module when the chat begins.
"""

import sys

from claw_core import local
from claw_core.config import Config
from claw_memory import platform
from claw_memory.errors import ClawError, Corrupt
from claw_memory.memory import Memory
from claw_memory.session_names import chat_key


def settings(notice):
    """The Config of this board."""
    host = sys.modules.get("claw_env")  # what a simulated board got from its host
    return Config("/config.json", host and host.SETTINGS, notice)


def open_memory(config, notice):
    """The Memory where the settings have it; None, after a notice, when it cannot be used."""
    root = config.get("memory.root")
    if root.split("/")[1:2] == ["sd"] and not platform.isdir("/sd"):
        try:
            _mount_card(config)
        except (OSError, ValueError) as e:
            return notice(
                "No SD card can be used at /sd (%s): insert one, or correct sd.* and memory.root "
                "in /config.json, then press Ctrl-D." % e
            )
    if not platform.isdir(root):
        return notice(
            "The folder %s of memory.root does not exist: make it, or correct memory.root in "
            "/config.json, then press Ctrl-D." % root
        )
    where = root.rstrip("/")
    for name in ("/memory", "/sessions", "/sessions/chat_map"):
        if platform.exists(where + name) and not platform.isdir(where + name):
            return notice(
                "The memory in %s cannot be opened: %s is a file, but has to be a folder: give it "
                "another name." % (root, where + name)
            )
    records = where + "/memory/memory_records.jsonl"
    if platform.isdir(records):
        from claw_memory import refused

        refused.aside(records, notice)
        if platform.isdir(records):
            return notice("%s is a folder, but has to be a file: give it another name." % records)
    try:
        memory = Memory(
            root,
            mode=config.get("memory.mode"),
            max_message_chars=config.get("memory.max_message_chars"),
            defaults="/defaults",
            notice=notice,
            east=local.east(config),
        )
        # a compaction may come before a message
        memory.owner = "serial," + config.get("memory.owner")
    except ClawError as e:
        return notice("The memory in %s cannot be opened: %s" % (root, e))
    try:
        memory.names.chat(chat_key("serial", "0"))
    except Corrupt as e:
        notice("%s Until then this chat goes on in another conversation." % e)
    except ClawError:
        pass  # the first message meets it again
    if platform.fs_kind(root) == "ffat":
        notice(
            "The memory lies on FAT in the board's flash, where a power cut can destroy it: flash "
            "the stock firmware with LittleFS2, or set memory.root to an SD card."
        )
    return memory


def _mount_card(config):
    import machine
    import vfs

    pins = {}
    for name in ("sck", "miso", "mosi", "cs"):
        if config.get("sd." + name) >= 0:
            pins[name] = machine.Pin(config.get("sd." + name))
    vfs.mount(machine.SDCard(slot=config.get("sd.slot"), **pins), "/sd")


def offer(config):
    """The question of a first boot, "" once it was answered or settings were made without it."""
    asked = config.overrides.get("setup.next") == "ask"
    if asked:  # by the host of a simulated board: for the question alone, the file has the rest
        del config.overrides["setup.next"]
    at = config.get("setup.next")
    if at == "ask" and not config.values or asked and at in ("ask", "done"):
        return "This board is not set up: shall it ask for Wi-Fi and model? Type yes or no."
    if at not in ("ask", "done"):
        return "The set-up stopped at its step %s: shall it go on? Type yes or no." % at
    return ""
