"""What the tools print while they work."""

import contextlib
import sys


class Stop(Exception):
    """The work ends here; the text is one sentence for people."""


def say(text):
    """Print one line of progress."""
    print(text, flush=True)


@contextlib.contextmanager
def bar():
    """A progress function (percent, what): one moving line in a terminal, few lines elsewhere."""
    live = sys.stdout.isatty()
    next_line = [0]

    def show(percent, what):
        if live:
            print("\r  %3d%% %-50s" % (percent, what[:50]), end="", flush=True)
        elif percent >= next_line[0]:
            next_line[0] = percent // 25 * 25 + 25
            say("  %3d%%" % percent)

    try:
        yield show
    finally:
        if live:
            print("\r%-60s\r" % "", end="", flush=True)


def confirmed(question, word):
    """True when a person at the terminal types `word`; False elsewhere and otherwise."""
    return sys.stdin.isatty() and input(question).strip().lower() == word
