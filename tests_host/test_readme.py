"""What README.md shows is what happens: its transcripts and its library example."""

import pathlib
import re
import subprocess
import sys

REPO = pathlib.Path(__file__).resolve().parents[1]


def test_transcripts_are_what_the_board_prints():
    done = subprocess.run(
        [sys.executable, str(REPO / "tools" / "transcripts.py")],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def library_example(root):
    """The README's example with its folder replaced by root."""
    text = (REPO / "README.md").read_text("utf-8")
    code = re.search(r"```python\n(from claw_memory.*?)```", text, re.S).group(1)
    assert "/tmp/claw" in code
    return code.replace("/tmp/claw", root)


def test_library_example_runs_on_cpython(tmp_path):
    path = "import sys; sys.path.insert(0, %r)\n" % str(REPO / "firmware")
    done = subprocess.run(
        [sys.executable, "-c", path + library_example(str(tmp_path))],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert "The cat is called Pixel\n" in done.stdout
    assert "my cat is called Pixel" in done.stdout


def test_library_example_runs_on_the_board():
    from tests_host.boardlib import Board

    with Board(files={"/main.py": b""}, firmware=True) as board:
        board.disconnect()
        said = board.mpremote("exec", library_example("/claw"))
    assert "The cat is called Pixel" in said
    assert "my cat is called Pixel" in said
