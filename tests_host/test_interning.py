"""Characters of many kinds do not stay in RAM as names of MicroPython."""

import re
import subprocess

import pytest

from tests_host.both.__main__ import REPO, tool

_PROGRAM = """
import sys
sys.path[:] = ["%s", ".frozen"]
import micropython
from claw_core import typed, typed_wide
from claw_memory import surrogates, wording
from claw_core.http import _text

def work(first, count):
    text = ""
    for n in range(first, first + count):
        char = bytes([0xe4 + (n >> 12), 0x80 | n >> 6 & 63, 0x80 | n & 63])
        assert typed_wide.character(bytearray(char)) == str(char, "utf-8")
        text += str(char, "utf-8")
    %s

work(0x600, 2)
micropython.qstr_info()
work(0x700, 300)
micropython.qstr_info()
"""


@pytest.mark.parametrize(
    "call",
    [
        "typed.clean(text); typed.clean(text + chr(27))",
        "wording.words(text)",
        "wording.contains(text, text.encode()[30:60])",
        "[surrogates.join(b'\\\\ud83d\\\\ude%02x' % n) for n in range(count // 5)]",
        "_text(bytes(range(32, 32 + count // 4)))",
    ],
)
def test_no_character_becomes_a_name(tmp_path, call):
    program = tmp_path / "program.py"
    program.write_text(_PROGRAM % (REPO / "firmware", call))
    run = [tool("micropython"), "-X", "heapsize=2M", str(program)]
    done = subprocess.run(run, capture_output=True, text=True, check=False)
    before, after = [int(n) for n in re.findall(r"n_qstr=(\d+)", done.stdout)]
    assert after - before < 10, done.stdout + done.stderr
