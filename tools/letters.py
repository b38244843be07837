"""Parameters that have to be given are called a, b, c and so on in compiled code.

A compiled function holds the names of its parameters, since they might be given by keyword. Those
that no call in the firmware gives so need no names of their own.
"""

import ast
import string

from scopes import FUNCTIONS, SCOPES, Scope


def keywords(trees):
    """The names that calls in some trees give by keyword."""
    nodes = [node for tree in trees for node in ast.walk(tree)]
    return {node.arg for node in nodes if isinstance(node, ast.keyword)}


def put(tree, kept):
    """Change the parameters of all functions of a tree; kept: names that stay."""
    for node in reversed(list(ast.walk(tree))):  # what is inside comes before what is around it
        if isinstance(node, FUNCTIONS):
            _put(node, {"self", *kept})


def _put(node, kept):
    args = node.args.posonlyargs + node.args.args
    required = [part.arg for part in args[: len(args) - len(node.args.defaults)]]
    body = node.body if isinstance(node.body, list) else [node.body]
    parts = [part for statement in body for part in ast.walk(statement)]
    kept = kept | _other_names(parts)
    free = [letter for letter in string.ascii_lowercase if letter not in _names(parts + args)]
    wanted = [name for name in required if name not in kept and len(name) > 1]
    given = dict(zip(wanted, free))
    for part in parts + args:
        if isinstance(part, ast.Name):
            part.id = given.get(part.id, part.id)
        elif isinstance(part, ast.Nonlocal):
            part.names = [given.get(name, name) for name in part.names]
        elif part in args:
            part.arg = given.get(part.arg, part.arg)


def _other_names(parts):
    # Names that stand for something else, or not only in a Name, below a function.
    found = set()
    for part in parts:
        if isinstance(part, SCOPES):
            found |= Scope(part).names
        if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.add(part.name)
        elif isinstance(part, ast.ExceptHandler):
            found.add(part.name)
        elif isinstance(part, ast.alias):
            found.add(part.asname or part.name)
        elif isinstance(part, ast.Global):
            found.update(part.names)
    return found


def _names(parts):
    fields = ("id", "arg", "name", "asname")
    return {getattr(part, field, None) for part in parts for field in fields}
