"""FAT's rules for names and its errors: the simulated FATFS against MicroPython's real one."""

import errno
import os

import vfs
from bothlib import ON_DEVICE, raises, read, write
from claw_memory import platform

_ENOTDIR = 20  # MicroPython's errno has no name for it


class RamDevice:
    """Block device of 512-byte blocks in RAM, just big enough to be formatted."""

    def __init__(self, blocks):
        self.data = bytearray(blocks * 512)

    def readblocks(self, n, buf, offset=0):
        start = n * 512 + offset
        buf[:] = self.data[start : start + len(buf)]

    def writeblocks(self, n, buf, offset=0):
        start = n * 512 + offset
        self.data[start : start + len(buf)] = buf

    def ioctl(self, op, arg):
        return len(self.data) // 512 if op == 4 else 512 if op == 5 else 0


class Fat:
    """A fresh file system at /fatrules: FatFs in RAM on MicroPython, a directory on CPython."""

    def __enter__(self):
        if ON_DEVICE:
            self.device = RamDevice(128)
            vfs.VfsFat.mkfs(self.device)
            vfs.mount(vfs.VfsFat(self.device), "/fatrules")
        else:
            import tempfile

            self.folder = tempfile.TemporaryDirectory()
            vfs.mount(vfs.VfsFat(self.folder.name), "/fatrules")
        return "/fatrules/"

    def __exit__(self, *exc):
        vfs.umount("/fatrules")
        if not ON_DEVICE:
            self.folder.cleanup()


def code(fn, *args):
    """Number of the OSError that fn raises, 0 when it raises none."""
    try:
        fn(*args)
    except OSError as e:
        return e.errno if hasattr(e, "errno") else e.args[0]
    return 0


def touch(path):
    write(path, b"x")


def test_names_that_fat_refuses():
    with Fat() as fat:
        for name in ("a:b", "a*", "a?", 'a"b', "a<b", "a>b", "a|b", "a\x7fb", "...", " ", ""):
            assert code(touch, fat + name) == errno.EINVAL, name
            assert code(os.stat, fat + name) in (errno.EINVAL, 0 if name == "" else -1), name
            assert os.listdir(fat[:-1]) == [], name
        for name in ("a:b", "a?"):
            assert code(os.mkdir, fat + name) == errno.EINVAL
            assert code(os.remove, fat + name) == errno.EINVAL
        touch(fat + "good")
        assert code(os.rename, fat + "good", fat + "b|d") == errno.EINVAL
        assert os.listdir(fat[:-1]) == ["good"]


def test_names_are_limited_in_bytes():
    with Fat() as fat:
        touch(fat + "a" * 255)
        touch(fat + "\u4e2d" * 85)
        assert code(touch, fat + "a" * 256) == errno.EINVAL
        assert code(touch, fat + "\u4e2d" * 86) == errno.EINVAL


def test_what_fat_stores_of_a_name():
    with Fat() as fat:
        for name, stored in (
            ("a.", "a"),
            ("a..", "a"),
            ("a . ", "a"),
            (" a", " a"),
            (".a", ".a"),
            ("a\x01b", "a"),
            ("/a", "a"),
            ("Mixed.Txt", "Mixed.Txt"),
            ("a+b,c;d=e[f]", "a+b,c;d=e[f]"),
            ("\u4e2d\u6587", "\u4e2d\u6587"),
        ):
            touch(fat + name)
            assert os.listdir(fat[:-1]) == [stored], name
            os.remove(fat + name)
            assert os.listdir(fat[:-1]) == [], name


def test_case_does_not_matter():
    with Fat() as fat:
        os.mkdir(fat + "Dir")
        write(fat + "dir/File", b"one")
        assert read(fat + "DIR/fILE") == b"one"
        write(fat + "dir/FILE.", b"two")
        assert os.listdir(fat + "Dir") == ["File"]
        os.rename(fat + "dir/file", fat + "dir/FILE")
        assert os.listdir(fat + "Dir") == ["FILE"]
        assert code(os.mkdir, fat + "DIR") == errno.EEXIST


def test_code_page_437_folds_some_utf8_names():
    with Fat() as fat:
        touch(fat + "\u4e01")
        touch(fat + "\u4e1a")
        assert os.listdir(fat[:-1]) == ["\u4e01"]
        touch(fat + "\xe9")
        touch(fat + "\xc9")
        assert len(os.listdir(fat[:-1])) == 3


def test_append_and_seek_overwrites():
    with Fat() as fat:
        write(fat + "f", b"12345")
        with open(fat + "f", "ab") as f:
            assert f.tell() == 5
            f.write(b"6")
            f.seek(0)
            f.write(b"ab")
        assert read(fat + "f") == b"ab3456"
        with open(fat + "new", "ab") as f:
            f.write(b"n")
        assert read(fat + "new") == b"n"


def test_rename_over_an_existing_name():
    with Fat() as fat:
        write(fat + "a", b"new")
        write(fat + "b", b"old")
        os.rename(fat + "a", fat + "B")
        assert read(fat + "b") == b"new"
        assert len(os.listdir(fat[:-1])) == 1
        os.mkdir(fat + "d")
        assert code(os.rename, fat + "b", fat + "d") == errno.EISDIR
        assert read(fat + "b") == b"new"


def test_errors():
    with Fat() as fat:
        os.mkdir(fat + "d")
        touch(fat + "d/f")
        for fn, args, wanted in (
            (os.rmdir, ("d",), errno.EACCES),
            (os.rmdir, ("none",), errno.ENOENT),
            (os.rmdir, ("d/f",), _ENOTDIR),
            (os.remove, ("d",), errno.EISDIR),
            (os.remove, ("none",), errno.ENOENT),
            (os.mkdir, ("none/d",), errno.ENOENT),
            (os.stat, ("none",), errno.ENOENT),
            (os.stat, ("none/none",), errno.ENOENT),
            (os.stat, ("d/f/g",), errno.ENOENT),
            (os.listdir, ("none",), errno.ENOENT),
            (os.listdir, ("d/f",), errno.ENOENT),
            (open, ("d",), errno.ENOENT),
            (open, ("none",), errno.ENOENT),
            (touch, ("d",), errno.EACCES),
            (touch, ("d\\none\\f",), errno.ENOENT),
        ):
            assert code(fn, fat + args[0]) == wanted, (fn, args)
        assert code(os.rename, fat + "none", fat + "n") == errno.ENOENT
        assert read(fat + "d\\f") == b"x"


def test_mode_x_refuses_an_existing_file():
    with Fat() as fat:
        touch(fat + "f")
        e = raises(OSError, open, fat + "F", "xb")
        assert e.args[0] == errno.EEXIST


def test_what_a_directory_holds_that_was_not_cleared_hides_no_name():
    if not ON_DEVICE:
        return  # the simulation keeps no entries
    fat = Fat()
    with fat as path:
        for name in "ABC":
            touch(path + name)
        at = bytes(fat.device.data).find(b"B          ")
        vfs.umount("/fatrules")
        fat.device.data[at : at + 3] = b"\xff\xfe\x80"
        vfs.mount(vfs.VfsFat(fat.device), "/fatrules")
        raises(UnicodeError, os.listdir, "/fatrules")
        assert platform.listed(path, lambda name: True) == ["A", "C"]


def test_mounts_are_listed():
    with Fat():
        points = [point for _, point in vfs.mount()]
        assert "/fatrules" in points
    assert "/fatrules" not in [point for _, point in vfs.mount()]
