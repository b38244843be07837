"""Parameters get letters where nobody can notice."""

import ast
import sys

import pytest

from tests_host.boardlib import REPO

sys.path.append(str(REPO / "tools"))

import letters  # noqa: E402


def put(text):
    tree = ast.parse(text)
    letters.put(tree, letters.keywords([tree]))
    return ast.unparse(tree)


@pytest.mark.parametrize(
    "before, after",
    [
        ("def f(path, size): return path + size", "def f(a, b):\n    return a + b"),
        ("def f(self, path, size=path): return path", "def f(self, a, size=path):\n    return a"),
        ("def f(path, *, size): return path", "def f(a, *, size):\n    return a"),
        ("def f(path, *size): return path, a", "def f(b, *size):\n    return (b, a)"),
        ("lambda path: lambda size: path.size(size)", "lambda b: lambda a: b.size(a)"),
        ("def f(path): return [path for size in path]", "def f(a):\n    return [a for size in a]"),
        ("def f(path): return lambda path: path", "def f(b):\n    return lambda a: a"),
        ("async def f(path):\n    await path", "async def f(a):\n    await a"),
        (
            "def f(path):\n    def g():\n        nonlocal path\n        path = 1\n    return g",
            "def f(a):\n\n    def g():\n        nonlocal a\n        a = 1\n    return g",
        ),
        ("def f(path):\n    del path", "def f(a):\n    del a"),
        # what stays
        ("def f(path): return g(path=path)", "def f(path):\n    return g(path=path)"),
        (
            "def f(path): return [path for path in path]",
            "def f(path):\n    return [path for path in path]",
        ),
        ("def f(path):\n    import path", "def f(path):\n    import path"),
        (
            "def f(path):\n    from size import one as path",
            "def f(path):\n    from size import one as path",
        ),
        (
            "def f(path):\n    try:\n        g()\n    except E as path:\n        pass",
            "def f(path):\n    try:\n        g()\n    except E as path:\n        pass",
        ),
        (
            "def f(path):\n    class A:\n        path = path",
            "def f(path):\n\n    class A:\n        path = path",
        ),
        (
            "def f(path):\n\n    def path():\n        pass",
            "def f(path):\n\n    def path():\n        pass",
        ),
        ("def f(self, x): return x", "def f(self, x):\n    return x"),
    ],
)
def test_parameters(before, after):
    assert put(before) == after


def test_other_functions_and_attributes_keep_what_they_have():
    text = "path = 1\ndef f(path):\n    return path.path + size\ndef g():\n    return path"
    assert put(text) == (
        "path = 1\n\ndef f(a):\n    return a.path + size\n\ndef g():\n    return path"
    )


def test_a_function_of_more_parameters_than_letters():
    names = ["name%d" % number for number in range(30)]
    tree = ast.parse(put("def f(%s): return name0, name29" % ", ".join(names)))
    found = [part.arg for part in tree.body[0].args.args]
    assert found[:2] == ["a", "b"] and found[25:27] == ["z", "name26"]
    assert "return (a, name29)" in ast.unparse(tree)
