"""What opening a memory looks for once: guidance for the model, and whether there are notes."""

import claw_memory
from claw_memory import platform


def path(memory):
    """The file in skills/ that tells the model how to use its memory; "" and a notice for none.

    The user's own beside the memory comes before that of the firmware.
    """
    name = "skills/%s.md" % ("lightweight" if memory.mode == "lightweight" else "memory")
    for folder in (memory.root + "/", _beside()):
        if platform.exists(folder + name):
            return folder + name
    from claw_memory import lost

    memory.tell(lost.guidance(name))
    return ""


def _beside():
    # the folder in which this package lies, with a slash
    found = claw_memory.__path__
    found = found if isinstance(found, str) else found[0]
    return found[: found.rfind("/") + 1] or "/"


def noted(memory):
    """A list with the name of one file or folder of daily notes, empty when there is none."""
    found = []

    def wanted(name):
        if not found and name[:2] in ("u_", "20", "un"):
            found.append(name)

    platform.listed(memory.memory_dir, wanted)
    return found
