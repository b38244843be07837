"""The source of the firmware as it is compiled: in as few files, with as few names, as will do.

Names take RAM on a board, and those of limits (claw_memory/limits.py) are most of all that a turn
needs. Their values are therefore put where they are used, except CHANGEABLE, which tests and
benchmarks change on a board; what is left of limits.py has only these. See joined.py for modules
that become one file, and short_names.py for the other names. Tracebacks of a board show short
names: short_names.json beside the compiled files says, file by file, what they stand for.
"""

import ast
import collections
import functools
import hashlib
import json
import os
import sys
from pathlib import Path

import joined
import letters
import scopes
import short_names

AS_SOURCE = short_names.AS_SOURCE
CHANGEABLE = ("SESSION_BYTES", "SESSION_MOST", "CONDENSE_ROOM", "ROOMY_HEAP")
_LIMITS = "claw_memory/limits.py"
_MORE = "claw_memory/limits_more.py"
_FILE = "short_names.json"
_INTERNED = 10  # characters: longer texts are no names for the compiler
_MANY = 256  # names of a file: with fewer nothing is saved
_FIRST = 80  # more of them would take as much as they save


class Slim:
    """The modules of a firmware.

    names: {name: short name}; meanings: {path: {short name: name}}; sources: {path: text to
    compile}.
    """

    def __init__(self, texts):
        try:
            texts = _compact(texts)
        except SyntaxError:  # the compiler will say so
            self.names = {}
            self.meanings = {}
            self.sources = texts
            return
        self.names = short_names.short(texts)
        self.meanings = {
            path: short_names.meanings(text, self.names)
            for path, text in texts.items()
            if path not in AS_SOURCE
        }
        self.sources = {
            path: text if path in AS_SOURCE else _ordered(short_names.rewritten(text, self.names))
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
            known = {"names": self.meanings, "digests": self.digests, "of": fingerprint(texts)}
            json.dump(known, file, indent=1, sort_keys=True)
        os.replace(temporary, path)


def of_folder(folder):
    """The Slim of the firmware in a folder."""
    return made(texts_in(folder))


def label(path):
    """What a traceback shows as the file of a module: its name, which is in RAM anyway.

    Names of files would take more of it, and so would line numbers.
    """
    package, name = os.path.split(path[:-3])
    return package if name == "__init__" else name


def texts_in(folder):
    """((path, bytes), ...) of all modules in a folder."""
    folder = Path(folder)
    paths = [path for path in sorted(folder.rglob("*.py")) if path.is_file()]
    return tuple((path.relative_to(folder).as_posix(), path.read_bytes()) for path in paths)


def fingerprint(texts):
    """Digest of all that the sources of a Slim come from: the modules and what rewrites them."""
    files = [part.__file__ for part in (joined, letters, scopes, short_names)]
    files.append(__file__)
    makers = [(sys.version, Path(path).read_bytes()) for path in files]
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


def _compact(texts):
    trees = {path: ast.parse(text) for path, text in texts.items() if path not in AS_SOURCE}
    if _LIMITS in trees and _MORE in trees:
        _put_limits(trees)
    for tree in trees.values():
        _drop_const(tree)
    found = {path: text for path, text in texts.items() if path in AS_SOURCE}
    given = letters.keywords([*trees.values(), *map(ast.parse, found.values())])
    trees = joined.joined(trees)
    for path, tree in trees.items():
        letters.put(tree, given)
        found[path] = ast.unparse(ast.fix_missing_locations(tree)) + "\n"
    return found


def _put_limits(trees):
    rare = [node for node in trees[_LIMITS].body if _fixed(node)]
    for node in rare:
        trees[_LIMITS].body.remove(node)
    trees[_MORE].body += rare
    values = {node.targets[0].id: node.value for node in trees[_MORE].body if _fixed(node)}
    for path, tree in trees.items():
        if path not in (_LIMITS, _MORE):
            _Values(values).visit(tree)
            if not _uses(tree, "limits"):
                _drop_import(tree, "claw_memory", "limits")


def _drop_const(tree):
    # The compiler puts such values in the place of their names without asking what const is.
    values = [node.value for node in tree.body if isinstance(node, ast.Assign)]
    known = [value.func for value in values if isinstance(value, ast.Call)]
    if all(node in known for node in _uses(tree, "const")):
        for module in ("micropython", "claw_memory.platform"):
            _drop_import(tree, module, "const")


def _uses(tree, name):
    return [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id == name]


def _fixed(node):
    if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Name):
        return False
    return node.targets[0].id.isupper() and node.targets[0].id not in CHANGEABLE


def _drop_import(tree, module, name):
    for place in ast.walk(tree):
        for node in list(getattr(place, "body", None) or ()) if _has_body(place) else ():
            if isinstance(node, ast.ImportFrom) and node.module == module:
                node.names = [part for part in node.names if part.name != name]
                if not node.names and len(place.body) > 1:
                    place.body.remove(node)
                elif not node.names:
                    place.body[0] = ast.Pass()


def _ordered(text):
    # The compiler numbers names in the order in which it meets them, and code says the first 128
    # numbers in one byte, others in two: in a file of more names those used most come first.
    uses = collections.Counter()
    _count(ast.parse(text), set(), uses)
    if len(uses) < _MANY:
        return text
    return "%r\n%s" % ([name for name, _ in uses.most_common(_FIRST)], text)


def _count(node, local, uses):
    # Count the names that code says by their numbers: all but variables of functions.
    if isinstance(node, scopes.FUNCTIONS):
        local = local | scopes.Scope(node).names
    if isinstance(node, ast.arg) or not isinstance(node, ast.Name) or node.id not in local:
        for field in ("id", "attr", "arg", "name", "value"):
            name = getattr(node, field, None)
            if isinstance(name, str) and len(name) <= _INTERNED:
                uses[name] += 1
    for part in ast.iter_child_nodes(node):
        _count(part, local, uses)


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
