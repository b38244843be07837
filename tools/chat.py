"""`make chat`: the chat of the simulated board in this terminal.

Brings the flash image build/board/<fs>.img up to date with firmware/, boots the board and connects
it. Ctrl-] ends at once. With standard input a pipe, each line is sent when the board shows its
prompt, and the end of input ends the chat after the last answer.
"""

import argparse
import os
import re
import select
import signal
import sys
import termios
import time
import tty

from board_process import BoardProcess, BoardStopped
from image import (
    BUILD,
    FILE_SYSTEMS,
    ImageError,
    compile_firmware,
    is_read_only,
    lock_image,
    update_image,
)

PROMPT = re.compile(rb"(?:^|[\r\n])(you|setup|yes or no)> $")
REPL = b'Type "help()" for more information.\r\n>>> '
LEFT = b"Type main() to chat"  # what the firmware says when the user left, not when it failed
QUIT_KEY = b"\x1d"  # Ctrl-]
LEAVE = b"/exit\r"
LEAVE_SETUP = b"\x03"
ENTER_SECONDS = 0.1  # between an Enter and a Ctrl-C: closer together they end the chat
SILENCE_SECONDS = 300.0  # nothing printed for so long while an answer is due: the board hangs
LEAVE_SECONDS = 15.0


class ChatError(Exception):
    """One sentence for the user."""


def say(text):
    """Tell the person, not the pipe."""
    print(text, file=sys.stderr, flush=True)


def prepare(image, fs):
    """Bring the image up to date; a write-protected one is used as it is."""
    try:
        written, removed = update_image(image, fs, compile_firmware())
        if sys.stdin.isatty() and (written or removed):
            say("%s: %d files of the firmware renewed." % (os.path.relpath(image), written))
    except ImageError as err:
        if not (os.path.exists(image) and is_read_only(image)):
            raise
        say("%s Starting with what it holds." % err)


def reset(image):
    """Remove the image, so that the next chat begins with an empty one."""
    for path in (image, image + ".nvs"):
        if os.path.exists(path):
            with lock_image(path):
                os.remove(path)
    print("The next chat starts with an empty flash image.")


class Screen:
    """What the board printed: passed on, and watched for the prompts."""

    def __init__(self, plain):
        self.plain = plain  # a pipe gets \n, a terminal in raw mode needs \r\n
        self.tail = b""
        self.trace = False
        self.left = False

    def show(self, data):
        """Pass on data."""
        self.tail = (self.tail + data)[-4096:]
        if b"Traceback (most recent call last)" in self.tail:
            self.trace = True
        if LEFT in self.tail:
            self.left = True
        sys.stdout.buffer.write(data.replace(b"\r", b"") if self.plain else data)
        sys.stdout.buffer.flush()

    def end(self):
        """Leave the terminal at the start of a line."""
        self.show(b"\r\n")

    def forget(self):
        """A prompt seen so far was used."""
        self.tail = b""
        self.left = False

    def prompt(self):
        """Who waits for a line: b"you", a question such as b"setup", or b""."""
        found = PROMPT.search(self.tail)
        return found.group(1) if found else b""

    def at_repl(self):
        """True when the chat has ended and the REPL waits."""
        return REPL in self.tail


def chat_with_lines(board, lines):
    """Send each line when the board is ready for it; return the exit code."""
    screen = Screen(plain=True)
    last = time.monotonic()
    leaving = 0.0
    while True:
        data = board.read(0.2)
        now = time.monotonic()
        if data:
            screen.show(data)
            last = now
        if screen.at_repl():
            screen.end()
            if screen.trace:
                raise ChatError("The chat ended with the error above.")
            if not screen.left:
                raise ChatError("The chat did not start, for the reason above.")
            return 0
        if leaving and now - leaving > LEAVE_SECONDS:
            raise ChatError("The board did not leave its chat within %d s." % LEAVE_SECONDS)
        if now - last > SILENCE_SECONDS:
            raise ChatError(
                "The board printed nothing for %d s and shows no prompt: it hangs, or waits for "
                "a key that no pipe can press." % SILENCE_SECONDS
            )
        prompt = screen.prompt()
        if prompt and not leaving:
            line = lines.readline()
            screen.forget()
            last = now
            if line:
                board.write(line.rstrip(b"\r\n") + b"\r")
            elif prompt != b"you":
                time.sleep(ENTER_SECONDS)
                board.write(LEAVE_SETUP)
            else:
                leaving = now
                board.write(LEAVE)


def chat_with_keys(board, keys):
    """Connect the keyboard; return the exit code when the chat or the person ends it."""
    screen = Screen(plain=False)
    interrupted = False
    while True:
        ready, _, _ = select.select([keys, board.fd], [], [])
        if keys in ready:
            typed = os.read(keys, 4096)
            if not typed or QUIT_KEY in typed:
                return 0
            if b"\x03" in typed:
                interrupted = True
            elif b"\r" in typed:
                interrupted = False
            board.write(typed)
        if board.fd in ready:
            screen.show(board.read(0))
            if screen.at_repl():
                if screen.left and not interrupted and not screen.trace:
                    screen.end()
                    return 0
                screen.forget()
                screen.trace = interrupted = False
                say("[This is the board's own prompt; Ctrl-] ends, Ctrl-D starts anew.]\r")


def _stop(*_):
    sys.exit(1)


def connect(board):
    """Run the chat with whatever standard input is."""
    if not sys.stdin.isatty():
        return chat_with_lines(board, sys.stdin.buffer)
    keys = sys.stdin.fileno()
    saved = termios.tcgetattr(keys)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _stop)
    try:
        tty.setraw(keys)
        return chat_with_keys(board, keys)
    finally:
        termios.tcsetattr(keys, termios.TCSADRAIN, saved)


def main(argv):
    """Command line."""
    parser = argparse.ArgumentParser(description="Chat with the simulated board.")
    parser.add_argument("--fs", choices=FILE_SYSTEMS, default="lfs2")
    parser.add_argument("--heap", default="2M", help="such as 256K, default 2M")
    parser.add_argument(
        "--dir", default=os.path.join(BUILD, "board"), help="where the flash images are"
    )
    parser.add_argument("--reset", action="store_true", help="only remove the flash image")
    options = parser.parse_args(argv)
    image = os.path.join(options.dir, options.fs + ".img")
    board = None
    try:
        if options.reset:
            reset(image)
            return 0
        prepare(image, options.fs)
        link = os.path.join(options.dir, options.fs + ".tty")
        # No question of a first boot: nothing needs to be set up here.
        env = dict(os.environ, CLAW_SETUP=os.environ.get("CLAW_SETUP", "done"))
        board = BoardProcess(link, image, options.fs, options.heap, env=env)
        return connect(board)
    except (BoardStopped, ChatError, ImageError) as err:
        say(str(err))
    except BrokenPipeError:
        # Nobody reads our output: also keep the interpreter from flushing it once more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        say("Stopped.")
    except OSError as err:
        say("The chat cannot run: %s." % err)
    finally:
        if board:
            board.close()
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
