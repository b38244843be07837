import os

import claw_caps
from bothlib import exists, read, run, tmpdir, write
from claw_core.capability import CallContext, Capabilities
from claw_memory import jsonio, limits


OUTSIDE = r"""config.json
/config.json
memory/config.json
../config.json
files/../config.json
files/../../config.json
files/./x
files/..
files/
files//x
files
/skills
memory
memory/
/
.
..
~
memory/memory_records.jsonl
MEMORY/MEMORY_RECORDS.JSONL
memory_records.jsonl
sessions/x
deep.txt
files/a:b
files/a*
files/a?
files/a"b
files/<a
files/a>
files/a|b
files/a\b
files\a
files\..\config.json
files/a.
files/.. /config.json
user.md/x
user.md.
user.md::$DATA
memory/x/user.md
memory/memory/user.md
files/claw.jnl
files/CLAW.JNL
files/a.tmp
files/a.TMP
/etc/passwd
//etc/passwd
boot.py
main.py
files/1/2/3/4
CONFIG~1.JSO"""


class Config:
    def get(self, key):
        return None


class Root:
    """What the file tools need of a Memory, without its stores."""

    scope = None

    def __init__(self, root, mode="full"):
        self.root = root
        self.memory_dir = root + "/memory"
        self.longterm = None if mode == "lightweight" else self
        os.mkdir(self.memory_dir)
        write(root + "/config.json", '{"model.key":"secret-1"}')
        write(self.memory_dir + "/user.md", "# User\n\nLikes tea.\n")
        write(self.memory_dir + "/memory_records.jsonl", '{"id":"raw"}\n')
        write(self.memory_dir + "/MEMORY.md", "# Long-term Memory\n\n- old\n")


class Board:
    def __init__(self, mode="full"):
        self.memory = Root(tmpdir("files"), mode)
        self.caps = Capabilities()
        claw_caps.register_all(self.caps, self.memory, Config())
        self.ctx = CallContext(self.memory, Config(), "chat:a:0:b", 1, "a", "0", None)

    def ask(self, tool, **args):
        text, failed = run(self.caps.call(tool, args, self.ctx))
        assert len(text.encode()) <= limits.TOOL_OUTPUT
        out = jsonio.loads(text)
        assert failed is not out["ok"]
        return out


def test_profile_is_read_under_each_of_its_names():
    board = Board()
    root = board.memory.root
    for path in ("user.md", "memory/user.md", root + "/memory/user.md", "USER.MD", " user.md "):
        out = board.ask("files_read", path=path)
        assert out["text"] == "# User\n\nLikes tea.\n", path
        assert out["path"] == "user.md" and out["bytes"] == 19
        assert "truncated" not in out


def test_nothing_else_can_be_reached():
    board = Board()
    root = board.memory.root
    write(root + "/deep.txt", "outside")
    bad = [
        "",
        " ",
        "files/a .",
        "files/a /b",
        "files/ x",
        "files/a\nb",
        "files/a\x00b",
        "files/a\x7f",
        "soul.md\x00",
        "files/" + "n" * 65,
        "files/" + "\u00e9" * 33,
        root + "/config.json",
        root + "/../config.json",
    ]
    for line in OUTSIDE.split("\n") + bad:
        for out in (
            board.ask("files_read", path=line),
            board.ask("files_edit", path=line, content="owned"),
            board.ask("files_edit", path=line, append="owned"),
        ):
            assert out["ok"] is False and out["error"] == "invalid_arg", line
            assert "secret-1" not in jsonio.dumps(out)
    assert not exists(root + "/files")
    assert read(root + "/config.json") == b'{"model.key":"secret-1"}'
    assert read(board.memory.memory_dir + "/memory_records.jsonl") == b'{"id":"raw"}\n'


def test_create_append_and_replace():
    board = Board()
    out = board.ask("files_edit", path="files/list.txt", content="milk\neggs")
    assert out["bytes"] == 9
    board.ask(
        "files_edit",
        path=board.memory.root + "/files/list.txt",
        append="tea",
    )
    assert read(board.memory.root + "/files/list.txt") == b"milk\neggs\ntea\n"
    board.ask("files_edit", path="FILES/list.txt", old="eggs", new="bread é")
    assert board.ask("files_read", path="files/list.txt")["text"] == "milk\nbread é\ntea\n"
    board.ask("files_edit", path="files/list.txt", old="milk\n", new="")
    assert read(board.memory.root + "/files/list.txt") == "bread é\ntea\n".encode()
    board.ask("files_edit", path="skills/brew/tea/how.md", content="Boil water.")
    assert read(board.memory.root + "/skills/brew/tea/how.md") == b"Boil water."


def test_replace_wants_the_text_exactly_once():
    board = Board()
    board.ask("files_edit", path="files/a.txt", content="aaa bb")
    for old in ("zz", "aa", ""):
        assert board.ask("files_edit", path="files/a.txt", old=old, new="c")["ok"] is False
    assert board.ask("files_edit", path="files/b.txt", old="a", new="c")["error"] == "not_found"
    assert board.ask("files_edit", path="files/a.txt")["ok"] is False
    assert board.ask("files_edit", path="files/a.txt", new="x")["ok"] is False
    assert board.ask("files_edit", path="files/a.txt", content="x", append="y")["ok"] is False
    assert read(board.memory.root + "/files/a.txt") == b"aaa bb"


def test_sizes_are_limited():
    board = Board()
    full = "x" * limits.FILE_BYTES
    board.ask("files_edit", path="files/a.txt", content=full)
    assert board.ask("files_edit", path="files/b.txt", content=full + "x")["error"] == "no_space"
    assert board.ask("files_edit", path="files/a.txt", append="y")["error"] == "no_space"
    out = board.ask("files_edit", path="user.md", content="y" * (limits.PROFILE_BYTES + 1))
    assert out["error"] == "no_space"
    assert len(read(board.memory.root + "/files/a.txt")) == limits.FILE_BYTES
    assert not exists(board.memory.root + "/files/b.txt")
    write(board.memory.root + "/files/c.txt", "z" * (limits.FILE_BYTES + 1))
    assert board.ask("files_edit", path="files/c.txt", old="zz", new="")["ok"] is False


def test_memory_md_belongs_to_the_memory_tools_in_full_mode():
    board = Board()
    for path in ("MEMORY.md", "memory.md", "memory/Memory.MD"):
        assert board.ask("files_edit", path=path, content="x")["error"] == "invalid_state"
    assert read(board.memory.memory_dir + "/MEMORY.md") == b"# Long-term Memory\n\n- old\n"
    board = Board("lightweight")
    assert [n for n in board.caps.names() if n.startswith("memory_")] == ["memory_note"]
    board.ask("files_edit", path="memory.md", append="- likes tea")
    assert read(board.memory.memory_dir + "/MEMORY.md").endswith(b"- old\n- likes tea\n")


def test_a_long_file_is_read_in_pieces_cut_on_characters():
    board = Board()
    for body in ("日本語と" * 900, "a\u00e9\u65e5\U0001f600" * 700, "\x01\x02" * 4000):
        write(board.memory.memory_dir + "/soul.md", body)
        got = ""
        at = 0
        calls = 0
        while calls < 60:
            out = board.ask("files_read", path="soul.md", offset=at)
            got += out["text"]
            calls += 1
            if "truncated" not in out:
                break
            assert out["next_offset"] > at
            at = out["next_offset"]
        assert got == body
    out = board.ask("files_read", path="soul.md", offset=99999)
    assert out["text"] == "" and "truncated" not in out
    write(board.memory.memory_dir + "/soul.md", "日本")
    assert board.ask("files_read", path="soul.md", offset=1)["text"] == "本"


def test_bytes_that_are_no_text_do_not_break_the_result():
    board = Board()
    write(board.memory.memory_dir + "/soul.md", b"\x80" * 9000 + b"end")
    at = 0
    for _ in range(10):
        out = board.ask("files_read", path="soul.md", offset=at)
        if "truncated" not in out:
            break
        at = out["next_offset"]
    assert out["text"] == "end"


def test_listing():
    board = Board()
    out = board.ask("files_list")
    assert [f["path"] for f in out["files"]] == ["user.md", "MEMORY.md"]
    board.ask("files_edit", path="files/b.txt", content="22")
    board.ask("files_edit", path="files/sub/a.txt", content="1")
    board.ask("files_edit", path="skills/s.md", content="333")
    write(board.memory.root + "/files/left.tmp", "x")
    out = board.ask("files_list")
    assert sorted([(f["path"], f["bytes"]) for f in out["files"][2:]]) == [
        ("files/b.txt", 2),
        ("files/sub/a.txt", 1),
        ("skills/s.md", 3),
    ]
    for folder in ("files/sub", "files/sub/"):
        out = board.ask("files_list", folder=folder)
        assert [f["path"] for f in out["files"]] == ["files/sub/a.txt"]
    assert board.ask("files_list", folder="skills/none")["files"] == []
    for folder in ("memory", "..", "files/..", "/etc", "sessions"):
        assert board.ask("files_list", folder=folder)["ok"] is False


def test_a_long_listing_says_that_it_is_cut():
    board = Board()
    old = limits.FILES_LISTED
    limits.FILES_LISTED = 4
    try:
        for i in range(4):
            board.ask("files_edit", path="files/%d.txt" % i, content="x")
        out = board.ask("files_list")
    finally:
        limits.FILES_LISTED = old
    assert len(out["files"]) == 4 and out["truncated"] is True


def test_a_cut_edit_is_completed_or_undone_before_reading():
    board = Board()
    board.ask("files_edit", path="files/a.txt", content="whole")
    write(board.memory.root + "/files/a.txt.tmp", "half")
    assert board.ask("files_read", path="files/a.txt")["text"] == "whole"
    assert not exists(board.memory.root + "/files/a.txt.tmp")
