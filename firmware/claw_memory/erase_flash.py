"""Overwrites what erased texts were written on: directories, ends of clusters, free space.

Which kind of file system needs what is decided here; overwrite.py writes.
"""

import gc

from claw_memory import limits, overwrite, platform, refused

_TREES = ("/memory", "/sessions", "/files", "/skills")
_CHURN = 12288  # bytes written for one name in a directory of LittleFS


def estimate(memory):
    """(bytes, seconds) that overwriting takes about; (0, 0) where it is not possible."""
    root = memory.root or "/"
    kind = platform.fs_kind(root)
    if kind == "posix":
        return 0, 0
    count = max(0, platform.free_bytes(root))
    for folder in _folders(memory, kind):
        names = platform.listed(folder, lambda name: True)
        if kind == "lfs2":
            count += _CHURN * max(1, len(names))
        else:
            sizes = [platform.size(folder.rstrip("/") + "/" + name) for name in names]
            count += sum([3 * size for size in sizes if 0 < size <= limits.ERASE_FILE_BYTES])
    rate = limits.ERASE_CARD_RATE if kind == "fat" else limits.ERASE_FLASH_RATE
    return count, count // rate + 1


def _folders(memory, kind):
    # On LittleFS a directory keeps names and small files of its own only; on FAT any file may
    # have come to lie on a cluster that was given up.
    root = memory.root or "/"
    found = [root]
    if kind == "lfs2":
        found += [memory.root + tree for tree in _TREES if platform.isdir(memory.root + tree)]
    for folder in found:
        if folder != root or kind != "lfs2":
            prefix = folder.rstrip("/") + "/"
            names = platform.listed(prefix, lambda name: True)
            found += [prefix + name for name in names if platform.isdir(prefix + name)]
    return found


def sweep(memory):
    """Remove what a cut overwriting left. Raises NoSpace or IOFailure."""
    for folder in _folders(memory, platform.fs_kind(memory.root or "/")):
        overwrite.sweep(folder)


def steps(memory, say):
    """Steps that overwrite; say gets a few sentences. Raises NoSpace or IOFailure."""
    root = memory.root or "/"
    kind = platform.fs_kind(root)
    if kind == "posix":
        say("What lay on this computer's own file system cannot be overwritten from here.")
        return
    # A file that was read to its half and let go is open, and keeps its blocks, until then.
    gc.collect()
    folders = _folders(memory, kind)
    for folder in folders:
        overwrite.sweep(folder)
    filler = overwrite.Filler(memory.memory_dir + "/")
    failed = []
    try:
        if kind == "lfs2":
            say("Writing the directories anew.")
            for folder in folders:
                yield from overwrite.churn(folder)
        else:
            say("Writing the files anew.")
            yield from _slack(memory, folders, failed)
        yield from _fill(filler, platform.free_bytes(root), say)
        if kind != "lfs2":
            say("Writing the directories anew.")
            for folder in folders:
                yield from overwrite.slots(folder, filler)
    except OSError as e:
        raise refused.failure(memory.memory_dir, e)
    finally:
        filler.close()
        for folder in folders:
            overwrite.sweep(folder)
    if failed:
        say("The end of these files was not overwritten: %s." % ", ".join(failed))
    say("Overwritten: %d KB." % (filler.total // 1024))


def _slack(memory, folders, failed):
    clean = overwrite.clean_file(memory.memory_dir + "/")
    for folder in folders:
        prefix = folder.rstrip("/") + "/"
        for name in platform.listed(prefix, lambda name: not overwrite.is_filler(name)):
            size = platform.size(prefix + name)
            if size > limits.ERASE_FILE_BYTES:
                failed.append(prefix + name)
            elif size > 0:
                overwrite.slack(prefix + name, clean)
                yield


def _fill(filler, free, say):
    start = platform.ticks_ms()
    told = 0
    left = 1 << 30  # seconds; what is said of it never rises
    for _ in filler.fill():
        part = filler.total * 4 // max(1, free)
        if told < part < 4:
            told = part
            spent = platform.ticks_diff(platform.ticks_ms(), start)
            left = min(left, spent * (4 - part) // (1000 * part) + 1)
            say("%d %% of the free space is overwritten, %d s to go." % (25 * part, left))
        yield
