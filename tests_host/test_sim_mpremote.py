"""The real mpremote on the simulated board, at its prompt and in the middle of a chat."""

import hashlib
import os
import random
import subprocess
import time

import pytest
from tests_host.boardlib import BANNER, REPL, Board
from test_sim_board import ECHO


@pytest.fixture(params=["lfs2", "fat"])
def board(request):
    with Board({"/main.py": ECHO}, fs=request.param) as one:
        one.prompt()
        one.disconnect()
        yield one


def test_files_are_listed_and_copied_both_ways(board, tmp_path):
    data = random.Random(7).randbytes(20000)
    (tmp_path / "big.bin").write_bytes(data)
    assert "main.py" in board.mpremote("fs", "ls")
    board.mpremote("fs", "mkdir", ":dir")
    board.mpremote("fs", "cp", str(tmp_path / "big.bin"), ":dir/big.bin")
    assert board.mpremote("fs", "ls", ":dir").split()[-2:] == ["20000", "big.bin"]
    board.mpremote("fs", "cp", ":dir/big.bin", str(tmp_path / "back.bin"))
    assert (tmp_path / "back.bin").read_bytes() == data
    digest = hashlib.sha256(data).hexdigest()
    assert digest in board.mpremote("fs", "sha256sum", ":dir/big.bin")
    board.mpremote("fs", "rm", ":dir/big.bin")
    assert "big.bin" not in board.mpremote("fs", "ls", ":dir")


def test_exec_run_eval_and_df(board, tmp_path):
    assert board.mpremote("exec", "print(6 * 7)") == "42\r\n"
    assert board.mpremote("eval", "6 * 7") == "42\r\n"
    (tmp_path / "p.py").write_text("import os\nprint('main.py' in os.listdir('/'))\n")
    assert board.mpremote("run", str(tmp_path / "p.py")) == "True\r\n"
    assert ("VfsLfs2" if board.fs == "lfs2" else "VfsFat") in board.mpremote("df")
    failed = board.mpremote("exec", "1/0", check=False)
    assert "ZeroDivisionError" in failed


def test_soft_reset_clears_names_and_reset_starts_main_again(board):
    board.mpremote("exec", "x = 5")
    assert board.mpremote("resume", "exec", "print(x)") == "5\r\n"
    board.mpremote("soft-reset")
    assert "NameError" in board.mpremote("resume", "exec", "print(x)", check=False)
    board.mpremote("reset")
    board.connect()
    # What is typed before the restart is lost with the old program, and what was printed before
    # the terminal came may be lost as well.
    seconds = time.monotonic() + 60
    while b"you> " not in board.output and time.monotonic() < seconds:
        board.send("\r")
        board.read(1)
    board.prompt()
    board.send("hello\r")
    board.expect("echo hello\r\nyou> ")


def test_mount_serves_a_folder_of_the_host(board, tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    data = random.Random(8).randbytes(30000) + b"\n\r\n\n\r\r\n" * 50
    (folder / "data.bin").write_bytes(data)
    (folder / "mod.py").write_text("print('imported')\n")
    program = (
        "import mod, hashlib, binascii\n"
        "with open('data.bin', 'rb') as f: d = f.read()\n"
        "print(binascii.hexlify(hashlib.sha256(d).digest()).decode())\n"
        "with open('copy.bin', 'wb') as f: n = f.write(d)\n"
    )
    text = board.mpremote("mount", str(folder), "exec", program)
    assert "imported" in text and hashlib.sha256(data).hexdigest() in text
    assert (folder / "copy.bin").read_bytes() == data


def test_mpremote_breaks_into_a_running_chat_every_time(board):
    for _ in range(3):
        board.mpremote("reset")
        time.sleep(0.7)
        assert "main.py" in board.mpremote("fs", "ls")
    board.connect()
    board.send("\r")
    board.expect(REPL)
    board.send("\x04")
    board.expect("soft reboot\r\n")
    board.prompt()
    board.send_line("/exit")
    assert "bye" in board.expect(BANNER)


def test_interrupted_copy_leaves_a_board_that_answers(board, tmp_path):
    (tmp_path / "big.bin").write_bytes(os.urandom(200000))
    with pytest.raises(subprocess.TimeoutExpired):
        board.mpremote("fs", "cp", str(tmp_path / "big.bin"), ":big.bin", timeout=2)
    assert "main.py" in board.mpremote("fs", "ls")
