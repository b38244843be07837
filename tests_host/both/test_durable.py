"""durable.py: what it leaves on the file system, and how it fails."""

import struct
from binascii import crc32

from bothlib import ON_DEVICE, exists, listdir, raises, read, tmpdir, write
from claw_memory import durable, fatdir, platform
from claw_memory.errors import IOFailure, NoSpace


class Failing:
    """Stands in for open(): write() number `at`, or from there on, raises OSError(code)."""

    def __init__(self, at, code, lasting=True):
        self.left = at
        self.code = code
        self.lasting = lasting

    def tick(self):
        self.left -= 1
        if self.left == 0 or (self.left < 0 and self.lasting):
            raise OSError(self.code)

    def open(self, path, mode):
        return _File(open(path, mode), self)


class _File:
    def __init__(self, file, failing):
        self.file = file
        self.failing = failing
        self.read = file.read
        self.seek = file.seek
        self.flush = file.flush
        self.close = file.close
        if hasattr(file, "fileno"):
            self.fileno = file.fileno

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()

    def write(self, data):
        self.failing.tick()
        return self.file.write(data)


def _with_open(fn, work):
    durable._open = fn
    try:
        return work()
    finally:
        durable._open = open


def _journal(table, data=b""):
    tail = table + struct.pack("<4sI", b"CLAW", len(table))
    return data + tail + struct.pack("<I", crc32(data + tail))


def _fat(path):
    return platform.fs_kind(path).endswith("fat")


def test_append_creates_and_returns_offsets():
    d = tmpdir("dur")
    p = d + "/a.log"
    assert durable.append(p, b"one\n") == 0
    assert durable.append(p, b"two\n") == 4
    assert read(p) == b"one\ntwo\n"
    assert listdir(d) == ["a.log"]


def test_append_closes_a_torn_tail():
    p = tmpdir("dur") + "/a.log"
    write(p, b'{"a":1}\n{"b":')
    assert durable.append(p, b"new\n") == 14
    assert read(p) == b'{"a":1}\n{"b":\nnew\n'
    assert durable.append(p, b"next\n") == 18
    assert read(p) == b'{"a":1}\n{"b":\nnew\nnext\n'


def test_append_of_binary_adds_nothing():
    p = tmpdir("dur") + "/a.idx"
    assert durable.append(p, b"\x01\x02", line=False) == 0
    assert durable.append(p, b"\x03", line=False) == 2
    assert read(p) == b"\x01\x02\x03"


def test_append_across_sectors_and_clusters():
    p = tmpdir("dur") + "/a.log"
    want = b""
    for n in (511, 1, 512, 513, 4095, 4097, 300):
        data = b"x" * (n - 1) + b"\n"
        assert durable.append(p, data) == len(want)
        want += data
        assert read(p) == want


def test_replace_takes_chunks_once():
    d = tmpdir("dur")
    p = d + "/config.json"
    durable.replace(p, iter((b"old ", b"content")))
    assert read(p) == b"old content"
    durable.replace(p, (b"%d," % n for n in range(3)))
    assert read(p) == b"0,1,2,"
    durable.replace(p, ())
    assert read(p) == b""
    assert listdir(d) == ["config.json"]


def test_replace_can_read_what_it_replaces():
    p = tmpdir("dur") + "/a.log"
    write(p, b"abc" * 700)

    def chunks():
        with open(p, "rb") as f:
            while True:
                piece = f.read(100)
                if not piece:
                    return
                yield piece.replace(b"a", b"A")

    durable.replace(p, chunks())
    assert read(p) == b"Abc" * 700


def test_replace_many_writes_and_removes():
    d = tmpdir("dur")
    write(d + "/a_long_name_0123456789.log", b"a" * 3000)
    write(d + "/b.idx", b"b")
    write(d + "/c.blocked", b"")
    write(d + "/other", b"stays")
    durable.replace_many(
        (
            (d + "/a_long_name_0123456789.log", (b"A" * 700, b"B")),
            (d + "/b.idx", (b"B" * 5000,)),
            (d + "/c.blocked", None),
            (d + "/new.txt", (b"new",)),
        )
    )
    assert read(d + "/a_long_name_0123456789.log") == b"A" * 700 + b"B"
    assert read(d + "/b.idx") == b"B" * 5000
    assert read(d + "/new.txt") == b"new"
    assert listdir(d) == ["a_long_name_0123456789.log", "b.idx", "new.txt", "other"]


def test_remove_tells_whether_there_was_one():
    d = tmpdir("dur")
    write(d + "/some_long_name_here.log", b"x")
    assert durable.remove(d + "/some_long_name_here.log") is True
    assert durable.remove(d + "/some_long_name_here.log") is False
    assert listdir(d) == []


def test_make_dirs():
    d = tmpdir("dur")
    durable.make_dirs(d + "/memory/sessions/chat_map")
    durable.make_dirs(d + "/memory/sessions/chat_map")
    assert platform.isdir(d + "/memory/sessions/chat_map")
    write(d + "/file", b"")
    raises(IOFailure, durable.make_dirs, d + "/file/below")


def test_derive_replaces():
    d = tmpdir("dur")
    durable.write_derived(d + "/MEMORY.md", (b"long " * 300,))
    durable.write_derived(d + "/MEMORY.md", (b"short",))
    assert read(d + "/MEMORY.md") == b"short"
    assert listdir(d) == ["MEMORY.md"]


def test_recover_of_a_clean_directory_writes_nothing():
    d = tmpdir("dur")
    durable.append(d + "/a.log", b"x\n")

    def refuse(*_):
        raise AssertionError("written to")

    class Os:
        stat = durable._os.stat
        remove = rename = mkdir = refuse

    real = durable._os
    durable._os = Os
    try:
        assert _with_open(refuse, lambda: durable.recover(d)) == []
    finally:
        durable._os = real
    assert durable.recover(d + "/missing") == []


def test_recover_replays_a_complete_journal():
    d = tmpdir("dur")
    write(d + "/a.log", b"half")
    write(d + "/gone.log", b"x")
    write(d + "/claw.jnl", _journal(b"700 a.log\n- gone.log\n2 b.idx\n", b"A" * 700 + b"bb"))
    notices = durable.recover(d)
    assert len(notices) == 1 and d in notices[0], notices
    assert read(d + "/a.log") == b"A" * 700
    assert read(d + "/b.idx") == b"bb"
    assert listdir(d) == ["a.log", "b.idx"]
    assert durable.recover(d) == []


def test_recover_ignores_and_removes_an_incomplete_journal():
    d = tmpdir("dur")
    whole = _journal(b"6 a.log\n- b.log\n", b"newone")
    for cut in range(len(whole)):
        for damaged in (whole[:cut], whole[:cut] + b"\xff" + whole[cut + 1 :]):
            write(d + "/a.log", b"old")
            write(d + "/b.log", b"old")
            write(d + "/claw.jnl", damaged)
            assert durable.recover(d) == []
            assert read(d + "/a.log") == b"old"
            assert listdir(d) == ["a.log", "b.log"]


def test_a_journal_is_replayed_before_the_next_write():
    d = tmpdir("dur_unseen")
    write(d + "/a.log", b"hal")
    write(d + "/claw.jnl", _journal(b"4 a.log\n", b"all\n"))
    assert durable.append(d + "/a.log", b"more\n") == 4
    assert read(d + "/a.log") == b"all\nmore\n"


def test_recover_removes_temporary_files_it_owns():
    d = tmpdir("dur")
    write(d + "/a.log.tmp", b"x")
    write(d + "/notes.tmp", b"mine")
    durable.recover(d, lambda name: name.endswith(".log"))
    assert listdir(d) == ["notes.tmp"]
    durable.recover(d)
    assert listdir(d) == []


def test_recover_finishes_temporary_files_only_with_their_journal():
    d = tmpdir("dur")
    write(d + "/a.log", b"old")
    write(d + "/a.log.tmp", b"new")
    write(d + "/b.log.tmp", b"stray")
    if _fat(d):
        return
    write(d + "/claw.jnl", _journal(b"= a.log\n= done.log\n"))
    durable.recover(d)
    assert read(d + "/a.log") == b"new"
    assert listdir(d) == ["a.log"]


def test_an_alias_left_by_a_torn_removal_is_removed_with_it():
    d = tmpdir("dur")
    if not _fat(d):
        return
    write(d + "/CHAT_D~1.LOG", b"x")
    write(d + "/CHAT_D~1.IDX", b"x")
    write(d + "/claw.jnl", _journal(b"- chat_default_01.log\n"))
    durable.recover(d)
    assert listdir(d) == ["CHAT_D~1.IDX"]


def _state(d):
    return [(name, read(d + "/" + name).rstrip(b"\n")) for name in listdir(d)]


def _works(d):
    # (name, work, result that the caller may see besides the old state)
    long = b"".join(b"line %d\n" % n for n in range(200))
    return (
        ("append", lambda: durable.append(d + "/a.log", b"two\nthree\n")),
        ("append new", lambda: durable.append(d + "/n.log", b"two\nthree\n")),
        ("replace", lambda: durable.replace(d + "/a.log", (long, b"end\n"))),
        ("replace new", lambda: durable.replace(d + "/n.log", (long, b"end\n"))),
        (
            "many",
            lambda: durable.replace_many(
                ((d + "/a.log", (long,)), (d + "/b.log", (b"B\n",)), (d + "/c.log", None))
            ),
        ),
        ("remove", lambda: durable.remove(d + "/a.log")),
    )


def _old(d):
    for name in listdir(d):
        durable._os.remove(d + "/" + name)
    write(d + "/a.log", b"one\n")
    write(d + "/b.log", b"bbb\n")
    write(d + "/c.log", b"ccc\n")
    return _state(d)


def test_each_failing_write_leaves_the_old_state():
    d = tmpdir("dur")
    for index in range(6):
        name, work = _works(d)[index]
        _old(d)
        work()
        after = _state(d)
        for code, error in ((28, NoSpace), (5, IOFailure)):
            for lasting in (True, False):
                at = 0
                while True:
                    at += 1
                    before = _old(d)
                    failing = Failing(at, code, lasting)
                    try:
                        _with_open(failing.open, work)
                        assert failing.left > 0 or not lasting or name == "remove", (name, at)
                        assert _state(d) == after, (name, at, code)
                        if failing.left > 0:
                            break
                        continue
                    except error as e:
                        assert d in str(e), e
                    if not exists(d + "/claw.jnl"):
                        assert _state(d) == before, (name, at, code, _state(d))
                    work()
                    assert [n for n, _ in _state(d)] == [n for n, _ in after], (name, at)


def test_on_a_full_disk_files_can_still_be_removed():
    d = tmpdir("dur")
    names = [d + "/" + n for n in ("a_name_of_some_length.log", "b.idx", "c.blocked")]
    for name in names:
        write(name, b"x")
    full = Failing(1, 28)
    assert _with_open(full.open, lambda: durable.remove(names[0])) is True
    _with_open(full.open, lambda: durable.replace_many([(n, None) for n in names[1:]]))
    assert listdir(d) == []


def test_a_short_write_is_an_error():
    d = tmpdir("dur")
    p = d + "/a.log"
    write(p, b"one\n")

    class Short(_File):
        def write(self, data):
            return self.file.write(data[: (len(data) + 1) // 2])

    def short(path, mode):
        return Short(open(path, mode), None)

    for work in (
        lambda: durable.append(p, b"two\nthree\nfour\n"),
        lambda: durable.replace(p, (b"two",)),
        lambda: durable.replace_many(((p, (b"two",)), (d + "/b", (b"b",)))),
    ):
        raises(NoSpace, _with_open, short, work)
        assert read(p).rstrip(b"\n") == b"one"
        assert listdir(d) == ["a.log"]


def test_too_little_ram_is_told_as_such():
    if not ON_DEVICE:
        return  # CPython has room for an exception
    import micropython

    d = tmpdir("dur_ram")
    write(d + "/a", b"old")

    def locked(path, mode):
        Os.locked = micropython.heap_lock() is None
        return open(path, mode)

    class Os:
        stat = durable._os.stat
        locked = False

        @staticmethod
        def remove(path):
            if not Os.locked:
                return real.remove(path)
            Os.locked = False
            try:
                raise OSError(2)  # there is no such file yet
            finally:
                micropython.heap_unlock()

    real = durable._os
    durable._os = Os
    try:
        raises(MemoryError, _with_open, locked, lambda: durable.replace(d + "/a", (b"new",)))
    finally:
        durable._os = real
    assert read(d + "/a") == b"old"


def test_a_failing_source_changes_nothing():
    d = tmpdir("dur")
    p = d + "/a.log"
    write(p, b"one\n")

    def chunks():
        yield b"two"
        raise ValueError("no more")

    raises(ValueError, durable.replace, p, chunks())
    raises(ValueError, durable.replace_many, ((p, chunks()), (d + "/b", (b"b",))))
    assert read(p) == b"one\n"
    assert listdir(d) == ["a.log"]


def test_a_missing_directory_is_an_io_failure():
    d = tmpdir("dur")
    for work in (
        lambda: durable.append(d + "/no/a.log", b"x\n"),
        lambda: durable.replace(d + "/no/a.log", (b"x",)),
    ):
        assert d in str(raises(IOFailure, work))


def test_fat_refuses_before_it_touches_anything():
    d = tmpdir("dur")
    if not _fat(d):
        return
    p = d + "/a.log"
    write(p, b"one\n")
    st = fatdir.os.statvfs(d)

    class Os:
        free = 0

        def __getattr__(self, name):
            return getattr(real, name)

        def statvfs(self, path):
            return (st[0], st[1], st[2], self.free, self.free) + tuple(st[5:])

    real = fatdir.os
    fatdir.os = Os()
    try:
        raises(NoSpace, durable.append, p, b"x" * st[0])
        raises(NoSpace, durable.replace, p, (b"x",))
        assert read(p) == b"one\n"
        assert listdir(d) == ["a.log"]
        fatdir.os.free = 3
        raises(NoSpace, durable.replace, p, (b"x" * (4 * st[0]),))
        assert read(p) == b"one\n"
        durable.replace(p, (b"x",))
        durable.append(p, b"more\n")
    finally:
        fatdir.os = real
    assert read(p) == b"x\nmore\n"


def test_a_directory_in_the_way_blocks_nothing_else():
    d = tmpdir("dur")
    durable.make_dirs(d + "/a.idx")
    raises(IOFailure, durable.replace, d + "/a.idx", (b"x",))
    raises(IOFailure, durable.replace_many, ((d + "/b", (b"b",)), (d + "/a.idx", (b"x",))))
    raises(IOFailure, durable.replace_many, ((d + "/b", (b"b",)), (d + "/a.idx", None)))
    assert listdir(d) == ["a.idx"]
    durable.replace(d + "/b", (b"fine",))
    durable.append(d + "/c", b"fine\n")
    assert durable.recover(d) == []
    assert read(d + "/b") == b"fine" and read(d + "/c") == b"fine\n"


def test_a_folder_in_the_place_of_the_journal_is_put_aside():
    d = tmpdir("dur")
    write(d + "/a", b"old")
    durable.make_dirs(d + "/claw.jnl/deep")
    found = durable.recover(d)
    assert len(found) == 1 and "claw.jnl.bad" in found[0], found
    durable.replace(d + "/a", (b"new",))
    durable.append(d + "/b", b"line\n")
    assert read(d + "/a") == b"new" and listdir(d) == ["a", "b", "claw.jnl.bad"]
    assert durable.recover(d) == []
