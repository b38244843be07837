"""What FAT needs: room looked for beforehand, and directories that were cut half way."""

import os

from claw_memory import durable, platform

# A directory entry is missed when at most 20 entries of a long name did not fit before it.
_FILLERS = 24
_ENOSPC = 28


def room(prefix, sizes):
    """True when all files can grow: FAT keeps half a file where the disk fills up.

    sizes: (bytes now or -1, bytes wanted) of each file in the directory prefix.
    """
    st = os.statvfs(prefix)
    cluster = st[0]
    need = 1  # the directory itself may grow
    for old, new in sizes:
        need += max(0, -(-new // cluster) - -(-max(0, old) // cluster))
    return st[3] >= need


def prepare(path, size, more):
    """Have the file at path, of size bytes or -1, able to grow by more. Raises OSError."""
    if not room(path[: path.rfind("/") + 1], ((size, max(0, size) + 1 + more),)):
        raise OSError(_ENOSPC)
    create(path)


def create(path):
    """Make the file at path, empty, unless it is there. Raises OSError."""
    if platform.size(path) < 0:
        touch(path)
        show(path)


def touch(path):
    """Make the file at path, or leave it as it is. Raises OSError."""
    durable._open(path, "ab").close()


def show(path):
    """Have what was just made at path found by others. Raises OSError."""
    reveal(path, touch, durable._unlink)


def aliases(prefix, name):
    """Names in the directory prefix that can be the 8.3 alias of the long name.

    FAT keeps a long name in several entries. A removal cut between the two sectors that hold them
    leaves the file under its alias: CHAT_D~1.LOG for chat_default.log.
    """
    start = name[:2].upper()
    end = name[name.rfind(".") :][:4].upper()
    return platform.listed(
        prefix,
        lambda n: "~" in n and n.startswith(start) and n.endswith(end) and n == n.upper(),
    )


def reveal(path, make, unlink):
    """Have a file or directory found that was just made at path; nearly always it is already.

    A cut while a directory grows leaves it with a new cluster that was not cleared, and with a
    few blank entries before it, which end every search. An entry made later that needs more room
    than these lands behind them and is never found. Short-named files made with make(path) fill
    the gap, and unlink(path) leaves their entries as removed ones, which end no search.
    """
    made = []
    try:
        while not platform.exists(path):
            if len(made) == _FILLERS:
                raise OSError(5)
            made.append("%sclaw%d.tmp" % (path[: path.rfind("/") + 1], len(made)))
            make(made[-1])
    finally:
        for name in made:
            unlink(name)
