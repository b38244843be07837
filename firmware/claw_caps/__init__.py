"""claw_caps: what the model may call. Here is the table; the work is in one module per family."""

_TERMS = '{"type":["string","array"],"items":{"type":"string"}}'
_KINDS = {"s": '{"type":"string"}', "i": '{"type":"integer"}', "t": _TERMS}
_KINDS["a"] = '{"type":"array","items":{"type":"string"}}'
_FACT = "content:s%s tags:t keywords:t"
_ID = "memory_id:s! "

# Per capability: its module, its function there, its arguments (see schema), its description.
_TABLE = (
    (
        "memory",
        "memory_store",
        _FACT % "!" + " memory_id:s",
        "Remember one lasting fact about the user. 1-2 short tags, 1-3 keywords from the content.",
    ),
    (
        "memory",
        "memory_recall",
        "summary_labels:a limit:i",
        "Read memories by labels copied exactly from the label list; no labels: the top ones.",
    ),
    ("memory", "memory_list", "", "List memories, most important first."),
    ("memory", "memory_update", _ID + _FACT % "", "Correct the memory with this id."),
    ("memory", "memory_forget", _ID, "Forget the memory with this id."),
    (
        "sessions",
        "session_command",
        "command:s!",
        "Manage chat sessions: new [name], list, switch NAME, delete NAME, show.",
    ),
    (
        "files",
        "files_list",
        "folder:s",
        "List profile files (user.md, soul.md, identity.md), files/ and skills/.",
    ),
    ("files", "files_read", "path:s! offset:i", "Read a text file, from a byte offset."),
    (
        "files",
        "files_edit",
        "path:s! old:s new:s append:s content:s",
        "Change a file: replace the text old (must occur once) by new, or append, or set content.",
    ),
    ("clock", "time_now", "", "The current date and time."),
    ("system", "system_info", "", "State of the board: version, uptime, heap, storage, Wi-Fi."),
)


def register_all(caps, memory, config):
    """Offer every capability that fits `memory` to the model through `caps` (Capabilities).

    The module of a family is imported when one of its capabilities is called for the first
    time. In lightweight mode there are no memory tools, and pins are only offered when the config
    allows some.
    """
    table = _TABLE
    if config.get("gpio.pins"):
        from claw_caps import gpio_table

        table = _TABLE[:-1] + gpio_table.TABLE + _TABLE[-1:]
    for module, name, args, description in table:
        if module == "memory" and memory.longterm is None:
            continue
        # Reading the time or a pin again is no sign of a model that goes round in circles.
        exempt = name in ("time_now", "gpio_read", "adc_read")
        late = _Late(module, name, args)
        caps.add(name, description, late.schema, late, exempt)


def schema(args):
    """JSON Schema text of an arguments object from "name:kind name:kind!" (! is required).

    Kinds: s string, i integer, a array of strings, t terms (a string or an array of strings).
    """
    properties = []
    required = []
    for part in args.split():
        name, kind = part.split(":")
        properties.append('"%s":%s' % (name, _KINDS[kind[0]]))
        if kind[-1] == "!":
            required.append('"%s"' % name)
    out = '{"type":"object","properties":{' + ",".join(properties) + "}"
    return out + (',"required":[' + ",".join(required) + "]}" if required else "}")


class _Late:
    def __init__(self, module, name, args):
        self._place = module, name, args

    def schema(self):
        return schema(self._place[2])

    def __call__(self, args, ctx):
        module, name, _ = self._place
        family = __import__("claw_caps." + module, None, None, (name,))
        return getattr(family, name)(args, ctx)
