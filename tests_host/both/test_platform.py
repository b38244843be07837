"""claw_memory.platform: what differs between the runtimes."""

import sys

from bothlib import ON_DEVICE, exists, raises, tmpdir, write
from claw_memory import platform


def test_size_tells_files_from_directories():
    d = tmpdir("plat")
    assert platform.size(d) == -1
    assert platform.size(d + "/none") == -1
    write(d + "/f", b"12345")
    assert platform.size(d + "/f") == 5
    assert platform.isdir(d) and not platform.isdir(d + "/f")
    assert platform.exists(d + "/f") and exists(d + "/f")


def test_kind_of_file_system():
    kind = platform.fs_kind(tmpdir("kind") + "/x")
    assert kind in (("lfs2", "fat", "ffat", "posix") if ON_DEVICE else ("fat", "posix"))


def test_names_that_are_no_text_are_not_listed():
    from claw_memory import platform_fs

    class Entries:
        names = ["a", None, None, "b", "c", None]

        def __next__(self):
            if not self.names:
                raise StopIteration
            name = self.names.pop(0)
            if name is None:
                raise UnicodeError
            return name, 0x8000, 0, 1

    class Os:
        def ilistdir(self, folder):
            assert folder == "/d"
            return Entries()

    real = platform_fs.os
    platform_fs.os = Os()
    try:
        assert platform.listed("/d/", lambda name: name != "b") == ["a", "c"]
    finally:
        platform_fs.os = real


def test_an_import_that_ran_out_of_ram_can_be_made_again():
    if not ON_DEVICE:
        return  # CPython leaves nothing of such a module
    import micropython

    name = "claw_memory.wording"
    platform.unload("claw_memory", "wording")
    micropython.heap_lock()
    try:
        __import__(name)
    except MemoryError:
        pass
    finally:
        micropython.heap_unlock()
    assert sys.modules.get(name) is None
    platform.unload("claw_memory", "")
    assert name not in sys.modules
    assert hasattr(__import__(name, None, None, ("x",)), "__file__")


def test_seldom_used_methods_are_functions_of_a_module():
    class Sized:
        """Something with a length."""

        __getattr__ = platform.seldom("claw_memory.wording")
        contains = len

    sized = Sized()
    assert sized.contains("abc") == 3, "its own methods come first"
    assert not hasattr(sized, "no_such_function")
    found = []
    module = __import__("claw_memory.wording", None, None, ("words",))
    module.noted = lambda *args, **named: found.append((args, named))
    try:
        sized.noted(1, b=2)
    finally:
        del module.noted
    assert found == [((sized, 1), {"b": 2})]


def test_what_a_seldom_used_method_had_no_ram_for_is_not_found_again():
    class Hungry:
        """A module that takes more RAM than there is."""

        def __getattr__(self, name):
            raise MemoryError

    class Thing:
        """Something with methods in it."""

        __getattr__ = platform.seldom("claw_memory.hungry")

    sys.modules["claw_memory.hungry"] = Hungry()
    sys.modules["claw_memory.half"] = None
    try:
        raises(MemoryError, getattr, Thing(), "work")
        assert "claw_memory.half" not in sys.modules
    finally:
        platform.unload("claw_memory", "hungry")


def test_free_space_is_known_and_positive():
    assert platform.free_bytes(tmpdir("free")) > 4096


def test_a_medium_that_is_more_than_full_has_no_free_space():
    from claw_memory import platform_fs

    class Os:
        free = (1 << 32) - 12  # what LittleFS2 tells of twelve blocks that are in two files

        def statvfs(self, path):
            return 4096, 4096, 1024, self.free, self.free, 0, 0, 0, 0, 255

    real = platform_fs.os
    platform_fs.os = Os()
    try:
        assert platform_fs.free_bytes("/") == 0
        assert platform_fs.free_bytes("/", True) == 4194304
        Os.free = 3
        assert platform_fs.free_bytes("/") == 12288
    finally:
        platform_fs.os = real


def test_what_takes_more_where_words_are_longer():
    from claw_memory import platform_fs

    class Sys:
        maxsize = (1 << 31) - 1

    real = platform_fs.sys
    assert platform.room(65536) == 98304  # both runtimes of the tests have long words
    platform_fs.sys = Sys()
    try:
        assert platform.room(65536) == 65536
    finally:
        platform_fs.sys = real


def test_clock():
    a = platform.ticks_ms()
    assert 0 <= platform.ticks_diff(platform.ticks_ms(), a) < 10000
    assert platform.unix_time() > 1704067200
    d = tmpdir("clock")
    write(d + "/f", b"x")
    assert abs(platform.mtime(d + "/f") - platform.unix_time()) < 5
    assert platform.mtime(d + "/none") == 0


async def test_coroutines_are_run():
    import asyncio

    await asyncio.sleep(0)
    assert platform.mem_free() != 0
