"""The source of the firmware as it is compiled: with as few names in it as it can do with.

Names take RAM on a board, and those of limits (claw_memory/limits.py) are most of all that a turn
needs. Their values are therefore put where they are used, except CHANGEABLE, which tests and
benchmarks change on a board; what is left of limits.py has only these. See short_names.py for the
other names. Tracebacks of a board show short names: short_names.json beside the compiled files
says what they stand for.
"""

import ast
import functools
import hashlib
import json
import os
import sys
from pathlib import Path

import short_names

AS_SOURCE = short_names.AS_SOURCE
CHANGEABLE = ("SESSION_BYTES", "SESSION_MOST", "CONDENSE_ROOM", "ROOMY_HEAP")
_LIMITS = "claw_memory/limits.py"
_MORE = "claw_memory/limits_more.py"
_FILE = "short_names.json"


class Slim:
    """The modules of a firmware. names: {name: short name}; sources: {path: text to compile}."""

    def __init__(self, texts):
        try:
            texts = _without_limits(texts)
        except SyntaxError:  # the compiler will say so
            self.names = {}
            self.sources = texts
            return
        self.names = short_names.short(texts)
        self.sources = {
            path: text if path in AS_SOURCE else short_names.rewritten(text, self.names)
            for path, text in texts.items()
        }

    @functools.cached_property
    def digests(self):
        """{path: digest of its source}."""
        return {path: _digest(text.encode()) for path, text in self.sources.items()}

    def save(self, build, texts):
        """Say in a folder what was compiled into it, for load() and for readers of tracebacks.

        texts: those that this Slim was made of, see texts_in().
        """
        path = os.path.join(build, _FILE)
        temporary = "%s.%d" % (path, os.getpid())
        with open(temporary, "w", encoding="utf-8") as file:
            known = {"names": self.names, "digests": self.digests, "of": fingerprint(texts)}
            json.dump(known, file, indent=1, sort_keys=True)
        os.replace(temporary, path)


def of_folder(folder):
    """The Slim of the firmware in a folder."""
    return made(texts_in(folder))


def texts_in(folder):
    """((path, bytes), ...) of all modules in a folder."""
    folder = Path(folder)
    paths = [path for path in sorted(folder.rglob("*.py")) if path.is_file()]
    return tuple((path.relative_to(folder).as_posix(), path.read_bytes()) for path in paths)


def fingerprint(texts):
    """Digest of all that the sources of a Slim come from: the modules and what rewrites them."""
    makers = [(sys.version, Path(path).read_bytes()) for path in (__file__, short_names.__file__)]
    found = hashlib.sha256()
    for name, data in (*makers, *texts):
        found.update(b"%d %s\n" % (len(data), name.encode()))
        found.update(data)
    return found.hexdigest()


def _digest(data):
    return hashlib.sha256(data).hexdigest()


@functools.lru_cache(4)
def made(texts):
    """The Slim of texts_in() of a folder."""
    return Slim({path: data.decode("utf-8") for path, data in texts})


class _Values(ast.NodeTransformer):
    """Puts values in the place of limits, and drops an import of limits that nothing needs."""

    def __init__(self, values):
        self._values = values

    def visit_Attribute(self, node):
        """limits.NAME becomes its value."""
        self.generic_visit(node)
        if isinstance(node.value, ast.Name) and node.value.id == "limits":
            return self._values.get(node.attr, node)
        return node


def _without_limits(texts):
    trees = {path: ast.parse(text) for path, text in texts.items() if path not in AS_SOURCE}
    if _LIMITS not in trees or _MORE not in trees:
        return texts
    rare = [node for node in trees[_LIMITS].body if _fixed(node)]
    for node in rare:
        trees[_LIMITS].body.remove(node)
    trees[_MORE].body += rare
    values = {node.targets[0].id: node.value for node in trees[_MORE].body if _fixed(node)}
    found = dict(texts)
    for path, tree in trees.items():
        if path not in (_LIMITS, _MORE):
            tree = _Values(values).visit(tree)
            _drop_import(tree)
        found[path] = ast.unparse(ast.fix_missing_locations(tree)) + "\n"
    return found


def _fixed(node):
    if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Name):
        return False
    return node.targets[0].id.isupper() and node.targets[0].id not in CHANGEABLE


def _drop_import(tree):
    uses = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id == "limits"]
    if uses:
        return
    for place in ast.walk(tree):
        for node in list(getattr(place, "body", None) or ()) if _has_body(place) else ():
            if isinstance(node, ast.ImportFrom) and node.module == "claw_memory":
                node.names = [part for part in node.names if part.name != "limits"]
                if not node.names:
                    place.body.remove(node)


def _has_body(place):
    return isinstance(getattr(place, "body", None), list)


def load(build):
    """({path: digest of its source}, fingerprint()) of what was compiled into a folder."""
    try:
        with open(os.path.join(build, _FILE), encoding="utf-8") as file:
            known = json.load(file)
            return known["digests"], known["of"]
    except (OSError, ValueError, KeyError):
        return {}, ""
