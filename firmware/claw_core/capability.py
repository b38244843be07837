"""What the model may call: the table of capabilities, and the checks around a call."""

from claw_core import late
from claw_memory import jsonio
from claw_memory.errors import ClawError


class CallContext:
    """What a capability gets to know of the request that called it.

    memory: the Memory as the user of the chat sees it; scope: that user (Scope, None: the owner).
    config: the settings. session_id, request_id, channel (its name) and chat_id: where the
    request came from. emit(kind, text) shows something on the channel.
    turn: number of the user message in the session; message: its text.
    """

    def __init__(self, memory, config, session_id, request_id, channel, chat_id, emit, turn=0):
        self.memory = memory
        self.scope = memory.scope
        self.config = config
        self.session_id = session_id
        self.request_id = request_id
        self.channel = channel
        self.chat_id = chat_id
        self.emit = emit
        self.turn = turn
        self.message = ""


class Capabilities:
    """The capabilities of one agent, in the order in which they were added."""

    def __init__(self):
        self._table = []
        self._more = tuple

    def add_rows(self, rows):
        """Offer what rows() yields: tuples of the arguments of add(), none of them held in RAM."""
        self._more = rows

    def add(self, name, description, schema, fn, exempt=False):
        """Offer fn to the model under name, replacing what had that name.

        schema: JSON text of the parameters object, or a function that returns it, which takes
        less RAM. fn(args, ctx) gets a dict and a CallContext and returns the result text, or an
        awaitable of it. exempt: the same call may be repeated with the same result (reading the
        time or a pin).
        """
        self._table = [row for row in self._table if row[0] != name]
        self._table.append((name, description, schema, fn, exempt))

    def _all(self):
        # What was added replaces what has its name.
        own = [row[0] for row in self._table]
        for row in self._more():
            if row[0] not in own:
                yield row
        yield from self._table

    def names(self):
        """The names, as a list."""
        return [row[0] for row in self._all()]

    def exempt(self, name):
        """True when repeating a call of name is no sign of a model that is stuck."""
        row = self._find(name)
        return bool(row and row[4])

    def _find(self, name):
        found = None
        for row in self._all():  # to the end, where what it is read from is closed
            if row[0] == name:
                found = row
        return found

    def tools_chunks(self):
        """Yield the bytes of the "tools" array of an OpenAI request; nothing at all when empty."""
        lead = b"["
        for name, description, schema in self.rows():
            yield lead + b'{"type":"function","function":{"name":"' + name.encode()
            yield b'","description":'
            yield jsonio.literal(description).encode() + b',"parameters":'
            yield schema.encode() + b"}}"
            lead = b","
        if lead == b",":
            yield b"]"

    def rows(self):
        """Yield (name, description, schema text) for providers with another tool format."""
        for row in self._all():
            yield row[0], row[1], _schema(row)

    async def call(self, name, args, ctx):
        """Run capability name and return (result text, is_error); raises nothing but a cancel.

        args: the arguments as the model sent them, JSON text or a dict.
        """
        row = self._find(name)
        if row is None:
            return _error("unknown_tool", late.once("misused").unknown(name, self.names()))
        if not isinstance(args, dict):
            try:
                args = jsonio.loads(args) if args.strip() else {}
            except ValueError:
                return _error("invalid_json", late.once("misused").NO_JSON)
        try:
            wanted = jsonio.loads(_schema(row))
            if not fits(args, wanted):
                return _error(
                    "invalid_arguments", late.once("misused").problem(args, wanted, "arguments")
                )
            text = row[3](args, ctx)
            if not isinstance(text, str):
                text = await text
        except ClawError as e:
            return _error(e.code, str(e))
        except MemoryError:
            return _error("out_of_memory", "not enough memory for this call")
        except Exception as e:
            return _error("failed", "%s: %s" % (type(e).__name__, e))
        return text, text.startswith('{"ok":false')


def _schema(row):
    return row[2] if isinstance(row[2], str) else row[2]()


def _error(code, message):
    return jsonio.dumps(jsonio.obj("ok", False, "error", code, "message", message)), True


def _is_a(value, kind):
    if kind == "boolean":
        return value is True or value is False
    if kind == "integer" or kind == "number":
        if value is True or value is False:
            return False
        if isinstance(value, int):
            return True
        return isinstance(value, float) and (kind == "number" or value == int(value))
    if kind == "null":
        return value is None
    types = {"string": str, "array": list, "object": dict}
    return kind not in types or isinstance(value, types[kind])


def fits(value, schema):
    """True when value is what schema wants.

    Knows the parts of JSON Schema that tools use: type (one or a list), required, properties,
    items and enum.
    """
    kinds = schema.get("type", ())
    kinds = (kinds,) if isinstance(kinds, str) else kinds
    if kinds and not any([_is_a(value, kind) for kind in kinds]):
        return False
    if "enum" in schema and value not in schema["enum"]:
        return False
    if isinstance(value, dict):
        for key in schema.get("required", ()):
            if value.get(key) is None:
                return False
        # null for an optional parameter is how some models leave it out
        for key, part in schema.get("properties", {}).items():
            if value.get(key) is not None and not fits(value[key], part):
                return False
    elif isinstance(value, list) and "items" in schema:
        return all([fits(item, schema["items"]) for item in value])
    return True
