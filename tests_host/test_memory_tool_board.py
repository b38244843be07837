"""tools/memory.py over the real mpremote: backup, wipe, restore, compared byte for byte."""

import json
import pathlib

import pytest

from tests_host import boardlib
from tests_host.flash_kit import one_sentence, tool

from flash_board import Board

STORE = {
    "/memory/memory_records.jsonl": b'{"id":"mem-1-0001","content":"The cat is called Pixel"}\n',
    "/memory/user.md": "# 用户\n".encode(),
    "/sessions/s_chat_0f0f0f0f.log": bytes(range(256)) * 40,
    "/sessions/s_chat_0f0f0f0f.log.idx": b"CHDX\1\0\x0a\0",
    "/sessions/chat_map/chat_x.json": b"{}",
    "/sessions/empty.blocked": b"",
    "/config.json": b'{"model.key": "sk-hidden", "model.name": "m", "wifi.password": "pw"}',
    "/lib/own.py": b"x = 1\n",
}


# Fills the file system of the board with files of 64 KB, then of 4 KB.
FILL = """
for size in (65536, 4096):
    for number in range(1000):
        try:
            with open("/own%d-%d" % (size, number), "wb") as file:
                if file.write(bytes(size)) < size:
                    break
        except OSError:
            break
"""


@pytest.fixture(params=["lfs2", "fat"])
def both(request):
    """A simulated board that holds STORE and no firmware, with either file system."""
    with boardlib.Board(STORE, fs=request.param) as sim:
        sim.disconnect()
        yield sim


@pytest.fixture
def board():
    """A simulated board that holds STORE and no firmware."""
    with boardlib.Board(STORE) as sim:
        sim.disconnect()
        yield sim


def files_on(sim):
    link = Board(sim.link)
    try:
        link.enter(soft_reset=False)
        return {path: link.read_file(path, size) for path, size in link.tree("")}
    finally:
        link.close()


def change(sim, work):
    link = Board(sim.link)
    try:
        link.enter(soft_reset=False)
        work(link)
    finally:
        link.close()


def backup(sim, target, *options):
    process = tool("memory", "backup", "--port", sim.link, "--to", target, *options)
    assert process.returncode == 0, process.stderr
    (made,) = pathlib.Path(target).iterdir()
    return made, process.stdout


def test_backup_wipe_restore_is_byte_for_byte(both, tmp_path):
    made, text = backup(both, tmp_path / "b", "--with-secrets")
    assert "7 files are in" in text
    for path, data in STORE.items():
        if path != "/lib/own.py":
            assert (made / path.lstrip("/")).read_bytes() == data
    change(both, lambda link: link.remove([p for p in STORE if p != "/lib/own.py"]))
    assert set(files_on(both)) == {"/lib/own.py"}
    process = tool("memory", "restore", made, "--port", both.link, "--yes")
    assert process.returncode == 0 and "7 files written" in process.stdout, process.stderr
    assert files_on(both) == STORE
    process = tool("memory", "restore", made, "--port", both.link, "--yes")
    assert not process.returncode, process.stderr
    assert "0 files written, 0 removed" in process.stdout


def test_restore_replaces_and_removes_and_leaves_the_rest(board, tmp_path):
    made, _ = backup(board, tmp_path / "b", "--with-secrets")

    def live_on(link):
        link.write_file("/memory/memory_records.jsonl", b"something else")
        link.write_file("/sessions/s_new_00000000.log", b"new")
        link.write_file("/main.old.py", b"mine")

    change(board, live_on)
    process = tool("memory", "restore", made, "--port", board.link, "--yes")
    assert "1 files written, 1 removed" in process.stdout
    assert files_on(board) == dict(STORE, **{"/main.old.py": b"mine"})


def test_secrets_stay_on_the_board_unless_asked_for(board, tmp_path):
    made, text = backup(board, tmp_path / "b")
    assert "--with-secrets includes them" in text
    everything = b"".join(p.read_bytes() for p in made.rglob("*") if p.is_file())
    assert b"sk-hidden" not in everything and b'"pw"' not in everything
    assert json.loads((made / "config.json").read_text()) == {"model.name": "m"}
    assert tool("memory", "restore", made, "--port", board.link, "--yes").returncode == 0
    assert json.loads(files_on(board)["/config.json"]) == json.loads(STORE["/config.json"])


def test_restore_asks_first(board, tmp_path):
    made, _ = backup(board, tmp_path / "b")
    change(board, lambda link: link.write_file("/memory/user.md", b"changed"))
    text = one_sentence(tool("memory", "restore", made, "--port", board.link))
    assert "Nothing was restored" in text
    assert files_on(board)["/memory/user.md"] == b"changed"


def test_backup_of_a_damaged_settings_file_leaks_nothing(board, tmp_path):
    change(board, lambda link: link.write_file("/config.json", b'{"model.key": "sk-hidden"'))
    made, _ = backup(board, tmp_path / "b")
    assert (made / "config.json").read_text() == "{}"


def test_card_that_is_not_mounted_is_one_sentence(board, tmp_path):
    change(board, lambda link: link.write_file("/config.json", b'{"memory.root": "/sd"}'))
    text = one_sentence(tool("memory", "backup", "--port", board.link, "--to", tmp_path / "b"))
    assert "no card is mounted" in text and not (tmp_path / "b").exists()


def test_full_board_is_one_sentence(board, tmp_path):
    made, _ = backup(board, tmp_path / "b", "--with-secrets")
    change(board, lambda link: link.remove(["/sessions/s_chat_0f0f0f0f.log"]))
    change(board, lambda link: link.run(FILL))
    text = one_sentence(tool("memory", "restore", made, "--port", board.link, "--yes"))
    assert "full" in text and "restore again" in text


def test_a_chat_is_backed_up_wiped_and_brought_back(tmp_path):
    with boardlib.Board(firmware=True) as sim:
        sim.prompt()
        sim.ask("my cat is called Pixel")
        sim.disconnect()
        made, _ = backup(sim, tmp_path / "b")
        before = {
            path: data
            for path, data in files_on(sim).items()
            if path.startswith(("/memory/", "/sessions/"))
        }
        listed = tool("memory", "list", made).stdout
        assert "Pixel" in listed and "1 memories." in listed
        process = tool("flash", "--port", sim.link, "--erase-data", "--yes")
        assert process.returncode == 0, process.stderr
        assert not [
            path
            for path, data in files_on(sim).items()
            if path.startswith(("/memory/", "/sessions/")) and b"Pixel" in data
        ]
        process = tool("memory", "restore", made, "--port", sim.link, "--yes")
        assert process.returncode == 0, process.stderr
        sim.connect()
        sim.send_line("")
        sim.send_line("what is my cat called?")
        sim.expect("cat is called Pixel")
        sim.prompt()
        sim.disconnect()
        after = files_on(sim)
        for path, data in before.items():
            # The chat goes on writing: what was restored is the beginning of what is there.
            assert after[path].startswith(data) or path.endswith((".idx", ".json", ".md")), path
