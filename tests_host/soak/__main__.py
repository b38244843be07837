"""Thousands of turns on the simulated board, with tools, learning, compactions and resets.

    python -m tests_host.soak [--turns N] [--minutes M] [--seed S] [--fs lfs2|fat] [--heap 256K]

The board talks to a scripted model server. Limits of sessions are lowered on the board so that
compactions and full sessions are frequent. A ledger, which knows only what the board
acknowledged, tells what must be remembered. In the first half the board is reset and loses power
now and then; through the second half it runs on, so that a leak adds up. The exit code is 1 when
something was lost, a file outgrew its limit, more than 2 % of the turns were short of RAM, or the
live heap did not stay flat: see Soak.windows().
"""

import argparse
import random
import sys
import time

from tests_host.soak.drive import Soak


def main(argv=None):
    """Parse the command line, run, report, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests_host.soak")
    parser.add_argument("--turns", type=int, default=5000)
    parser.add_argument("--minutes", type=float, default=0, help="end after these at the latest")
    parser.add_argument("--resets", type=float, default=1, help="times as many as usual")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fs", choices=("lfs2", "fat"), default="lfs2")
    parser.add_argument("--heap", default="256K")
    options = parser.parse_args(argv)
    start = time.monotonic()
    rng = random.Random(options.seed)
    soak = Soak(rng, options.fs, options.heap, options.turns, 60 * options.minutes)
    soak.resets = options.resets
    try:
        soak.run()
    except AssertionError as e:
        print("turn %d: %s: %s" % (soak.turn, type(e).__name__, e))
        print(soak.recent())
        return 1
    finally:
        for line in soak.report():
            print(line)
        print("%d seconds" % (time.monotonic() - start))
        soak.close()
    problems = soak.problems()
    for line in problems:
        print("FAILED: " + line)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
