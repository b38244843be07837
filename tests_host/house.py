"""The house rules as functions: each takes a parsed file and yields (line, what is wrong)."""

import ast
import io
import re
import tokenize

# Modules of the stock ESP32-S3 firmware that the firmware may import, and our own packages.
MODULES = set(
    "_thread array asyncio binascii claw_caps claw_core claw_env claw_memory collections cryptolib"
    " deflate errno esp esp32 gc hashlib heapq io json machine math micropython neopixel network"
    " ntptime os random re select socket ssl struct sys time urequests vfs".split()
)
# What each package of ours may import of ours.
LAYERS = {
    "claw_memory": {"claw_memory"},
    "claw_core": {"claw_core", "claw_memory"},
    "claw_caps": {"claw_caps", "claw_core", "claw_memory"},
}
# claw_memory works with files alone: no network, no loop, no hardware.
NOT_IN_MEMORY = set(
    "asyncio uasyncio machine network socket ssl select neopixel ntptime _thread bluetooth"
    " requests urequests".split()
)
# The only modules that ask which runtime and which board this is.
PLATFORM = {"claw_memory/platform.py"}
# The only modules that write.
WRITERS = {"claw_memory/durable.py"}
WRITING_OS = set(
    "remove unlink rename replace mkdir makedirs rmdir removedirs truncate link symlink".split()
)

# Attributes that MicroPython's str, bytes, int and list lack.
MISSING_METHODS = set(
    "as_integer_ratio bit_count bit_length capitalize casefold expandtabs format_map hexdigest"
    " isalnum isascii isdecimal isidentifier isnumeric isprintable istitle ljust maketrans"
    " removeprefix removesuffix rjust swapcase title translate zfill".split()
)
MISSING_NAMES = set(
    "FileNotFoundError FileExistsError PermissionError IsADirectoryError NotADirectoryError"
    " TimeoutError ConnectionError ConnectionResetError ConnectionRefusedError BrokenPipeError"
    " InterruptedError RecursionError UnicodeDecodeError UnicodeEncodeError ModuleNotFoundError"
    " ExceptionGroup aiter anext ascii breakpoint vars".split()
)
MISSING_IN = {
    "asyncio": set(
        "Queue PriorityQueue Semaphore BoundedSemaphore Condition Barrier Runner TaskGroup"
        " all_tasks as_completed create_subprocess_exec ensure_future get_running_loop"
        " iscoroutine run_coroutine_threadsafe shield timeout to_thread wait".split()
    ),
    "json": {"JSONDecodeError", "JSONEncoder", "JSONDecoder"},
    "os": set("fsync path replace scandir truncate walk environ getpid linesep access".split()),
    "random": {"choices", "sample", "shuffle", "gauss"},
    "re": set("findall finditer split fullmatch escape IGNORECASE MULTILINE DOTALL I M S".split()),
    "time": set("monotonic perf_counter strftime strptime process_time asctime ctime".split()),
    "collections": {"Counter", "defaultdict", "ChainMap", "UserDict"},
    "sys": {"getsizeof", "getrecursionlimit", "setrecursionlimit", "flags"},
    "gc": {"get_objects", "get_referrers"},
}
MISSING_KEYWORDS = {
    "print": {"flush"},
    "zip": {"strict"},
    "open": {"newline", "errors", "closefd", "buffering"},
    "split": {"maxsplit", "sep"},
    "rsplit": {"maxsplit", "sep"},
    "splitlines": {"keepends"},
    "decode": {"encoding", "errors"},
    "encode": {"encoding", "errors"},
    "dumps": {"indent", "sort_keys", "ensure_ascii", "default", "cls", "allow_nan"},
    "loads": {"object_pairs_hook", "object_hook", "strict", "cls"},
    "int": {"base"},
    "sum": {"start"},
}
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def called(node):
    """Last name of what a Call calls: 'open' for open(...) and for io.open(...)."""
    function = node.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def aliases(tree):
    """{local name: module} of the imports of whole modules."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for name in node.names:
                found[name.asname or name.name.split(".")[0]] = name.name
    return found


def imports(tree):
    """Yield (line, dotted module) of every import; `from a import b` gives a and a.b."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for name in node.names:
                yield node.lineno, name.name
        elif isinstance(node, ast.ImportFrom):
            yield node.lineno, "." * node.level + (node.module or "")


def check_docstrings(tree):
    """The first statement is a docstring, and so has every public function, class and method."""
    if not ast.get_docstring(tree):
        yield 1, "the first statement must be a docstring that says what belongs in the file"
    pending = [(node, "") for node in tree.body]
    while pending:
        node, prefix = pending.pop(0)
        if isinstance(node, (ast.If, ast.Try)):
            parts = node.body + node.orelse + getattr(node, "finalbody", [])
            for handler in getattr(node, "handlers", []):
                parts = parts + handler.body
            pending += [(child, prefix) for child in parts]
        if not isinstance(node, DEFINITIONS) or node.name.startswith("_"):
            continue
        if not ast.get_docstring(node):
            yield node.lineno, "%s%s is public and has no docstring" % (prefix, node.name)
        if isinstance(node, ast.ClassDef):
            pending += [(child, prefix + node.name + ".") for child in node.body]


def check_imports(tree, path):
    """Only modules of the board, and ours in one direction. path: below firmware/."""
    package = path.split("/")[0] if "/" in path else ""
    for line, module in imports(tree):
        top = module.split(".")[0]
        if module.startswith("."):
            yield line, "relative import: write the full name of the module"
            continue
        if top not in MODULES:
            yield line, "import of %s, which the boards do not have" % module
        if top in LAYERS and package in LAYERS and top not in LAYERS[package]:
            yield line, "%s must not import %s" % (package, module)
        if package == "claw_memory" and top in NOT_IN_MEMORY:
            yield line, "claw_memory must not import %s" % module


def check_writes(tree, path):
    """Only the durable-file module opens files for writing, removes, renames and makes them."""
    if path in WRITERS:
        return
    names = aliases(tree)
    called_as = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == "os":
            for name in node.names:
                if name.name in WRITING_OS:
                    yield node.lineno, "os.%s outside durable.py" % name.name
        elif isinstance(node, ast.Attribute) and node.attr in WRITING_OS:
            if isinstance(node.value, ast.Name) and names.get(node.value.id) == "os":
                yield node.lineno, "os.%s outside durable.py" % node.attr
        elif isinstance(node, ast.Call) and _is_open(node.func):
            mode = next((k.value for k in node.keywords if k.arg == "mode"), None)
            if len(node.args) > 1:
                mode = node.args[1]
            if mode is None:
                continue
            if not isinstance(mode, ast.Constant):
                yield node.lineno, "open() with a mode that is not a literal"
            elif set(mode.value) & set("wax+"):
                yield node.lineno, "open(..., %r) outside durable.py" % mode.value
        elif _is_open(node) and node not in called_as:
            yield node.lineno, "open as a value: outside durable.py it is only called"


def _is_open(node):
    if isinstance(node, ast.Attribute):
        return node.attr == "open" and getattr(node.value, "id", "") in ("io", "builtins")
    return isinstance(node, ast.Name) and node.id == "open"


def check_platform(tree, path):
    """Questions about the runtime and the board are asked in platform.py only."""
    if path in PLATFORM:
        return
    names = aliases(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            whole = "%s.%s" % (names.get(node.value.id), node.attr)
            if whole in ("sys.implementation", "sys.platform", "os.uname", "sys.version"):
                yield node.lineno, "%s outside platform.py" % whole
        elif isinstance(node, ast.ImportFrom) and node.module in ("sys", "os"):
            for name in node.names:
                if name.name in ("implementation", "platform", "uname"):
                    yield node.lineno, "%s.%s outside platform.py" % (node.module, name.name)


def _own_nodes(function):
    # Nodes of a function without those of the functions in it.
    pending = list(function.body)
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, (*DEFINITIONS, ast.Lambda)):
            pending += ast.iter_child_nodes(node)


def check_syntax(tree):
    """Syntax that MicroPython lacks, or compiles and then does wrong."""
    for node in ast.walk(tree):
        kind = type(node).__name__
        line = getattr(node, "lineno", 0)
        if kind in ("Match", "TryStar", "TypeAlias"):
            yield line, "the statement %s does not exist on MicroPython" % kind
        elif isinstance(node, (ast.List, ast.Set, ast.Tuple)):
            starred = any(isinstance(item, ast.Starred) for item in node.elts)
            if starred and not isinstance(getattr(node, "ctx", None), ast.Store):
                yield line, "a display with a starred item does not compile"
        elif isinstance(node, ast.Dict) and None in node.keys:
            yield line, "a dict display with ** does not compile"
        elif isinstance(node, ast.Slice) and node.step is not None:
            yield node.step.lineno, "slices with a step are not supported for str, bytes and list"
        elif isinstance(node, ast.comprehension) and node.is_async:
            yield node.target.lineno, "asynchronous comprehensions do not compile"
        elif isinstance(node, ast.ClassDef) and node.keywords:
            yield line, "metaclasses and class keywords are not supported"
        elif isinstance(node, FUNCTIONS):
            yield from _check_function(node)
        elif isinstance(node, ast.AnnAssign):
            yield from _check_annotation(node.annotation)


def _check_function(node):
    if node.args.posonlyargs:
        yield node.lineno, "positional-only parameters do not compile"
    if node.name in ("__del__", "__init_subclass__", "__class_getitem__"):
        yield node.lineno, "%s is never called" % node.name
    every = node.args.args + node.args.kwonlyargs + [node.args.vararg, node.args.kwarg]
    for annotation in [a.annotation for a in every if a] + [node.returns]:
        yield from _check_annotation(annotation)
    if isinstance(node, ast.AsyncFunctionDef):
        for inner in _own_nodes(node):
            if isinstance(inner, (ast.Yield, ast.YieldFrom)):
                yield inner.lineno, "asynchronous generators do not work: write __anext__"


def _check_annotation(annotation):
    for node in ast.walk(annotation) if annotation else ():
        if isinstance(node, (ast.BinOp, ast.Subscript)):
            yield node.lineno, "only plain annotations: %s fails at run time" % ast.unparse(node)


def check_names(tree, path):
    """Names, methods and keywords that MicroPython lacks."""
    names = aliases(tree)
    guarded = set()  # what the file asks for with hasattr(module, name) before it uses it
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and called(node) == "hasattr":
            guarded.add(getattr(node.args[1], "value", ""))
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in MISSING_NAMES:
            yield node.lineno, "%s does not exist on MicroPython" % node.id
        elif isinstance(node, ast.ImportFrom):
            for name in node.names:
                if name.name in MISSING_IN.get(node.module or "", ()):
                    yield node.lineno, "%s.%s does not exist" % (node.module, name.name)
        elif isinstance(node, ast.Attribute):
            module = names.get(getattr(node.value, "id", ""), "")
            if node.attr in guarded or path in PLATFORM:
                continue
            if node.attr in MISSING_IN.get(module, ()):
                yield node.lineno, "%s.%s does not exist on MicroPython" % (module, node.attr)
            elif node.attr in MISSING_METHODS and not module:
                yield node.lineno, ".%s() does not exist on MicroPython" % node.attr
        elif isinstance(node, ast.Call):
            yield from _check_call(node)


def _check_call(node):
    name = called(node)
    for keyword in node.keywords:
        if keyword.arg in MISSING_KEYWORDS.get(name, ()):
            yield node.lineno, "%s(%s=) fails on MicroPython" % (name, keyword.arg)
    if name == "decode" and len(node.args) > 1:
        yield node.lineno, "decode() with an error handler still raises on MicroPython"
    if name == "str" and len(node.args) > 2:
        yield node.lineno, "str() with an error handler still raises on MicroPython"


def check_braces(source):
    """An f-string next to a literal with braces: MicroPython joins the two before formatting."""
    before = None  # (is an f-string, has braces) of the string that ended last
    depth = 0
    start = getattr(tokenize, "FSTRING_START", -1)
    end = getattr(tokenize, "FSTRING_END", -1)
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        now = None
        if token.type == start:
            depth += 1
            now = (True, True) if depth == 1 else None
        elif token.type == end:
            depth -= 1
            if not depth:
                before = (True, True)
            continue
        elif depth or token.type in (tokenize.NL, tokenize.COMMENT):
            continue
        elif token.type == tokenize.STRING:
            formatted = "f" in re.split("['\"]", token.string, maxsplit=1)[0].lower()
            now = (formatted, "{" in token.string or "}" in token.string)
        if now and before and now[0] != before[0] and now[1] and before[1]:
            yield token.start[0], "an f-string next to a literal with braces"
        before = now


def check_firmware(source, path):
    """All rules for one file of firmware/; path is relative to it. Yields (line, text)."""
    tree = ast.parse(source)
    yield from check_docstrings(tree)
    yield from check_imports(tree, path)
    yield from check_writes(tree, path)
    yield from check_platform(tree, path)
    yield from check_syntax(tree)
    yield from check_names(tree, path)
    yield from check_braces(source)
    lines = source.count("\n")
    if lines > 300:
        yield lines, "%d lines: no module has more than 300" % lines


LEFTOVERS = re.compile(r"\b(TO" r"DO|FIX" r"ME|X" r"XX|HA" r"CK)\b")
MACHINE = re.compile(
    r"(?<![\w.])/(?:(?:work|home/\w+|root|Users/\w+)(?:/|\b)|tmp/(?:v|claw)/)"
    r"|py" r"pi\.org|pythonhosted" r"\.org|npm" r"js\.org|(?:extra-|--)index-url[ =]+http"
    r"|\.\./sha" r"red\b|\bissues? #?\d"
)  # fmt: skip


def check_text(source):
    """What no file of the repository holds: leftovers, paths of one machine, registry hosts."""
    for number, line in enumerate(source.split("\n"), 1):
        for pattern, what in ((LEFTOVERS, "leftover"), (MACHINE, "of one machine only")):
            found = pattern.search(line)
            if found:
                yield number, "%s: %s" % (what, found.group(0))
