"""The runner of tests_host/both: failures, crashes and empty selections are never a success."""

import pathlib
import subprocess
import sys

import pytest

from tests_host.both import __main__ as runner

REPO = pathlib.Path(__file__).resolve().parents[1]

SUITE = '''"""A planted suite."""
# heap: 200K

import gc


def test_good():
    print("chatter")


def test_bad():
    value = 4
    print("said before failing")
    assert value == 5, "five is wanted"


async def test_coroutine():
    import asyncio

    await asyncio.sleep_ms(1)
    raise ValueError("from a coroutine")


def test_heap():
    total = gc.mem_free() + gc.mem_alloc()
    assert 150000 < total < 210000, total
'''


def run(folder, *args):
    """Run the runner on the suites in folder; return (exit code, output)."""
    ran = subprocess.run(
        [sys.executable, "-m", "tests_host.both", "--folder", str(folder), "--fs", "lfs2", *args],
        cwd=REPO,
        capture_output=True,
        text=True,
        check=False,
    )
    return ran.returncode, ran.stdout + ran.stderr


@pytest.fixture
def planted(tmp_path):
    (tmp_path / "test_planted.py").write_text(SUITE)
    return tmp_path


def test_failures_are_told_with_file_test_line_and_traceback(planted):
    code, out = run(planted)
    assert code == 1
    assert "FAILED test_planted.py::test_bad" in out and "FAILED test_planted.py::test_coro" in out
    assert 'test_planted.py", line 14, in test_bad' in out
    assert "AssertionError: five is wanted" in out and "said before failing" in out
    assert "ValueError: from a coroutine" in out
    assert "chatter" not in out
    assert out.endswith("micropython lfs2: 2 passed, 2 failed\n")


def test_success_exits_with_0_and_tests_are_chosen_by_name(planted):
    assert run(planted, "test_good") == (0, "micropython lfs2: 1 passed, 0 failed\n")
    assert run(planted, "test_planted.py::test_h*")[0] == 0
    assert run(planted, "test_good", "test_bad")[1].endswith("1 passed, 1 failed\n")
    code, out = run(planted, "--heap", "1M", "test_heap")
    assert code == 1 and "AssertionError" in out


def test_a_long_traceback_is_shortened(tmp_path):
    body = "def f():\n    f()\n\n\ndef test_a():\n    f()\n"
    (tmp_path / "test_deep.py").write_text(body)
    code, out = run(tmp_path)
    assert code == 1 and "maximum recursion depth" in out and "lines\n" in out
    assert len(out.splitlines()) < 50


def test_nothing_to_run_is_an_error(planted, tmp_path):
    code, out = run(planted, "test_none_such")
    assert code == 2 and "no test matches test_none_such" in out
    assert run(planted, "test_good", "test_typo")[0] == 2
    (tmp_path / "empty").mkdir()
    code, out = run(tmp_path / "empty")
    assert code == 2 and "nothing to run" in out


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("import no_such_module\ndef test_a():\n    pass\n", "no_such_module"),
        ("def test_a(:\n    pass\n", "invalid syntax"),
        ("def test_a():\n    match 1:\n        case 1:\n            pass\n", "mpy-cross refused"),
        ("import os\ndef test_a():\n    os.system('kill -9 $PPID')\n", "no verdict from test_a"),
        ("def test_a():\n    while True:\n        pass\n", "still running after 2 seconds"),
        ("def test_a():\n    raise SystemExit(0)\n", "SystemExit"),
        ("def test_a():\n    x = bytearray(600000)\n", "MemoryError"),
    ],
)
def test_what_ends_the_interpreter_is_a_failure(tmp_path, body, words):
    (tmp_path / "test_crash.py").write_text(body)
    code, out = run(tmp_path, "--timeout", "2")
    assert code == 1, out
    assert words in out and out.endswith("micropython lfs2: 0 passed, 1 failed\n"), out


def test_each_file_has_a_fresh_image(tmp_path):
    body = "import os\ndef test_a():\n    assert 'x' not in os.listdir('/')\n    os.mkdir('/x')\n"
    for name in ("test_one.py", "test_two.py"):
        (tmp_path / name).write_text(body)
    assert run(tmp_path) == (0, "micropython lfs2: 2 passed, 0 failed\n")


def test_kinds_of_file_systems(tmp_path):
    (tmp_path / "test_kind.py").write_text(
        "from bothlib import tmpdir\nfrom claw_memory import platform\n"
        "def test_kind():\n    print(platform.fs_kind(tmpdir('k')))\n    assert 0\n"
    )
    for kind in ("lfs2", "fat", "ffat", "posix"):
        code, out = run(tmp_path, "--fs", kind)
        assert code == 1
        assert "\n%s\nTraceback" % kind in out, out


def test_another_binary_keeps_the_image_in_its_file(tmp_path, monkeypatch):
    (tmp_path / "test_files.py").write_text(
        "from bothlib import tmpdir, read, write\n"
        "def test_a():\n    path = tmpdir('a') + '/x'\n    data = bytes(range(256)) * 40\n"
        "    write(path, data)\n    assert read(path) == data\n"
    )
    monkeypatch.setenv("CLAW_MICROPYTHON", runner.tool("micropython"))
    assert runner.binary("image", "lfs2") == runner.binary("image", "posix")
    for kind in ("lfs2", "fat"):
        code, out = run(tmp_path, "--fs", kind)
        assert code == 0, out


def test_what_failed_is_told_for_each_kind_and_all_are_counted(tmp_path):
    body = "from bothlib import tmpdir\nfrom claw_memory import platform\n"
    body += "def test_a():\n    assert platform.fs_kind(tmpdir('k')) != '%s'\n"
    (tmp_path / "test_one.py").write_text(body % "lfs2")
    (tmp_path / "test_two.py").write_text(body % "fat" + "def test_b():\n    pass\n")
    code, out = run(tmp_path, "--fs", "fat")
    assert code == 1, out
    lines = out.splitlines()
    for kind, name in (("lfs2", "test_one"), ("fat", "test_two")):
        assert lines[lines.index("on %s:" % kind) + 1] == "FAILED %s.py::test_a" % name, out
    assert out.count("FAILED") == 2, out
    assert lines[-2:] == ["micropython %s: 2 passed, 1 failed" % kind for kind in ("lfs2", "fat")]


def test_all_slow_files_are_there_and_start_first():
    suites, _ = runner.select(REPO / runner.HERE, [])
    names = [suite.path.stem for suite in runner.longest_first(suites)]
    assert names[: len(runner.SLOW)] == list(runner.SLOW)
    assert sorted(names) == sorted(suite.path.stem for suite in suites)
