"""One full turn of the real main.py, in a small heap: fed by a pipe, with a model on the loopback.

"where" is the image or folder; the file of that name plus ".url" holds the server's address
and, on a second line, its key: with a key the agent also learns in the background. The settings
lie in config.json, as on a board.
"""

import gc
import sys

import place
from out import report


def used(name):
    """Report the heap in use, garbage left out."""
    gc.collect()
    report("used_" + name, gc.mem_alloc())


def then(module, name, stage):
    """Make the function of this name report the heap in use after it."""
    whole = getattr(module, name)

    def measured(*args):
        result = whole(*args)
        used(stage)
        return result

    setattr(module, name, measured)


def main(kind, where):
    """Run the chat until its input ends; report the modules it had imported."""
    with open(where + ".url") as f:
        url, key = f.read().split("\n")
    root, _ = place.enter(kind, where, fresh=False)
    with open(root + "/config.json", "w") as f:
        # a turn is measured, not a condensing of all that was said before
        f.write('{"model.base_url":"%s","model.name":"scripted",' % url)
        f.write('"context.summarise":false,')
        f.write('"model.key":"%s","memory.root":"%s"}' % (key, root or "/"))
    used("before")
    __import__("boot")
    import main as firmware

    used("main")
    from claw_memory import limits

    limits.SESSION_BYTES = 4 << 20
    limits.CONDENSE_ROOM = 1 << 30  # nor a look at what could be condensed
    from claw_memory.memory import Memory

    close = firmware.close
    unload = Memory.unload
    names = {"main"}

    def seen(memory):
        names.update([n for n in sys.modules if n.startswith("claw_")])
        return unload(memory)

    Memory.unload = seen

    def last(memory):
        seen(memory)
        used("end")
        report("modules", ",".join(sorted(names)))
        report("compactions", memory.longterm.generation)
        close(memory)

    firmware.close = last
    used("measuring")
    from claw_core import events, start

    if root:
        start.settings = lambda notice: start.Config(root + "/config.json", None, notice)
    then(start, "settings", "settings")
    then(start, "open_memory", "opened")
    then(firmware, "give_back", "memory")
    waiting = events.Inbox.get
    stages = ["turn", "waiting"]

    def get(inbox):
        if stages:
            print()  # the prompt of the chat stands in this line
            used(stages.pop())
        return waiting(inbox)

    events.Inbox.get = get
    firmware.main()
