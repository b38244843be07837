"""What the user wrote that tells what is erased: reported, never changed."""

from claw_memory import platform
from claw_memory.erase_files import folders
from claw_memory.profile import FILES
from claw_memory.lines import read_lines

_OWN_TREES = ("/files", "/skills")


def own(memory, tells, found):
    """Steps through what the user wrote or had written: it is reported, never changed."""
    wanted = [name for name, _ in FILES]
    for folder in [memory.memory_dir] + folders(memory.memory_dir):
        for name in platform.listed(folder, lambda name: name in wanted):
            yield from _report(folder + "/" + name, tells, found)
    pending = [memory.root + tree for tree in _OWN_TREES]
    while pending:
        folder = pending.pop()
        if not platform.isdir(folder):
            continue
        for name in platform.listed(folder, lambda name: True):
            path = folder + "/" + name
            if tells(name):
                found.names.append(path)
            if platform.isdir(path):
                pending.append(path)
            else:
                yield from _report(path, tells, found)


def _report(path, tells, found):
    number = 0
    for _, line in read_lines(path):
        number += 1
        if tells(line):
            found.own.append((path, number))
        yield
