"""Which names the functions, comprehensions and classes of a source bind."""

import ast

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
SCOPES = (*FUNCTIONS, *COMPREHENSIONS, ast.ClassDef)


class Scope:
    """The names that a function, a comprehension or the body of a class binds."""

    def __init__(self, node):
        self.node = node
        self.names = set()
        self._outer = set()
        if isinstance(node, FUNCTIONS):
            args = node.args
            every = args.posonlyargs + args.args + args.kwonlyargs + [args.vararg, args.kwarg]
            self.names.update(part.arg for part in every if part)
        if isinstance(node, COMPREHENSIONS):
            for part in node.generators:
                self._look(part.target)
        elif not isinstance(node, ast.Lambda):
            for part in node.body:
                self._look(part)
        self.names -= self._outer

    def _look(self, node):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            self.names.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Store, ast.Del)):
            self.names.add(node.id)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            self.names.update((part.asname or part.name).split(".")[0] for part in node.names)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            self.names.add(node.name)
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            self._outer.update(node.names)
        if not isinstance(node, SCOPES):
            for part in ast.iter_child_nodes(node):
                self._look(part)
