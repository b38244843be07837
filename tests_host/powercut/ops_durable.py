"""The operations of durable.py itself, on files whose content tells what was lost."""

from claw_memory import durable, platform

from workload import Op

_LONG = "chat_default_01_a_long_session_name_%02d.log"


def _write(path, data):
    with open(path, "wb") as f:
        f.write(data)


def _read(path):
    if platform.size(path) < 1:
        return b""  # an empty file counts as none
    with open(path, "rb") as f:
        data = f.read()
    while b"\n\n" in data:  # blank lines, as a failed append leaves them, say nothing
        data = data.replace(b"\n\n", b"\n")
    return data


def _text(n, tag):
    return b"".join(b"%s line %d\n" % (tag, i) for i in range(n))


class _DurableOp(Op):
    """All files lie in /m/d, between others that must stay as they are."""

    files = ("a.log", "b.idx", _LONG % 7)
    crowd = 3
    on_locked_heap = True

    def setup(self, root):
        durable.make_dirs(root + "/d")
        for n in range(self.crowd):
            _write(root + "/d/" + _LONG % n, _text(20, b"other"))
        _write(root + "/d/a.log", _text(70, b"old"))
        _write(root + "/d/b.idx", b"idx" * 200)
        _write(root + "/d/" + _LONG % 7, _text(90, b"long"))
        _write(root + "/d/other.txt", b"stays\n")

    def open(self, root):
        durable.recover(root + "/d")
        return root + "/d/"

    def view(self, d):
        return [_read(d + name) for name in self.files]


class Append(_DurableOp):
    name = "append"
    steps = (
        lambda d: durable.append(d + "a.log", b"one more\n"),
        lambda d: durable.append(d + "a.log", _text(30, b"block")),
    )

    def view(self, d):
        return _read(d + "a.log")

    def expect(self, views):
        return [v[len(views[0]) :] for v in views[1:]] == [
            b"one more\n",
            b"one more\n" + _text(30, b"block"),
        ]


class AppendEveryPrefix(Append):
    name = "append_every_prefix"
    on_locked_heap = False
    kinds = ("lfs2",)
    every_prefix = True
    steps = (lambda d: durable.append(d + "a.log", b"one more\n"),)

    def expect(self, views):
        return True


class AppendAtCluster(_DurableOp):
    name = "append_at_cluster_boundary"
    files = ("a.log",)
    steps = (
        lambda d: durable.append(d + "a.log", b"x" * 511 + b"\n"),
        lambda d: durable.append(d + "a.log", b"next cluster\n"),
        lambda d: durable.append(d + "a.log", _text(600, b"y")),
    )

    def setup(self, root):
        _DurableOp.setup(self, root)
        _write(root + "/d/a.log", (b"z" * 63 + b"\n") * 64)


class AppendNew(_DurableOp):
    name = "append_new_file"
    files = ("n.log", _LONG % 8)
    steps = (
        lambda d: durable.append(d + "n.log", b"first\n"),
        lambda d: durable.append(d + _LONG % 8, b"first\n"),
        lambda d: durable.append(d + _LONG % 8, b"second\n"),
    )


class AppendTorn(_DurableOp):
    """The file ends in half a line, as a full disk or another program leaves it."""

    name = "append_after_torn_tail"
    steps = (
        lambda d: durable.append(d + "a.log", b"a1 whole line\n"),
        lambda d: durable.append(d + "a.log", b"a2 whole line\n"),
    )

    def setup(self, root):
        _DurableOp.setup(self, root)
        _write(root + "/d/a.log", b"first whole line\nhalf a li")

    def view(self, d):
        return [line for line in _read(d + "a.log").split(b"\n") if line.endswith(b"whole line")]

    def expect(self, views):
        return views[2] == [b"first whole line", b"a1 whole line", b"a2 whole line"]


class Replace(_DurableOp):
    name = "replace"
    steps = (
        lambda d: durable.replace(d + "a.log", (_text(100, b"new"), b"end")),
        lambda d: durable.replace(d + _LONG % 7, (b"short",)),
        lambda d: durable.replace(d + "b.idx", (b"",)),
    )

    def expect(self, views):
        return views[-1] == [_text(100, b"new") + b"end", b"", b"short"]


class ReplaceNew(_DurableOp):
    name = "replace_new_file"
    files = ("n.json", _LONG % 9)
    steps = (
        lambda d: durable.replace(d + "n.json", (b"{}",)),
        lambda d: durable.replace(d + _LONG % 9, (_text(99, b"new"),)),
    )


class ReplaceMany(_DurableOp):
    name = "replace_many"
    files = ("a.log", "b.idx", _LONG % 7, "new.txt")
    steps = (
        lambda d: durable.replace_many(
            (
                (d + "a.log", (_text(40, b"new"),)),
                (d + "b.idx", (b"IDX" * 300,)),
                (d + _LONG % 7, None),
                (d + "new.txt", (b"new",)),
            )
        ),
    )

    def expect(self, views):
        return views[1] == [_text(40, b"new"), b"IDX" * 300, b"", b"new"]


class Remove(_DurableOp):
    """Long names, so many that the directory entries of some lie in two sectors of FAT."""

    name = "remove"
    crowd = 7
    files = tuple(_LONG % n for n in range(7)) + ("a.log",)
    steps = tuple(
        (lambda d, n=n: durable.remove(d + _LONG % n)) for n in (2, 0, 5, 1, 6, 3, 4)
    ) + (lambda d: durable.remove(d + "a.log"),)

    def expect(self, views):
        return views[-1] == [b""] * 8


class GrowDirectory(_DurableOp):
    """So many files that the directory itself needs another cluster."""

    name = "grow_directory"
    files = tuple("g%d_with_a_name_of_some_length.txt" % n for n in range(6))
    steps = tuple(
        (lambda d, n=n: durable.append(d + "g%d_with_a_name_of_some_length.txt" % n, b"x\n"))
        for n in range(6)
    )


class MakeDirs(Op):
    name = "make_dirs"
    steps = (
        lambda root: durable.make_dirs(root + "/sessions/chat_map"),
        lambda root: durable.make_dirs(root + "/sessions/subagent_map"),
    )

    def view(self, root):
        return True

    def expect(self, views):
        return True


class Derive(_DurableOp):
    """Only the other files count here; on LittleFS2 the file itself as well."""

    name = "derive"
    steps = (lambda d: durable.write_derived(d + "a.log", (_text(120, b"derived"),)),)
    files = ("b.idx", _LONG % 7)


OPS = (
    Append,
    AppendEveryPrefix,
    AppendAtCluster,
    AppendNew,
    AppendTorn,
    Replace,
    ReplaceNew,
    ReplaceMany,
    Remove,
    GrowDirectory,
    MakeDirs,
    Derive,
)
