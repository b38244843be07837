"""Runs on the board, not here: file functions that flash_board.py sends over the raw REPL.

MicroPython 1.24 or newer. Names start with remote_ so that nothing of the user's is hit.
"""

import binascii
import hashlib
import os

remote_file = None
remote_path = ""


def remote_hash(path):
    """SHA-256 of a file in hex."""
    digest = hashlib.sha256()
    buffer = bytearray(1024)
    with open(path, "rb") as file:
        while True:
            count = file.readinto(buffer)
            if not count:
                return binascii.hexlify(digest.digest()).decode()
            digest.update(memoryview(buffer)[:count])


def remote_hashes(paths):
    """Print hash and name of each file that exists."""
    for path in paths:
        try:
            print(remote_hash(path), path)
        except OSError:
            pass


def remote_open(path):
    """Begin to write a file; its directories are made."""
    global remote_file, remote_path
    remote_mkdirs(path)
    remote_file = open(path, "wb")
    remote_path = path


def remote_write(file, data):
    """Write all of data or raise ENOSPC (FAT reports a full disk by a short write)."""
    if file.write(data) != len(data):
        raise OSError(28)


def remote_put(text):
    """Write base64 text to the open file."""
    remote_write(remote_file, binascii.a2b_base64(text))


def remote_done():
    """Close the open file and print the hash of what can be read back."""
    remote_file.close()
    print(remote_hash(remote_path))


def remote_mkdirs(path):
    """Make the directories above path."""
    at = 0
    while True:
        at = path.find("/", at + 1)
        if at < 0:
            return
        try:
            os.mkdir(path[:at])
        except OSError as error:
            if error.errno != 17:
                raise


def remote_get(path, at, count):
    """Print count bytes of a file from offset at, as lines of base64."""
    with open(path, "rb") as file:
        file.seek(at)
        while count > 0:
            data = file.read(min(count, 768))
            if not data:
                return
            count -= len(data)
            print(binascii.b2a_base64(data).decode(), end="")


def remote_tree(directory):
    """Print size and name of all files below directory."""
    try:
        entries = list(os.ilistdir(directory or "/"))
    except OSError:
        return
    for entry in entries:
        path = directory + "/" + entry[0]
        if entry[1] & 0x4000:
            remote_tree(path)
        else:
            print(os.stat(path)[6], path)


def remote_kind(directory):
    """Name of the class of the file system that holds directory, "" when unknown."""
    try:
        import vfs

        mounts = vfs.mount()
    except (ImportError, TypeError):
        # MicroPython before 1.26 cannot list its mounts: the partition's label tells.
        try:
            from esp32 import Partition

            fat = Partition.find(Partition.TYPE_DATA, label="ffat")
            return "VfsFat" if fat else "VfsLfs2"
        except (ImportError, OSError):
            return ""
    kind = best = ""
    for system, point in mounts:
        inside = (directory + "/").startswith(point.rstrip("/") + "/")
        if inside and len(point) >= len(best):
            best = point
            kind = type(system).__name__
    return kind


def remote_drop(paths):
    """Remove files that may exist, and directories that become empty."""
    for path in paths:
        try:
            os.remove(path)
        except OSError as error:
            if error.errno != 2:
                raise
        while True:
            path = path[: path.rfind("/")]
            if not path:
                break
            try:
                os.rmdir(path)
            except OSError:
                break


def remote_copy(source, target):
    """Copy a file."""
    buffer = bytearray(1024)
    with open(source, "rb") as old, open(target, "wb") as new:
        while True:
            count = old.readinto(buffer)
            if not count:
                return
            remote_write(new, memoryview(buffer)[:count])


def remote_move(pairs, copy):
    """Move files over existing ones, by rename or by copy and remove; print each when done."""
    for source, target in pairs:
        remote_mkdirs(target)
        if copy:
            remote_copy(source, target)
            os.remove(source)
        else:
            os.rename(source, target)
        print(target)


def remote_facts():
    """Print what is known about the board as JSON."""
    import gc
    import json
    import sys

    facts = {"version": list(sys.implementation.version[:3])}
    facts["platform"] = sys.platform
    facts["machine"] = getattr(sys.implementation, "_machine", sys.platform)
    facts["mpy"] = getattr(sys.implementation, "_mpy", 0) & 0xFF
    gc.collect()
    facts["heap_free"] = gc.mem_free()
    facts["kind"] = remote_kind("/")
    state = os.statvfs("/")
    facts["fs_size"] = state[1] * state[2]
    facts["fs_free"] = state[0] * state[3]
    try:
        import esp
        import esp32

        facts["flash"] = esp.flash_size()
        regions = esp32.idf_heap_info(esp32.HEAP_DATA)
        facts["psram"] = sum(region[0] for region in regions if region[0] > 1000000)
    except (ImportError, AttributeError):
        facts["flash"] = facts["psram"] = 0
    print(json.dumps(facts))
