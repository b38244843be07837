"""Modules that are joined into one file do what they did before, or are refused with a reason."""

import ast
import subprocess
import sys

import pytest

from tests_host.boardlib import REPO
from tests_host.both.__main__ import tool

sys.path.append(str(REPO / "tools"))

import image  # noqa: E402
import joined  # noqa: E402
import slim  # noqa: E402

TOY = {
    "pack/__init__.py": '"""A package."""\n',
    "pack/one.py": '''
"""One."""
import json
from pack import other

__all__ = ["Base", "count"]
_LEVEL = 3
total = 0
limit = 5

class Base:
    limit = limit + 1
    twice = limit * 2
    def __init__(self, size=limit):
        self.size = size
        self.limit = self.limit + limit

def count(by=_LEVEL):
    global total
    total += by
    return total

def _own(level):
    return ["one", level, _LEVEL, json.dumps([limit for limit in range(level)])]

def own(_LEVEL):
    limit = 9
    return _own(_LEVEL) + [limit, other.name()]
''',
    "pack/two.py": '''
"""Two."""
import json
from pack import one, other
from pack.one import Base, count as counted

_LEVEL = 7
calls = []

class More(Base):
    def _own(self):
        return _own(self, lambda one: one + _LEVEL)

def _own(more, of):
    from pack import one
    calls.append(one.total)
    return [more.size, more.limit, of(1), one.own(2)[1:], counted(), json.dumps(len(calls))]

def all():
    return 1
'''.replace("def all():\n    return 1\n", ""),
    "pack/three.py": '''
"""Three."""
from pack import two
from pack.two import More

def run():
    try:
        more = More(4)
        found = [more._own(), [two.calls for _ in "ab"], More.limit, More.twice]
    except ValueError as two_:
        found = two_
    return found

def local(two=two.calls):
    return two
''',
    "pack/other.py": '''
"""Not joined."""
def name():
    from pack.one import total
    from pack import two
    return "other %d %d" % (total, len(two.calls))
''',
    "pack/late.py": '''
"""Not joined."""
from pack import one, three
from pack.two import More
import pack.two
def run():
    one.limit += 1
    return [one.count(), pack.two.calls, three.local() is pack.two.calls, More().limit]
''',
}
SCRIPT = """
import sys
sys.path.insert(0, sys.argv[1])
from pack import three, late
from pack.one import own
print(three.run(), own(1), late.run(), three.run())
print(sorted(name for name in sys.modules if name.startswith("pack")))
"""


@pytest.fixture
def of_three(monkeypatch):
    """Toy modules are joined instead of those of the firmware."""
    monkeypatch.setattr(joined, "JOINED", {"pack": "one two three"})


def join(texts):
    """The sources after joining, {path: text}."""
    found = joined.joined({path: ast.parse(text) for path, text in texts.items()})
    return {
        path: ast.unparse(ast.fix_missing_locations(tree)) + "\n" for path, tree in found.items()
    }


def said(folder, texts, command):
    """What the script prints with these files."""
    (folder / "pack").mkdir(parents=True)
    for path, text in texts.items():
        (folder / path).write_text(text)
    (folder / "script.py").write_text(SCRIPT)
    command = [*command, str(folder / "script.py"), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr
    return done.stdout


@pytest.mark.parametrize("runtime", ["cpython", "micropython"])
def test_a_program_does_the_same(of_three, tmp_path, runtime):
    command = [sys.executable] if runtime == "cpython" else [tool("micropython")]
    sources = join(TOY)
    assert sorted(sources) == ["pack/__init__.py", "pack/late.py", "pack/other.py"]
    plain = said(tmp_path / "plain", TOY, command)
    assert plain.startswith("[[4, 11, 8, [2, 3, '[0, 1]', 9, 'other 0 1'], 3, '1'], [[0, 6],")
    assert plain.endswith(
        "['pack', 'pack.late', 'pack.one', 'pack.other', 'pack.three', 'pack.two']\n"
    )
    assert said(tmp_path / "joined", sources, command) == plain


def test_what_modules_share_is_there_once(of_three):
    text = join(TOY)["pack/__init__.py"]
    tree = ast.parse(text)
    imports = [node for node in tree.body if isinstance(node, (ast.Import, ast.ImportFrom))]
    assert [ast.unparse(node) for node in imports] == [
        "import json",
        "from pack import other",
        "import sys",
    ]
    assert "_own_two" in text and "_LEVEL_two" in text and "__all__" not in text
    assert "two.calls" not in text  # is known as calls


REFUSED = [
    ("two", "def count():\n    pass", "Two modules of pack define count: one and two."),
    ("two", "def print():\n    pass", "pack.two cannot define print."),
    ("two", "late = 1", "pack.two cannot define late."),
    ("two", "three = 1", "pack.two cannot define three."),
    ("two", "def __getattr__(name):\n    return 1", "pack.two cannot define __getattr__."),
    ("two", "x = [one]", "two uses a module by itself: one."),
    ("two", "x = one.nothing", "two uses one.nothing."),
    ("two", "def f(total):\n    return one.total", "two uses one.total."),
    ("two", "from pack.one import nothing", "pack.one has no nothing."),
    (
        "two",
        "def f(Base):\n    counted()\n\ndef g(count):\n    counted()",
        "two has a local name like the global count.",
    ),
    ("two", "from pack import late as json", "two imports another json."),
    ("two", "from zlib import late", "two imports another late."),
    ("two", "import zlib as limit", "two would get limit from one."),
    ("three", "x = calls", "three would get calls from two."),
]


@pytest.mark.parametrize("module, more, sentence", REFUSED)
def test_what_cannot_be_joined_is_said(of_three, module, more, sentence):
    path = "pack/%s.py" % module
    with pytest.raises(joined.NotJoinable) as error:
        join({**TOY, path: TOY[path] + "\n" + more + "\n"})
    assert str(error.value) == sentence


def test_the_author_reads_one_sentence(tmp_path):
    for path, data in slim.texts_in(REPO / "firmware"):
        if path == "claw_memory/text.py":
            data += b"\ndef is_value():\n    pass\n"
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_bytes(data)
    sentence = "Two modules of claw_memory define is_value: text and jsonscan."
    with pytest.raises(image.ImageError, match=sentence):
        image.compile_firmware(str(tmp_path), str(tmp_path / "build"))


def test_a_package_that_lacks_a_module_stays_as_it_is(of_three):
    texts = {path: text for path, text in TOY.items() if "two" not in path}
    assert sorted(join(texts)) == sorted(texts)


def test_what_is_joined_is_never_let_go_of():
    """platform.unload() leaves joined modules alone: none is named there for nothing."""
    texts = slim.texts_in(REPO / "firmware")
    modules = {path[:-3].rpartition("/")[2] for path, _ in texts}
    gone = set()
    for _, data in texts:
        for node in ast.walk(ast.parse(data)):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in ("over", "unload"):
                last = node.args[-1] if node.args else None
                if isinstance(last, ast.Constant):
                    gone |= set(last.value.split())
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                words = set(node.value.split())
                if words <= modules and "memory" not in words:
                    gone |= words if len(words) > 2 else set()
    assert {"rewrite", "model_http", "trim"} <= gone
    assert not gone & set(" ".join(joined.JOINED.values()).split())
