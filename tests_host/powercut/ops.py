"""The table of operations."""

import ops_durable

MODULES = (ops_durable,)


def names():
    """[(name, kinds of file system)] of all operations."""
    return [(op.name, op.kinds) for module in MODULES for op in module.OPS]


def find(name):
    """The operation of this name, ready to run."""
    for module in MODULES:
        for op in module.OPS:
            if op.name == name:
                return op()
    raise ValueError("no operation is called " + name)
