"""The first boot as a person has it: the wizard through the serial port of the simulated board."""

import json
import re
import socket
import time

import pytest
from tests_host.boardlib import REPL, Board
from test_chat import make_chat

from tests_host.model_server import ModelServer, error, text

OFFER = "This board is not set up: shall it ask for Wi-Fi and model? Type yes or no."
ASK = re.compile(rb"(?:^|[\r\n])setup> $")
KEY = "sk-wizard-0123456789abcdef"
PASSWORD = "clawclawclaw"  # of the network ClawNet of the simulated board


def question(board, words, answer, hidden=False):
    """Wait for a question, check that it has the words, and answer it."""
    said = board.expect(ASK, 60)
    assert words in said, said
    board.send_line(answer)
    if answer and not hidden:
        board.expect(answer + "\r\n")


def settings(board):
    """What /config.json of the running board holds; the chat has ended."""
    said = board.repl("print(open('/config.json').read())")
    return json.loads(said)


def leave(board):
    """From the chat's prompt to the REPL."""
    board.send("\x03")
    board.expect(REPL)


def files_with(board, word):
    """Paths of the board's files that hold word; the REPL's prompt is there."""
    program = (
        "import os\r"
        "def look(p):\r"
        "for n, kind, *r in os.ilistdir(p or '/'):\r"
        "if kind == 0x4000: look(p + '/' + n)\r"
        "elif %r in open(p + '/' + n, 'rb').read(): print('in', p + '/' + n)\r"
        "\r\r\r"
    )
    board.send(program % word.encode())
    board.expect("...")
    board.expect(REPL)
    return re.findall(r"in (/\S+)", board.repl("look('')"))


def test_from_the_first_boot_to_the_first_answer():
    script = [error(401, "no such key"), text("Hello there."), text("Nice to meet you.")]
    with ModelServer(script) as server, Board(firmware=True, heap="256K") as board:
        assert OFFER in board.prompt()
        board.send_line("yes")
        question(board, " 2  ClawNet", "2")
        question(board, "Password of ClawNet; it is not shown.", "wrong-" + PASSWORD, True)
        question(board, "the password is wrong", "1")
        question(board, "ClawNet", "2")
        question(board, "Enter keeps the present one.", PASSWORD, True)
        question(board, "[Wi-Fi connected", "3")
        question(board, "time.zone is now CET-1CEST,M3.5.0,M10.5.0/3.", "3")
        question(board, "Its address up to /v1", server.url)
        question(board, "Name of the model", "scripted")
        question(board, "Key for 127.0.0.1; it is not shown.", "bad" + KEY, True)
        question(board, "Enter asks the model", "")
        question(board, "The key was refused by 127.0.0.1 (HTTP 401: no such key)", "1")
        question(board, "(now: %s)" % server.url, "")
        question(board, "(now: scripted)", "")
        question(board, "Enter keeps the present one.", KEY, True)
        question(board, "Enter asks the model", "")
        question(board, "claw> Hello there.\r\nThe model answers.", "26")
        question(board, "! pin 26 belongs to the flash or the PSRAM", "4-6")
        assert "That is all" in board.prompt()
        assert "Nice to meet you." in board.ask("my name is Ada")
        # the question of the test carries nothing of the user's, and no tools
        test = server.requests[1].json
        assert "tools" not in test and len(test["messages"]) == 2
        assert server.requests[1].headers["authorization"] == "Bearer " + KEY
        # a restart: nothing is asked, all is there, the pins count
        board.send_line("/reset")
        said = board.prompt()
        assert "set up" not in said and "set-up" not in said
        board.expect("[Wi-Fi connected", 60)
        board.prompt()
        assert "model: openai, scripted at " + server.url in board.ask("/status")
        leave(board)
        assert settings(board) == {
            "gpio.pins": "4-6",
            "model.base_url": server.url,
            "model.key": KEY,
            "model.name": "scripted",
            "model.provider": "openai",
            "setup.next": "done",
            "time.zone": "CET-1CEST,M3.5.0,M10.5.0/3",
            "wifi.password": PASSWORD,
            "wifi.ssid": "ClawNet",
        }
        board.log = board.log.replace(board.log[board.log.rindex(b"config.json") :], b"")
        for secret in (KEY, PASSWORD, "wrong-"):
            assert secret.encode() not in board.log
        for secret in (KEY, PASSWORD):
            assert files_with(board, secret) == ["/config.json"]


def test_declined_it_is_not_asked_again():
    with Board(firmware=True) as board:
        assert OFFER in board.prompt()
        assert "It will not be asked again" in board.ask("no")
        board.send_line("/reset")
        board.expect("Restarting…")
        assert OFFER not in board.prompt()


def test_whoever_chats_instead_is_asked_at_the_next_start():
    with Board(firmware=True) as board:
        board.prompt()
        assert "Remembered" in board.ask("my cat is called Pixel")
        # an answer to nothing
        assert OFFER not in board.ask("yes")
        board.send_line("/reset")
        board.expect("Restarting…")
        assert OFFER in board.prompt()
        assert "time.server is now" in board.ask("/config set time.server pool.example")
        board.send_line("/reset")
        board.expect("Restarting…")
        # settings by hand: this user knows the way
        assert OFFER not in board.prompt()


def test_a_board_without_a_terminal_chats_and_asks_whoever_comes():
    with Board(firmware=True) as board:
        board.disconnect()
        time.sleep(3)
        board.connect()
        board.send("\r")
        board.expect("you> \r\n" + OFFER + "\r\nyou> ", 60)
        assert "Remembered" in board.ask("my cat is called Pixel")


def test_mpremote_takes_over_while_the_question_stands():
    with Board(firmware=True) as board:
        board.prompt()
        board.disconnect()
        assert "main.py" in board.mpremote("fs", "ls")


def test_a_power_cut_half_way_goes_on_where_it_was():
    with Board(firmware=True) as board:
        board.prompt()
        board.send_line("yes")
        question(board, "Wi-Fi (now: none)", "")
        question(board, "Time zone (now: UTC)", "7")
        board.expect("time.zone is now JST-9.")
        board.expect(ASK)
        board.power_cut()
        stopped = "The set-up stopped at its step provider: shall it go on? Type yes or no."
        assert stopped in board.prompt()
        board.send_line("yes")
        question(board, "The model runs at (now: nowhere)", "4")
        question(board, "Pins that the model may use (now: none)", "")
        assert "That is all" in board.prompt()
        board.power_cut()
        assert "Type yes or no" not in board.prompt()
        assert "time.zone = JST-9" in board.ask("/config show")


def test_ctrl_c_leaves_to_the_chat_from_anywhere():
    with socket.create_server(("127.0.0.1", 0)) as silent, Board(firmware=True) as board:
        board.prompt()
        board.send_line("/setup wifi")
        question(board, "Wi-Fi (now: none)", "ClawNet")
        board.expect(ASK)
        board.send("half-a-pass\x03")
        assert "[stopped]" in board.prompt()
        # what was typed is gone
        assert "/help lists them" in board.ask("/x")
        board.send_line("/setup wifi")
        question(board, "Wi-Fi (now: none)", "nowhere")
        question(board, "Password of nowhere", "some-secret", True)
        board.expect("Connecting to nowhere…")
        time.sleep(0.1)  # a person is not as fast as a program that wants the board
        board.send("\x03")
        assert "[stopped]" in board.prompt()
        # while a server keeps silent
        board.ask("/config set model.base_url http://127.0.0.1:%d/v1" % silent.getsockname()[1])
        board.send_line("/setup test")
        question(board, "Enter asks the model", "")
        board.expect("Asking the model at 127.0.0.1…")
        time.sleep(0.1)  # a person is not as fast as a program that wants the board
        board.send("\x03")
        assert "[stopped]" in board.prompt()
        leave(board)
        assert b"half-a-pass" not in board.log and b"some-secret" not in board.log


def test_lines_typed_ahead_of_a_question_answer_nothing():
    with Board(firmware=True) as board:
        board.prompt()
        board.send("/setup zone\rUTC+9\rUTC+10\r")
        question(board, "Time zone (now: UTC)", "UTC+3")
        assert "time.zone is now UTC+3." in board.prompt()


def test_a_server_that_does_not_answer_is_named():
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    with ModelServer([text("Good morning.")]) as server, Board(firmware=True) as board:
        board.prompt()
        board.send_line("/setup provider")
        question(board, "The model runs at", "3")
        question(board, "Its address", "http://127.0.0.1:%d/v1" % port)
        board.prompt()
        board.send_line("/setup test")
        question(board, "Enter asks the model", "")
        refused = "! Nothing answers at 127.0.0.1:%d (refused); start the server" % port
        question(board, refused, "2")
        # corrected on the way, and on to the test again
        question(board, refused, "1")
        question(board, "The model runs at", "3")
        question(board, "Its address", server.url)
        question(board, "Name of the model", "")
        question(board, "Key for 127.0.0.1", "", True)
        question(board, "Enter asks the model", "")
        assert "claw> Good morning.\r\nThe model answers." in board.prompt()


def test_nothing_of_the_wizard_stays_in_memory():
    loaded = "import sys; print(sorted([m for m in sys.modules if 'setup' in m]))"
    with Board(firmware=True) as board:
        board.prompt()
        board.ask("hello")
        leave(board)
        assert board.repl(loaded) == "[]\r\n"
        board.send_line("main()")
        board.prompt()
        board.send_line("/setup pins")
        question(board, "Pins", "")
        board.prompt()
        leave(board)
        assert board.repl(loaded) == "[]\r\n"


@pytest.mark.parametrize("fs", ["lfs2", "fat"])
def test_make_chat_is_not_asked_and_may_set_up(tmp_path, fs):
    done = make_chat(tmp_path, "hello\n/setup zone\n7\n/setup pins\n", fs)
    said = done.stdout.decode()
    assert done.returncode == 0, done.stderr
    assert said.startswith("you> hello\nclaw> "), said
    assert "setup> 7\ntime.zone is now JST-9.\n" in said
    # the input ends at a question
    assert said.index("setup> \n[stopped]\nyou> /exit\n") > said.index("JST-9")
