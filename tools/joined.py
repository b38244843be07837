"""Joins the modules of a package that every chat holds into one compiled file, its __init__.

Each module of MicroPython has a table of its own for all names in it, a dictionary for what it
defines and imports, and four objects around them. One file for all that is in RAM anyway has all
this once. The source goes on having one module for one idea, and so does `import`: the joined
file enters itself into sys.modules under the name of each of its modules.

What a module defines must therefore be unlike what the others define, but for private names, which
are told apart here; modules that are let go of (platform.unload) or that answer for names they do
not have (__getattr__) stay alone. NotJoinable says what stands in the way.
"""

import ast
import builtins

from scopes import COMPREHENSIONS, FUNCTIONS, SCOPES, Scope

# The modules of each package, every one behind those of the others that it imports.
JOINED = {
    "claw_memory": (
        "errors text quote durable jsonscan jsonio itemline items digest table records longterm"
        " session_log session_messages sessions session_names profile providers stage memory"
    ),
    "claw_core": (
        "events model late asking tokens context toolloop capability uptime provider config typed"
        " stdio console agent local"
    ),
}
# What is given by keyword becomes a name of MicroPython's: smaller than a text, and others use it.
_ENTER = """
import sys
for _name in %r.split():
    sys.modules.update(**{__name__ + "." + _name: sys.modules[__name__]})
    setattr(sys.modules[__name__], _name, sys.modules[__name__])
"""


class NotJoinable(Exception):
    """A module cannot be joined with others: one sentence for its author."""


def joined(trees):
    """{path: tree} of a firmware in which the modules of JOINED are in their packages' files.

    trees: {path: tree}, which are changed. Raises NotJoinable.
    """
    found = dict(trees)
    for package, names in JOINED.items():
        paths = ["%s/%s.py" % (package, name) for name in names.split()]
        first = package + "/__init__.py"
        if first in found and all(path in found for path in paths):
            modules = {path[:-3].partition("/")[2] for path in trees if path.startswith(package)}
            members = {name: found.pop(path) for name, path in zip(names.split(), paths)}
            found[first].body += _Package(package, members, modules).body()
    return found


def is_joined(path):
    """True for the path of a module that has no compiled file of its own."""
    package, _, name = path[:-3].partition("/")
    return name in JOINED.get(package, "").split()


class _Package:
    """The modules of one package that are joined: {name: tree}; modules: the names of all."""

    def __init__(self, package, members, modules):
        self._package = package
        self._reserved = {"__getattr__", *modules, *dir(builtins)}
        self._members = members
        self._defined = {name: _defined(tree.body) for name, tree in members.items()}
        self._final = {}  # {(module, name): name in the joined file}
        taken = {}
        for module, names in self._defined.items():
            for name in sorted(names - {"__all__"}):
                self._final[module, name] = self._free(module, name, taken)
        self._modules = {}
        for module, tree in members.items():
            own = self._modules[module] = _Module(self, module)
            tree.body = [part for node in tree.body for part in own.without_imports(node)]

    def _free(self, module, name, taken):
        if name in self._reserved:
            raise NotJoinable("%s.%s cannot define %s." % (self._package, module, name))
        free = name
        if name in taken:
            if not name.startswith("_") or name.startswith("__"):
                raise NotJoinable(
                    "Two modules of %s define %s: %s and %s."
                    % (self._package, name, taken[name], module)
                )
            free = "%s_%s" % (name, module)
        taken[free] = module
        return free

    def body(self):
        """The statements of the joined file, without those of the package itself."""
        found = []
        seen = {}
        for module, tree in self._members.items():
            for node in tree.body:
                if not isinstance(node, (ast.Import, ast.ImportFrom)):
                    found.append(self._modules[module].visit(node))
                elif self._is_new(module, node, seen):
                    found.append(node)
            self._check(module, self._modules[module])
        # at the end: of a file for which the RAM did not suffice nothing stays
        return found + ast.parse(_ENTER % " ".join(self._members)).body

    def _is_new(self, module, node, seen):
        # True for the first import of something; seen: {name: what it is}, which is added to.
        name = node.names[0].asname or node.names[0].name
        known = seen.setdefault(name, node)
        own = getattr(node, "module", None) == self._package
        if not own and name in self._reserved or ast.dump(known) != ast.dump(node):
            raise NotJoinable("%s imports another %s." % (module, name))
        return known is node

    def _check(self, module, own):
        # What a module gets from elsewhere must not be what another one defines.
        for other, names in self._defined.items():
            for name in names:
                if name in own.free and self._final[other, name] == name and other != module:
                    raise NotJoinable("%s would get %s from %s." % (module, name, other))

    def final(self, module, name):
        """What a name of a module is called in the joined file, None when it has no such name."""
        if (module, name) in self._final:
            return self._final[module, name]
        return self._modules[module].others.get(name) if module in self._modules else None

    def members(self):
        """The names of the modules."""
        return self._members

    @property
    def name(self):
        """The name of the package."""
        return self._package


class _Module(ast.NodeTransformer):
    """Gives what a module uses of itself and of the others its name in the joined file."""

    def __init__(self, package, module):
        self.free = set()  # names that it takes from elsewhere
        self.others = {}  # {name: name in the joined file} of what it imports of the others
        self._package = package
        self._module = module
        self._modules = {}  # {name: module of the package that it stands for}
        self._scopes = []

    def without_imports(self, node):
        """What is left of a statement of the module: of an import, statements of one name each."""
        if not isinstance(node, (ast.Import, ast.ImportFrom)):
            return [] if _is_text(node) or "__all__" in _defined([node]) else [node]
        source = getattr(node, "module", None) or ""
        package, _, module = source.partition(".")
        left = []
        for part in node.names:
            name = part.asname or part.name
            if source == self._package.name and part.name in self._package.members():
                self._modules[name] = part.name
            elif package == self._package.name and module in self._package.members():
                self.others[name] = self._package.final(module, part.name)
                if self.others[name] is None:
                    raise NotJoinable("%s has no %s." % (source, part.name))
            else:
                self.free.add(name)
                left.append(ast.Import(names=[part]))
                if source:
                    left[-1] = ast.ImportFrom(module=source, names=[part], level=0)
        return left

    def _is_global(self, name):
        inner = self._scopes[-1:]
        outer = [scope for scope in self._scopes[:-1] if not isinstance(scope.node, ast.ClassDef)]
        return not any(name in scope.names for scope in inner + outer)

    def _renamed(self, name):
        if not self._is_global(name):
            return name
        final = self._package.final(self._module, name) or self.others.get(name)
        if final is None:
            self.free.add(name)
        elif not self._is_global(final):
            raise NotJoinable("%s has a local name like the global %s." % (self._module, final))
        return final or name

    def visit_Name(self, node):
        """A name."""
        if self._is_global(node.id) and node.id in self._modules:
            raise NotJoinable("%s uses a module by itself: %s." % (self._module, node.id))
        node.id = self._renamed(node.id)
        return node

    def visit_Attribute(self, node):
        """Something of another module."""
        owner = node.value
        if not isinstance(owner, ast.Name) or owner.id not in self._modules:
            return self.generic_visit(node)
        if not self._is_global(owner.id):
            return self.generic_visit(node)
        module = self._modules[owner.id]
        final = self._package.final(module, node.attr)
        if final is None or not self._is_global(final):
            raise NotJoinable("%s uses %s.%s." % (self._module, module, node.attr))
        return ast.copy_location(ast.Name(id=final, ctx=node.ctx), node)

    def visit_Global(self, node):
        """The names of a global statement."""
        node.names = [self._package.final(self._module, name) or name for name in node.names]
        return node

    def generic_visit(self, node):
        """What is below a node, in its scope."""
        if not isinstance(node, SCOPES):
            return super().generic_visit(node)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            node.name = self._renamed(node.name)
            node.decorator_list = [self.visit(part) for part in node.decorator_list]
        if isinstance(node, ast.ClassDef):
            node.bases = [self.visit(part) for part in node.bases]
        elif isinstance(node, FUNCTIONS):
            args = node.args
            args.defaults = [self.visit(part) for part in args.defaults]
            args.kw_defaults = [part and self.visit(part) for part in args.kw_defaults]
        else:
            node.generators[0].iter = self.visit(node.generators[0].iter)
        self._scopes.append(Scope(node))
        if isinstance(node, COMPREHENSIONS):
            self._comprehension(node)
        elif isinstance(node, ast.Lambda):
            node.body = self.visit(node.body)
        else:
            node.body = [self.visit(part) for part in node.body]
        self._scopes.pop()
        return node

    def _comprehension(self, node):
        for field in ("elt", "key", "value"):
            if hasattr(node, field):
                setattr(node, field, self.visit(getattr(node, field)))
        for at, part in enumerate(node.generators):
            part.target = self.visit(part.target)
            part.iter = self.visit(part.iter) if at else part.iter
            part.ifs = [self.visit(test) for test in part.ifs]


def _is_text(node):
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _defined(body):
    # The names that statements at the top of a module define, without what they import.
    found = set()
    for node in body:
        if not isinstance(node, (ast.Import, ast.ImportFrom)):
            found |= Scope(ast.Module(body=[node], type_ignores=[])).names
    return found

