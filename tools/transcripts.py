"""Keeps the transcripts in README.md true: types their `you> ` lines at a simulated board.

A transcript is a fenced block after a line `<!-- transcript -->`; all of them share one board that
starts with an empty flash image. `<!-- transcript: first boot -->` has a new board of its own, on
which the question of a first boot is asked; answers to the wizard are its `setup> ` lines.
`--write` puts what the board really printed into the file,
without it the command only compares (numbers, which differ from run to run, count as equal).
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile

TOOLS = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(TOOLS)
BLOCK = re.compile(r"(<!-- transcript(: first boot)? -->\n```[a-z]*\n)(.*?)(```\n)", re.S)
TYPED = re.compile(r"^(?:you|setup)> ?(.*)$", re.M)
LAST = "/status"  # typed after the last line of a block, to see that its answer was complete


def record(lines, directory, first_boot=False):
    """What the board prints when lines are typed: from the first prompt on, or all of it."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("CLAW_")}
    if first_boot:
        env["CLAW_SETUP"] = "ask"
    done = subprocess.run(
        [sys.executable, os.path.join(TOOLS, "chat.py"), "--dir", directory],
        input="".join(line + "\n" for line in lines),
        stdout=subprocess.PIPE,
        encoding="utf-8",
        check=True,
        env=env,
    )
    return done.stdout if first_boot else done.stdout[done.stdout.index("you> ") :]


def renew(text, directory):
    """README text with every transcript as the board prints it today."""

    def block(found):
        lead, first_boot, old, end = found.groups()
        lines = TYPED.findall(old) + [LAST]
        if first_boot:
            with tempfile.TemporaryDirectory() as new:
                said = record(lines, new, True)
        else:
            said = record(lines, directory)
        # an Enter alone leaves a blank at the end of its line
        said = re.sub(r" +$", "", said, flags=re.M)
        return lead + said[: said.rindex("you> " + LAST)] + end

    return BLOCK.sub(block, text)


def masked(text):
    """Text without what differs from run to run."""
    return re.sub(r"\d+", "0", text)


def main():
    """Compare or rewrite; 0 when the file holds what the board prints."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", nargs="?", default=os.path.join(ROOT, "README.md"))
    parser.add_argument("--write", action="store_true", help="put the real output into the file")
    options = parser.parse_args()
    with open(options.file, encoding="utf-8") as file:
        text = file.read()
    if not BLOCK.search(text):
        print("There is no transcript in %s." % options.file)
        return 1
    with tempfile.TemporaryDirectory() as directory:
        real = renew(text, directory)
    if masked(real) == masked(text):
        return 0
    if options.write:
        with open(options.file, "w", encoding="utf-8") as file:
            file.write(real)
        return 0
    for old, new in zip(text.splitlines(), real.splitlines(), strict=False):
        if masked(old) != masked(new):
            print("The file says:  %s\nThe board says: %s" % (old, new))
            break
    print("Run tools/transcripts.py --write and read the difference.")
    return 1


if __name__ == "__main__":
    sys.exit(main())
