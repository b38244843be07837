"""What platform.py is seldom asked: the kind of a file system, its room, its names."""

# The stubs of the board do not know CPython's half of this file.
# pyright: reportAttributeAccessIssue=false

import gc
import os
import sys

from claw_memory import platform


def over(names):
    """A stage of a large task is over: its modules of claw_memory leave the heap of a board.

    names: separated by blanks.
    """
    if platform.is_micropython():
        platform.unload("claw_memory", names)
        gc.collect()


def room(size):
    """Bytes of heap that is taken here by what takes size on a 32-bit chip, code for the most."""
    return size + size // 2 if sys.maxsize > 1 << 31 else size


def free_bytes(path, whole=False):
    """Free bytes on the file system that holds path, or all; -1 when it does not tell."""
    try:
        st = os.statvfs(path)
    except (OSError, AttributeError):
        return -1
    # On a full LittleFS2 a block in two files counts twice, and the free ones go below zero.
    free = st[3] if 0 <= st[3] <= st[2] else 0
    return st[1] * st[2] if whole else st[0] * free


def _mounts():
    try:
        import vfs

        return vfs.mount()
    except (ImportError, TypeError):
        return ()


def listed(folder, wanted):
    """Names in the directory folder for which wanted(name) holds; one at a time on a board."""
    folder = folder.rstrip("/") or folder or "."
    if not hasattr(os, "ilistdir"):
        return [name for name in os.listdir(folder) if wanted(name)]
    entries = os.ilistdir(folder)
    names = []
    while True:
        try:
            name = next(entries)[0]
        except StopIteration:
            return names
        except UnicodeError:
            # A cut while a directory of FAT grows leaves in it whatever its new cluster held.
            continue
        if wanted(name):
            names.append(name)


def on_fat(path):
    """True when path lies on a file system of the kind FAT."""
    return fs_kind(path).endswith("fat")


def fs_kind(path):
    """Kind of the file system that holds path.

    'lfs2': LittleFS2. 'fat': FAT on a medium that writes sectors whole (SD card). 'ffat': FAT
    on raw flash, which no software can make safe against power cuts. 'posix': anything else.
    """
    best = ""
    kind = "posix"
    for fs, point in _mounts():
        if len(point) >= len(best) and (path == point or path.startswith(point.rstrip("/") + "/")):
            best = point
            name = type(fs).__name__
            if name == "VfsLfs2":
                kind = "lfs2"
            elif name == "VfsFat":
                kind = "ffat" if _is_flash(point) else "fat"
            else:
                kind = "posix"
    return kind


def _is_flash(point):
    # The stock firmware mounts a FAT partition labelled ffat at / by itself; a card is
    # mounted by main.py elsewhere.
    if point != "/":
        return False
    try:
        from esp32 import Partition

        return bool(Partition.find(Partition.TYPE_DATA, label="ffat"))
    except (ImportError, OSError):
        return False
