"""Where a benchmark works: puts a file system at / or uses a folder of the host."""

import os

import vfs
from device import FileDevice, RamDevice

_BLOCK = {"lfs2": 4096, "fat": 512}


def _volume(kind, device, fresh):
    maker = vfs.VfsLfs2 if kind == "lfs2" else vfs.VfsFat
    if fresh:
        maker.mkfs(device)
    return maker(device)


def enter(kind, where, fresh=True, size=0):
    """Give the benchmark a root; return (path of its folder, device or None).

    kind: lfs2, fat or posix. where: the image file, or the folder for posix. size: bytes of an
    image in RAM, which counts programs and erases; 0 for the file. The host stays at /host.
    """
    if kind == "posix":
        return where, None
    device = RamDevice(size, _BLOCK[kind]) if size else FileDevice(where, _BLOCK[kind])
    root = _volume(kind, device, fresh)
    vfs.umount("/")
    vfs.mount(root, "/")
    os.chdir("/")
    return "", device
