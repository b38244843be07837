"""The connection to a running board: taking it over in every state, and losing it."""

import os
import signal
import subprocess
import sys
import threading

import pytest
import serial

from tests_host import boardlib
from tests_host.flash_kit import REPO, TOOLS, SimBoard, one_sentence, small_firmware, tool

from flash_board import Board, BoardError, NoAnswer

BUSY = b"""from micropython import kbd_intr
import sys, select
kbd_intr(-1)
print("you> ", end="")
seen = 0
while True:
    if sys.stdin.buffer.read(1) == b"\\x03":
        seen += 1
        print("stopped")
        if seen == 2:
            break
kbd_intr(3)
"""


def taken_over(port):
    board = Board(port)
    try:
        board.enter(soft_reset=False)
        return board.run("print(6 * 7)").strip()
    finally:
        board.close()


@pytest.mark.parametrize("main", [b"while True:\n    pass\n", BUSY, b"import nothing\n"])
def test_board_is_taken_over_whatever_it_does(main):
    with boardlib.Board({"/main.py": main}) as sim:
        sim.disconnect()
        assert taken_over(sim.link) == "42"
        assert taken_over(sim.link) == "42"


def test_board_in_its_raw_repl_is_taken_over():
    with boardlib.Board() as sim:
        sim.send("\r\x01")
        sim.expect("raw REPL; CTRL-B to exit")
        sim.disconnect()
        assert taken_over(sim.link) == "42"


def test_soft_reset_frees_the_heap():
    with boardlib.Board({"/main.py": b"keep = bytearray(300000)\n"}) as sim:
        sim.disconnect()
        board = Board(sim.link)
        try:
            board.enter()
            assert board.run("print('keep' in globals())").strip() == "False"
        finally:
            board.close()


def test_the_files_of_this_computer_are_never_shown(tmp_path):
    with SimBoard(tmp_path) as sim:
        for _ in range(6):
            sim.power_cut()
            board = Board(sim.port)
            try:
                board.enter(soft_reset=False)
                assert board.run("print(remote_kind('/'))").strip() == "VfsLfs2"
                assert "/etc/passwd" not in dict(board.tree(""))
            finally:
                board.close()


def test_silent_port_is_one_sentence():
    leader, follower = os.openpty()
    try:
        board = Board(os.ttyname(follower))
        with pytest.raises(NoAnswer, match="No MicroPython answers"):
            board.enter()
        board.close()
    finally:
        os.close(leader)
        os.close(follower)


def test_port_in_use_is_one_sentence(tmp_path):
    with SimBoard(tmp_path) as sim:
        with serial.Serial(sim.port, exclusive=True):
            with pytest.raises(BoardError, match="is in use"):
                Board(sim.port)


def test_board_that_goes_away_is_one_sentence(tmp_path):
    with SimBoard(tmp_path) as sim:
        board = Board(sim.port)
        board.enter(soft_reset=False)
        timer = threading.Timer(0.5, sim.process.kill)
        timer.start()
        with pytest.raises(BoardError, match="went away or stopped answering"):
            for _ in range(10000):
                board.write_file("/x.bin", b"x" * 3000)
        board.close()
        timer.join()


def test_python_error_on_the_board_is_one_sentence(tmp_path):
    with SimBoard(tmp_path) as sim:
        board = Board(sim.port)
        try:
            board.enter(soft_reset=False)
            with pytest.raises(BoardError, match="reports ValueError: no"):
                board.run("raise ValueError('no')")
            assert board.run("print(1)") == "1\n"
        finally:
            board.close()


def test_unplugged_while_the_tool_copies(tmp_path):
    big = {"defaults/big.md": os.urandom(3000000)}
    folder = small_firmware(tmp_path / "firmware", extra=big)
    with SimBoard(tmp_path, size=8 << 20) as sim:
        command = [sys.executable, str(TOOLS / "flash.py"), "--port", sim.port, "--folder", folder]
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=str(REPO)
        )
        while "Installing" not in process.stdout.readline():
            assert process.poll() is None
        sim.process.kill()
        output, errors = process.communicate(timeout=60)
        done = subprocess.CompletedProcess(command, process.returncode, output, errors)
        assert "went away" in one_sentence(done)


def test_ctrl_c_while_the_tool_copies_then_again(tmp_path):
    big = {"defaults/big.md": os.urandom(1500000)}
    folder = small_firmware(tmp_path / "firmware", extra=big)
    with SimBoard(tmp_path, size=8 << 20) as sim:
        command = [sys.executable, str(TOOLS / "flash.py"), "--port", sim.port, "--folder", folder]
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=str(REPO)
        )
        while "Installing" not in process.stdout.readline():
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=60)
        done = subprocess.CompletedProcess(command, process.returncode, output, errors)
        assert "Run the same command again" in one_sentence(done)
        small_firmware(folder, extra={"defaults/big.md": b"small"})
        again = tool("flash", "--port", sim.port, "--folder", folder)
        assert again.returncode == 0 and "Ready." in again.stdout, again.stderr
