"""The module vfs for CPython: mount() and a directory of the host that behaves like FATFS.

`vfs.mount(vfs.VfsFat(directory), "/sd")` makes open() and the functions of os follow FAT's rules
for every path below /sd, with the errors of MicroPython's FatFs. The rules were read off the
real one in the MicroPython binary, and tests_host/both/test_fat_rules.py runs against both:

- upper and lower case name the same file, the first spelling is shown;
- `" * : < > ? |`, DEL and names over 255 bytes are refused with OSError(EINVAL);
- trailing dots and spaces vanish, a control character ends the path, a backslash is a slash;
- names are bytes in code page 437 for FatFs, so a few different UTF-8 names are the same file;
- a file opened with "ab" stands at its end, but seek(0) and write overwrite its beginning;
- rename over an existing name removes that first; a directory in the way is OSError(EISDIR).
"""

import builtins
import errno
import os

_REFUSED = b'"*:<>?|\x7f'
_NAME_BYTES = 255

_mounts = []
_real_open = builtins.open
_real = {}


def _os(function):
    # What os offered before anything was mounted.
    return _real.get(function) or getattr(os, function)


def _fail(code):
    raise OSError(code, os.strerror(code))


def _fold(name):
    """Bytes by which FatFs compares names: upper case in code page 437."""
    folded = bytearray()
    for byte in name.encode("utf-8", "surrogatepass"):
        upper = bytes((byte,)).decode("cp437").upper()
        try:
            code = upper.encode("cp437")
        except UnicodeEncodeError:
            code = b""
        folded.append(code[0] if len(code) == 1 else byte)
    return bytes(folded)


def _clean(name):
    """The name as FatFs stores it; OSError(EINVAL) when it refuses it."""
    name = name.rstrip(" .")
    raw = name.encode("utf-8", "surrogatepass")
    if not raw or len(raw) > _NAME_BYTES or any(byte in _REFUSED for byte in raw):
        _fail(errno.EINVAL)
    return name


class VfsFat:
    """FATFS in a directory of the host."""

    def __init__(self, directory):
        self.directory = os.path.abspath(directory)

    def find(self, path):
        """(path on the host, exists) of a path on this file system.

        OSError(ENOENT) when a directory on the way is missing, OSError(EINVAL) for a bad name.
        """
        path = path.replace("\\", "/")
        for i, char in enumerate(path):
            if char < " ":
                path = path[:i]
                break
        here = self.directory
        path = path.lstrip("/")
        if not path:
            return here, True
        parts = [part for part in path.split("/") if part]
        if path.endswith("/"):
            parts.append("")
        found = True
        for part in parts:
            if not found or not os.path.isdir(here):
                _fail(errno.ENOENT)
            name = _clean(part)
            key = _fold(name)
            found = False
            for entry in _os("listdir")(here):
                if _fold(entry) == key:
                    found = True
                    name = entry
                    break
            here += "/" + name
        return here, found

    def existing(self, path):
        """Path on the host; OSError(ENOENT) when there is nothing."""
        real, found = self.find(path)
        if not found:
            _fail(errno.ENOENT)
        return real

    def open(self, path, mode, **kwargs):
        """As open(); a directory gives the error of FatFs."""
        real, found = self.find(path)
        creates = mode[0] in "wax"
        if real == self.directory:
            _fail(errno.EINVAL)
        if found and os.path.isdir(real):
            _fail(errno.EACCES if creates else errno.ENOENT)
        if not found and not creates:
            _fail(errno.ENOENT)
        if "a" not in mode:
            return _real_open(real, mode, **kwargs)
        if not found:
            _real_open(real, "xb").close()
        file = _real_open(real, mode.replace("a", "r").replace("+", "") + "+", **kwargs)
        file.seek(0, 2)
        return file

    def stat(self, path):
        """As os.stat()."""
        return _os("stat")(self.existing(path))

    def statvfs(self, path):
        """As os.statvfs()."""
        return _os("statvfs")(self.directory)

    def listdir(self, path="/"):
        """As os.listdir(); a file gives OSError(ENOENT)."""
        real = self.existing(path)
        if not os.path.isdir(real):
            _fail(errno.ENOENT)
        return _os("listdir")(real)

    def remove(self, path):
        """As os.remove(); a directory gives OSError(EISDIR)."""
        real = self.existing(path)
        if os.path.isdir(real):
            _fail(errno.EISDIR)
        _os("remove")(real)

    def mkdir(self, path):
        """As os.mkdir()."""
        real, found = self.find(path)
        if found:
            _fail(errno.EEXIST)
        _os("mkdir")(real)

    def rmdir(self, path):
        """As os.rmdir(); a directory that is not empty gives OSError(EACCES)."""
        real = self.existing(path)
        if not os.path.isdir(real):
            _fail(errno.ENOTDIR)
        if _os("listdir")(real):
            _fail(errno.EACCES)
        _os("rmdir")(real)

    def rename(self, old, new):
        """As os.rename(), in two steps when the new name exists."""
        source = self.existing(old)
        target, found = self.find(new)
        if found and source != target:
            if os.path.isdir(target):
                _fail(errno.EISDIR)
            _os("remove")(target)
        elif found:
            target = os.path.dirname(target) + "/" + _clean(new.rsplit("/", 1)[-1])
        _os("rename")(source, target)


def mount(fs=None, mount_point=None, readonly=False):
    """Mount fs below mount_point; without arguments the list of (fs, mount point)."""
    if fs is None:
        return list(_mounts)
    if any(point == mount_point for _, point in _mounts):
        _fail(errno.EPERM)
    _mounts.append((fs, mount_point))
    _patch_os()
    return None


def umount(what):
    """Unmount a file system, named by itself or by its mount point; OSError(EINVAL) for others."""
    for pair in _mounts:
        if what in pair:
            _mounts.remove(pair)
            break
    else:
        _fail(errno.EINVAL)
    if not _mounts:
        _unpatch_os()


def _route(path):
    # (file system, rest of the path) when path is below a mount point, else (None, path).
    if isinstance(path, str):
        for fs, point in _mounts:
            if path == point or path.startswith(point + "/"):
                return fs, path[len(point) :] or "/"
    return None, path


def _open(file, mode="r", *args, **kwargs):
    fs, path = _route(file)
    if fs is None:
        return _real_open(file, mode, *args, **kwargs)
    return fs.open(path, mode, **kwargs)


def _routed(name):
    method = "remove" if name == "unlink" else "stat" if name == "lstat" else name
    real = _real[name]

    def call(path=".", *args, **kwargs):
        fs, rest = _route(path)
        if fs is None:
            return real(path, *args, **kwargs)
        if name == "rename":
            args = (_route(args[0])[1],)
        return getattr(fs, method)(rest, *(args if name == "rename" else ()))

    return call


def _patch_os():
    if not _real:
        for name in ("stat", "lstat", "statvfs", "listdir", "remove", "unlink", "mkdir", "rmdir"):
            _real[name] = getattr(os, name)
        _real["rename"] = os.rename
        for name in _real:
            setattr(os, name, _routed(name))


def _unpatch_os():
    for name, function in _real.items():
        setattr(os, name, function)
    _real.clear()


def hook():
    """Have open() look at the mounts; called once by shim.install()."""
    builtins.open = _open
