"""What is compiled has few names, and does what the source says."""

import ast
import sys

import pytest

from tests_host.boardlib import REPO
from tests_host.both.__main__ import compiler

sys.path.append(str(REPO / "tools"))

import joined  # noqa: E402
import short_names  # noqa: E402
import slim  # noqa: E402

SOURCES = {
    path.relative_to(REPO / "firmware").as_posix(): path.read_text(encoding="utf-8")
    for path in (REPO / "firmware").rglob("*.py")
}


@pytest.fixture(scope="module")
def firmware():
    """The firmware with short names; to make it takes seconds."""
    return slim.of_folder(REPO / "firmware")


def names_of(text):
    found = set()
    for node in ast.walk(ast.parse(text)):
        for field in ("id", "attr", "arg", "name", "asname"):
            found.add(getattr(node, field, None))
    return {name for name in found if isinstance(name, str)}


def test_no_two_names_of_a_module_become_the_same(firmware):
    assert len(firmware.names) > 5 * len(set(firmware.names.values())) > 100
    joined_too = dict(SOURCES)
    for package in joined.JOINED:
        # the names of all its modules meet in one file
        members = [path for path in SOURCES if path.startswith(package) and joined.is_joined(path)]
        joined_too[package] = "\n".join(SOURCES[path] for path in members)
    for path, text in joined_too.items():
        names = names_of(text)
        renamed = [firmware.names[name] for name in names if name in firmware.names]
        assert len(renamed) == len(set(renamed)), path
        assert not names & set(firmware.names.values())


def test_what_a_name_in_a_traceback_stands_for_is_told_by_file(firmware):
    meanings = firmware.meanings
    assert set(meanings) == set(firmware.sources) - set(slim.AS_SOURCE)
    for found in meanings.values():
        assert len(set(found.values())) == len(found)
        assert all(firmware.names[name] == short for short, name in found.items())
    assert "_append" in meanings["claw_memory/__init__.py"].values()
    defined = [
        node.name
        for node in ast.walk(ast.parse(SOURCES["claw_core/http.py"]))
        if isinstance(node, ast.FunctionDef)
        and node.name.startswith("_")
        and not node.name.startswith("__")
    ]
    renamed = {name for name in defined if name in firmware.names}
    assert renamed and renamed <= set(meanings["claw_core/http.py"].values())


def test_what_others_may_use_keeps_its_name(firmware):
    kept = {name for name in firmware.names if not name.startswith("_")}
    for path, text in SOURCES.items():
        for node in ast.walk(ast.parse(text)):
            assert getattr(node, "attr", None) not in kept, path
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                assert node.name not in kept, path
            assert not isinstance(node, ast.keyword) or node.arg not in firmware.names, path
    special = {"__init__", "__getattr__", "_thread", "self", "summarise", "id"}
    assert not special & set(firmware.names)
    for path in slim.AS_SOURCE:
        assert firmware.sources[path] == SOURCES[path]


TOY = {
    "claw_memory/one.py": """
_PART = 3
class Base:
    def __init__(self, size, more=1):
        self._size = size
        self._held = more
    def _grown(self, by):
        self._size += by
        return self._size
    def whole(self):
        return [self._size, self._held, _PART]
""",
    "claw_memory/two.py": """
from claw_memory import limits
from claw_memory.one import Base
class Passes:
    def __init__(self, inner):
        self._inner = inner
    def __getattr__(self, name):
        return getattr(self._inner, name)
class More(Base):
    def __init__(self, amount):
        super().__init__(amount, more=limits.ITEMS)
        self._rest = 5
    def sum(self):
        def add(first, second=limits.SESSION_BYTES):
            nonlocal total
            total += first + second
        total = 0
        add(self._rest)
        return self._grown(1) + self._rest + total
print(More(2).sum(), Passes(More(3)).whole(), getattr(More(4), "_rest"))
""",
    "claw_memory/limits.py": "ITEMS = 7\nSESSION_BYTES = 9\n",
    "claw_memory/limits_more.py": "BATCH = 2\n",
}


def said(texts, tmp_path, capsys):
    for path, text in texts.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    spaces = {"one": {}, "two": {}}
    for name in spaces:
        text = texts["claw_memory/%s.py" % name]
        lines = [line for line in text.split("\n") if not line.startswith("from claw_memory")]
        spaces["two"]["Base"] = spaces["one"].get("Base")
        spaces["two"]["limits"] = Limits
        exec("\n".join(lines), spaces[name])
    return capsys.readouterr().out


class Limits:
    ITEMS = 7
    SESSION_BYTES = 9


def test_a_program_does_the_same_with_short_names(tmp_path, capsys):
    slimmed = slim.Slim(TOY)
    assert {"_size", "_held", "_grown", "_PART"} <= set(slimmed.names)
    assert "amount" not in slimmed.sources["claw_memory/two.py"]
    assert not {"_inner", "_rest", "more", "second", "size_of"} & set(slimmed.names)
    plain = said(TOY, tmp_path, capsys)
    assert plain == "22 [3, 7, 3] 5\n"
    assert said(slimmed.sources, tmp_path, capsys) == plain


def test_limits_are_put_in_but_for_those_that_change(firmware):
    two = slim.Slim(TOY).sources["claw_memory/two.py"]
    assert "more=7" in two and "limits.SESSION_BYTES" in two
    assert "limits" in two and "ITEMS" not in two
    left = firmware.sources["claw_memory/limits.py"]
    assert sorted(name for name in names_of(left) if name.isupper()) == sorted(slim.CHANGEABLE)
    more = names_of(firmware.sources["claw_memory/limits_more.py"])
    assert {"ITEMS", "ROUNDS", "PINS"} <= more


def test_what_does_not_compile_is_left_to_the_compiler():
    broken = dict(TOY, **{"claw_memory/bad.py": "x = (\n"})
    assert slim.Slim(broken).sources == broken
    assert short_names.short(broken) == {}


def test_the_compiler_takes_every_module(firmware, tmp_path):
    import subprocess

    for path, text in firmware.sources.items():
        (tmp_path / "module.py").write_text(text, encoding="utf-8")
        command = [compiler(), "-o", str(tmp_path / "out.mpy"), str(tmp_path / "module.py")]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert not done.returncode, path + done.stderr
