"""A scripted life on the simulated board, and the check of its logs.

    python -m tests_host.life [--turns N] [--seed S] [--fs lfs2|fat] [--heap 2M] [--logs FOLDER]

The user tells facts in English and Chinese, corrects and forgets them, notes, pins, undoes, asks;
sessions change, the board restarts and loses power. The model's window is small, so that
conversations are condensed all the time. All requests are logged, and so is what the script knew
when; check.py then judges from these two logs alone. The exit code is 1 when it finds anything.
"""

import argparse
import pathlib
import random
import sys
import time

from tests_host.life import check
from tests_host.life.drive import Life


def main(argv=None):
    """Parse the command line, run, report, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests_host.life")
    parser.add_argument("--turns", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fs", choices=("lfs2", "fat"), default="lfs2")
    parser.add_argument("--heap", default="2M")
    parser.add_argument("--logs", type=pathlib.Path, default=pathlib.Path("build/life"))
    options = parser.parse_args(argv)
    start = time.monotonic()
    rng = random.Random(options.seed)
    life = Life(rng, options.fs, options.heap, options.turns, options.logs)
    broken = False
    try:
        life.run()
    except AssertionError as e:
        broken = True
        print("turn %d: %s: %s" % (life.turn, type(e).__name__, e))
        print(life.recent())
    finally:
        life.close()
        for line in life.report():
            print(line)
        print("%d seconds" % (time.monotonic() - start))
    return 1 if check.main([str(options.logs)]) or broken else 0


if __name__ == "__main__":
    sys.exit(main())
