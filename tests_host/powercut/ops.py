"""The table of operations."""

import ops_durable
import ops_erase
import ops_memory
import ops_truth

MODULES = (ops_durable, ops_memory, ops_erase, ops_truth)


def names():
    """[(name, kinds of file system, modes, MB of heap)] of all operations.

    Modes: full (every cut), quick (a sample), disk (a full one), locked (a heap that is), scarce
    (hardly any heap).
    """
    return [
        (op.name, op.kinds, _modes(op), 64 if op.samples else 8)
        for module in MODULES
        for op in module.OPS
    ]


def _modes(op):
    modes = ["full"]
    if not op.samples:
        modes.append("quick")
    if op.on_full_disk:
        modes.append("disk")
        if not op.samples:
            modes.append("scarce")
    if op.on_locked_heap:
        modes.append("locked")
    return modes


def find(name):
    """The operation of this name, ready to run."""
    for module in MODULES:
        for op in module.OPS:
            if op.name == name:
                return op()
    raise ValueError("no operation is called " + name)
