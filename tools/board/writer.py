"""Bring the firmware in a flash image up to date; run by tools/image.py in the unix program.

Reads a job as JSON from standard input: image, fs, read_only, files (path on the board -> path on
the host) and whole (true: other files in the directories of the firmware are removed). Prints
{"written": n, "removed": n}, or one sentence when that fails.
"""

import hashlib
import json
import os
import sys
from binascii import hexlify

import disk
import vfs

# Directories that belong to the firmware: what is not in the job and lies here is removed.
_OWNED = ("/claw_memory", "/claw_core", "/claw_caps", "/defaults")
# People and the agent edit these: written only where they are as the last update left them, which
# the file _SKILLS remembers as {path: SHA-256}.
_SHARED = "/skills/"
_SKILLS = "/img/claw_skills.json"


def _digest(path):
    digest = hashlib.sha256()
    buf = memoryview(bytearray(4096))
    with open(path, "rb") as file:
        while True:
            n = file.readinto(buf)
            if not n:
                return digest.digest()
            digest.update(buf[:n])


def _hex(path):
    try:
        return hexlify(_digest(path)).decode()
    except OSError:
        return ""


def _skills():
    try:
        with open(_SKILLS) as file:
            return dict(json.load(file))
    except (OSError, ValueError, TypeError):
        return {}


def _same(path, source):
    try:
        return os.stat(path)[6] == os.stat(source)[6] and _digest(path) == _digest(source)
    except OSError:
        return False


def _make_parents(path):
    at = path.find("/", len("/img") + 1)
    while at > 0:
        try:
            os.mkdir(path[:at])
        except OSError as err:
            if err.errno != 17:
                raise
        at = path.find("/", at + 1)


def _copy(source, path):
    _make_parents(path)
    with open(source, "rb") as src:
        with open(path, "wb") as dst:
            while True:
                data = src.read(4096)
                if not data:
                    return
                if dst.write(data) != len(data):
                    raise OSError(28)


def _files_below(path):
    try:
        entries = list(os.ilistdir(path))
    except OSError:
        return
    for entry in entries:
        name = path + "/" + entry[0]
        if entry[1] & 0x4000:
            for below in _files_below(name):
                yield below
        else:
            yield name


def _update(files, whole):
    stale = []
    for directory in _OWNED if whole else ():
        for path in _files_below("/img" + directory):
            if path[4:] not in files:
                stale.append(path)
    changed = [path for path in sorted(files) if not _same("/img" + path, files[path])]
    known = _skills()
    shared = [path for path in sorted(files) if whole and path.startswith(_SHARED)]
    for path in shared:
        there = _hex("/img" + path)
        if path in changed and there and there != known.get(path):
            changed.remove(path)
    for path in stale:
        os.remove(path)
    for path in changed:
        try:
            _copy(files[path], "/img" + path)
        except OSError as err:
            if err.errno != 28:
                raise
            os.remove("/img" + path)  # the old and the new do not fit side by side
            _copy(files[path], "/img" + path)
    found = {path: _hex(files[path]) for path in shared}
    if found and found != known:
        with open(_SKILLS, "w") as file:
            json.dump(found, file)
    return {"written": len(changed), "removed": len(stale)}


def main():
    """Do the job of standard input."""
    job = json.loads(sys.stdin.read())
    try:
        device = disk.open_disk(job["image"], job["fs"], job["read_only"])
        vfs.mount(disk.filesystem(device, job["fs"]), "/img")
    except OSError:
        print("it holds no %s file system; make chat-reset starts an empty one." % job["fs"])
        return
    try:
        print(json.dumps(_update(job["files"], job["whole"])))
    except OSError as err:
        reasons = {28: "it is full.", 30: "it is write-protected.", 5: "it cannot be written."}
        print(reasons.get(err.errno, "error %d while writing." % err.errno))
    finally:
        vfs.umount("/img")


main()
