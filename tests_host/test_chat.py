"""First light: `make chat` and the firmware on the simulated board, as a person uses them."""

import os
import pty
import re
import select
import signal
import subprocess
import termios
import time

import pytest
from tests_host.boardlib import BANNER, REPL, REPO, Board

CAT = "my cat is called Pixel and I take oat milk in my coffee"
QUESTION = "what do you know about me?"


def make_chat(directory, text, fs="lfs2", heap="1M", timeout=120):
    """Run `make -s chat` with text on its standard input."""
    return subprocess.run(
        ["make", "-s", "chat", "BOARD_DIR=%s" % directory, "FS=" + fs, "HEAP=" + heap],
        cwd=REPO,
        input=text.encode(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        timeout=timeout,
        check=False,
    )


class Terminal:
    """A person at `make -s chat` in a terminal."""

    def __init__(self, directory, fs="lfs2"):
        self.master, slave = pty.openpty()
        self.slave = slave
        self.before = termios.tcgetattr(slave)
        self.output = b""
        self.process = subprocess.Popen(
            ["make", "-s", "chat", "BOARD_DIR=%s" % directory, "FS=" + fs],
            cwd=REPO,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
        )

    def expect(self, pattern, timeout=60.0):
        deadline = time.monotonic() + timeout
        while not re.search(pattern, self.output):
            assert time.monotonic() < deadline, (pattern, self.output[-1500:])
            if select.select([self.master], [], [], 0.2)[0]:
                self.output += os.read(self.master, 65536)
        found = re.search(pattern, self.output)
        text, self.output = self.output[: found.end()], self.output[found.end() :]
        return text.decode()

    def type(self, data):
        os.write(self.master, data)

    def wait(self):
        """Exit code of make; the terminal must be as it was."""
        deadline = time.monotonic() + 30
        while self.process.poll() is None and time.monotonic() < deadline:
            if select.select([self.master], [], [], 0.1)[0]:
                self.output += os.read(self.master, 65536)
        code = self.process.wait(1)
        assert termios.tcgetattr(self.slave) == self.before
        return code

    def close(self):
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        os.close(self.master)
        os.close(self.slave)


@pytest.fixture
def terminal(tmp_path):
    one = Terminal(tmp_path)
    yield one
    one.close()


# --- the transcript -------------------------------------------------------------------------


@pytest.mark.parametrize("fs", ["lfs2", "fat"])
def test_chat_still_knows_after_a_true_restart(fs):
    with Board(firmware=True, fs=fs, heap="256K") as board:
        board.prompt()
        board.ask(CAT)
        board.send_line("/reset")
        text = board.prompt()
        assert "soft reboot" not in text
        answer = board.ask(QUESTION)
        assert "Pixel" in answer and "oat milk" in answer
        board.send_line("/exit")
        board.expect(BANNER)
        assert board.repl("import machine; machine.reset_cause()") == "2\r\n"


@pytest.mark.parametrize("fs", ["lfs2", "fat"])
def test_what_was_said_survives_a_power_cut(fs):
    with Board(firmware=True, fs=fs) as board:
        board.prompt()
        board.ask("remember that my bike is green")
        board.power_cut()
        board.prompt()
        assert "green" in board.ask("what colour is my bike?")
        board.send_line("remember that my boat is red")
        board.power_cut()
        board.prompt()
        assert "green" in board.ask("what colour is my bike?")


@pytest.mark.parametrize("fs", ["lfs2", "fat"])
def test_mpremote_works_while_the_chat_runs(fs, tmp_path):
    with Board(firmware=True, fs=fs) as board:
        board.prompt()
        board.ask(CAT)
        board.disconnect()
        listing = board.mpremote("fs", "ls")
        assert all(name in listing for name in ("main.py", "memory", "sessions", "claw_memory"))
        board.mpremote("fs", "cp", ":/memory/memory_records.jsonl", str(tmp_path / "copy"))
        assert b"Pixel" in (tmp_path / "copy").read_bytes()
        board.mpremote("reset")
        board.connect()
        board.send("\r")
        board.expect("you> ")


def test_ctrl_c_at_the_prompt_leads_to_the_repl_and_the_chat_starts_again():
    with Board(firmware=True) as board:
        board.prompt()
        board.send("\x03")
        board.expect(BANNER)
        assert board.repl("1+1") == "2\r\n"
        board.send_line("main()")
        board.prompt()
        board.send_line("/exit")
        board.expect(REPL)
        board.send("\x04")
        board.expect("soft reboot\r\n")
        board.prompt()


# --- make chat ------------------------------------------------------------------------------


@pytest.mark.parametrize("fs", ["lfs2", "fat"])
def test_make_chat_with_a_pipe(tmp_path, fs):
    done = make_chat(tmp_path, "%s\n/reset\n%s\n/exit\n" % (CAT, QUESTION), fs)
    text = done.stdout.decode()
    assert done.returncode == 0, done.stderr
    assert b"\r" not in done.stdout
    assert text.startswith("you> " + CAT + "\n"), text
    answer = text[text.index("you> " + QUESTION) :]
    assert "Pixel" in answer and "oat milk" in answer

    # The image stays: a second run knows it too, and the end of input is an end like /exit.
    again = make_chat(tmp_path, QUESTION, fs)
    assert again.returncode == 0, again.stderr
    assert "Pixel" in again.stdout.decode()

    reset = subprocess.run(
        ["make", "-s", "chat-reset", "BOARD_DIR=%s" % tmp_path, "FS=" + fs],
        cwd=REPO,
        stdout=subprocess.PIPE,
        check=True,
    )
    assert reset.stdout == b"The next chat starts with an empty flash image.\n"
    fresh = make_chat(tmp_path, QUESTION + "\n", fs)
    assert fresh.returncode == 0
    assert "Pixel" not in fresh.stdout.decode()


@pytest.mark.parametrize("answer, left", [("yes", False), ("no", True), (None, True)])
def test_make_chat_answers_a_question_from_a_pipe(tmp_path, answer, left):
    lines = [CAT, "/memory list", "/memory forget --hard 1"] + ([answer] if answer else [])
    done = make_chat(tmp_path, "\n".join(lines) + "\n")
    assert done.returncode == 0, done.stdout
    assert b"yes or no>" in done.stdout
    shown = make_chat(tmp_path, "/memory list\n").stdout.decode()
    assert ("Pixel" in shown) == left, shown


def test_make_chat_that_cannot_start_fails_and_a_terminal_stays_at_the_prompt(tmp_path):
    assert make_chat(tmp_path, "/config set memory.root /nowhere\n").returncode == 0
    done = make_chat(tmp_path, "hello\n")
    assert done.returncode != 0
    assert b"The folder /nowhere of memory.root does not exist" in done.stdout
    one = Terminal(tmp_path)
    try:
        one.expect(rb"Ctrl-\] ends")
        one.type(b"from claw_core.config import Config\r")
        one.expect(rb">>> $")
        one.type(b"Config('/config.json').unset('memory.root')\r")
        one.expect(rb">>> $")
        one.type(b"\x04")
        one.expect(rb"you> $")
        one.type(b"/exit\r")
        assert one.wait() == 0
    finally:
        one.close()


def test_make_chat_with_nothing_to_say(tmp_path):
    done = make_chat(tmp_path, "")
    assert done.returncode == 0, done.stderr
    assert "you> " in done.stdout.decode()


def test_two_chats_on_one_image_are_refused(tmp_path):
    with Board(image_file=tmp_path / "lfs2.img") as board:
        board.expect(BANNER)
        done = make_chat(tmp_path, "hello\n")
    assert done.returncode != 0
    assert b"is in use by another simulated board" in done.stderr
    assert b"Traceback" not in done.stderr


def test_make_chat_on_garbage_says_what_to_do(tmp_path):
    (tmp_path / "lfs2.img").write_bytes(b"garbage " * (1 << 19))
    done = make_chat(tmp_path, "hello\n")
    assert done.returncode != 0
    assert b"make chat-reset" in done.stderr and b"Traceback" not in done.stderr


def test_make_chat_on_a_write_protected_image_goes_on(tmp_path):
    assert make_chat(tmp_path, CAT + "\n").returncode == 0
    os.chmod(tmp_path / "lfs2.img", 0o444)
    done = make_chat(tmp_path, QUESTION + "\n/exit\n")
    assert done.returncode == 0, done.stderr
    text = done.stdout.decode()
    assert "Traceback" not in text + done.stderr.decode()
    assert re.search(r"\n! .*write.*\.\nyou> /exit\n", text), text


def test_terminal_exit_ends_with_zero_and_gives_the_terminal_back(terminal):
    terminal.expect(rb"you> $")
    terminal.type(CAT.encode() + b"\r")
    terminal.expect(rb"you> $")
    terminal.type(b"/reset\r")
    terminal.expect(rb"you> $")
    terminal.type(QUESTION.encode() + b"\r")
    assert "Pixel" in terminal.expect(rb"you> $")
    terminal.type(b"/exit\r")
    assert terminal.wait() == 0


def test_terminal_ctrl_c_stays_at_the_repl_and_the_quit_key_leaves(terminal):
    terminal.expect(rb"you> $")
    terminal.type(b"\x03")
    terminal.expect(rb"Ctrl-\] ends")
    terminal.type(b"6*7\r")
    terminal.expect(rb"\n42\r\n>>> $")
    terminal.type(b"\x1d")
    assert terminal.wait() == 0


def test_terminal_is_given_back_when_the_chat_is_killed(terminal):
    terminal.expect(rb"you> $")
    listing = subprocess.run(
        ["ps", "-A", "-o", "pid=,ppid=,args="], stdout=subprocess.PIPE, text=True, check=True
    ).stdout
    chat = [row.split()[0] for row in listing.splitlines() if "tools/chat.py" in row]
    mine = [int(pid) for pid in chat if os.getsid(int(pid)) == terminal.process.pid]
    os.kill(mine[-1], signal.SIGTERM)
    assert terminal.wait() != 0
