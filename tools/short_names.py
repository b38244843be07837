"""Short names in compiled files for what only the firmware itself calls by name.

MicroPython keeps every name that code ever loaded. Here parameters and private names that never
meet in one module get the same short name; the source goes on saying what things are. Left as
they are

- boot.py and main.py, what they use, and everything else that has no underscore in front, but for
  parameters,
- parameters of public functions that can be left out, since they may be given by keyword, and
  whatever is given by keyword anywhere,
- words of strings that hold nothing but words, since code may look things up by them,
- private attributes that a module uses of what it did not define.

Modules whose classes inherit from one another count as one. A class that passes on what it does
not know itself (__getattr__) keeps its private names, since they could hide another's.
"""

import ast
import builtins
import re
import string

# Compiled code would gain nothing in these two, and people look into them.
AS_SOURCE = ("boot.py", "main.py")


class _Module:
    """The names of one module.

    used: all; named: those that get into a compiled file, apart from the ones in kept, which
    have to stay; own, others: attributes of self, and of anything else; classes, bases: names.
    """

    def __init__(self, text):
        self.used = set()
        self.named = set()
        self.kept = set()
        self.own = set()
        self.others = set()
        self.classes = set()
        self.bases = set()
        self._look(ast.parse(text), True, True)

    def _look(self, node, top, public):
        # top: not in a function. public: nor in anything private.
        below = top, public
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            self._name(node.name)
            self.own.add(node.name)
            below = top and isinstance(node, ast.ClassDef), public and node.name[0] != "_"
            if isinstance(node, ast.ClassDef):
                self._class(node)
        elif isinstance(node, ast.Name):
            self.used.add(node.id)
            if top and isinstance(node.ctx, ast.Store):
                self._name(node.id)
        elif isinstance(node, ast.Attribute):
            self._name(node.attr)
            by_self = isinstance(node.value, ast.Name) and node.value.id == "self"
            (self.own if by_self else self.others).add(node.attr)
        elif isinstance(node, ast.arg):
            self.used.add(node.arg)
            self.named.add(node.arg)
        elif isinstance(node, ast.arguments) and public:
            optional = node.args[len(node.args) - len(node.defaults) :] + node.kwonlyargs
            self.kept.update(part.arg for part in optional)
        elif isinstance(node, ast.keyword):
            self.kept.add(node.arg)
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            self.used.update(node.names)
        elif isinstance(node, ast.ExceptHandler):
            self.used.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            module = getattr(node, "module", None) or ""
            self.kept.update(module.split("."))
            for part in node.names:
                for name in part.name.split(".") + [part.asname or part.name]:
                    self._name(name)
                    if not module.startswith("claw_"):
                        self.kept.add(name)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            return  # a docstring
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            if re.match(r"[\w\s]+$", node.value):
                self.kept.update(node.value.split())
        for child in ast.iter_child_nodes(node):
            self._look(child, *below)

    def _name(self, name):
        self.used.add(name)
        self.named.add(name)
        if not name.startswith("_") or name.startswith("__"):
            self.kept.add(name)

    def _class(self, node):
        self.classes.add(node.name)
        self.bases.update(ast.unparse(base).split(".")[-1] for base in node.bases)
        if any(getattr(part, "name", "") == "__getattr__" for part in node.body):
            for part in ast.walk(node):
                self.kept.add(getattr(part, "attr", getattr(part, "name", None)))


class _Renamed(ast.NodeTransformer):
    """Gives every name of a tree its short one."""

    def __init__(self, names):
        self._names = names

    def generic_visit(self, node):
        """Rename one node of any kind, and what is below it."""
        for field in ("id", "attr", "arg", "name", "asname"):
            name = getattr(node, field, None)
            if isinstance(name, str):
                setattr(node, field, self._names.get(name, name))
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            node.names = [self._names.get(name, name) for name in node.names]
        return super().generic_visit(node)


def short(texts):
    """{name: short name} for the firmware whose modules texts holds, {path: source}."""
    try:
        modules = {path: _Module(text) for path, text in texts.items()}
    except SyntaxError:  # the compiler will say so
        return {}
    kept = {"self", "_", *string.ascii_lowercase, *dir(builtins)}
    for path, module in modules.items():
        kept |= module.kept | (module.others - module.own)
        if path in AS_SOURCE:
            kept |= module.used
    wanted = set().union(*[module.named for module in modules.values()]) - kept
    places = {}
    for number, group in enumerate(_groups(modules)):
        for module in group:
            for name in module.used & wanted:
                places.setdefault(name, set()).add(number)
    names = {}
    taken = []  # per short name, the groups where it stands for something
    # those that are used most widely first, as they fit in the fewest places
    for name in sorted(places, key=lambda name: (-len(places[name]), name)):
        free = [number for number, used in enumerate(taken) if not used & places[name]]
        if not free:
            free.append(len(taken))
            taken.append(set())
        taken[free[0]] |= places[name]
        names[name] = "_%d" % free[0]
    return names


def _groups(modules):
    # Modules, each together with those whose classes its own inherit from.
    groups = {path: [path] for path in modules}
    for path, module in modules.items():
        for other, found in modules.items():
            if module.bases & found.classes and groups[path] is not groups[other]:
                groups[path] += groups[other]
                for member in groups[other]:
                    groups[member] = groups[path]
    seen = {id(group): group for group in groups.values()}
    return [[modules[path] for path in group] for group in seen.values()]


def meanings(text, names):
    """{short name: name} of one module, whose source with its own names is text."""
    return {names[name]: name for name in _Module(text).used if name in names}


def rewritten(text, names):
    """The source of a module with short names in it."""
    return ast.unparse(_Renamed(names).visit(ast.parse(text))) + "\n" if names else text
