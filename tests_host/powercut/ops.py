"""The table of operations."""

import ops_durable
import ops_memory

MODULES = (ops_durable, ops_memory)


def names():
    """[(name, kinds of file system, True for one at full size)] of all operations."""
    return [(op.name, op.kinds, op.samples > 0) for module in MODULES for op in module.OPS]


def find(name):
    """The operation of this name, ready to run."""
    for module in MODULES:
        for op in module.OPS:
            if op.name == name:
                return op()
    raise ValueError("no operation is called " + name)
