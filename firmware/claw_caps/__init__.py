"""claw_caps: what the model may call. Here is the table; the work is in one module per family."""

from micropython import const

_TERMS = const('{"type":["string","array"],"items":{"type":"string"}}')
_KINDS = {"s": '{"type":"string"}', "i": '{"type":"integer"}', "t": _TERMS}
_KINDS["a"] = '{"type":"array","items":{"type":"string"}}'

# Per line: the module of a capability, its name, its arguments (see schema), its description. One
# text, because tuples for all of them would take three times as much of the heap.
_TABLE = const(
    "memory|memory_store|content:s! tags:t keywords:t memory_id:s"
    "|Remember one lasting fact about the user. 1-2 short tags, 1-3 keywords from the content.\n"
    "memory|memory_recall|summary_labels:a limit:i"
    "|Read memories by labels copied exactly from the label list; no labels: the top ones.\n"
    "search|memory_search|query:s! limit:i"
    "|Search memories, notes and old conversations by words.\n"
    "memory|memory_get|id:s! first:i lines:i|Read on in a search result by its id.\n"
    "memory|memory_list||List memories, most important first.\n"
    "memory|memory_update|memory_id:s! content:s tags:t keywords:t"
    "|Correct the memory with this id.\n"
    "memory|memory_forget|memory_id:s!|Forget the memory with this id.\n"
    "notes|memory_note|text:s!|Add one line to today's notes: what happens, plans, decisions.\n"
    "sessions|session_command|command:s!"
    "|Manage chat sessions: new [name], list, switch NAME, delete NAME, show.\n"
    "files|files_list|folder:s"
    "|List profile files (user.md, soul.md and others), files/ and skills/.\n"
    "files|files_read|path:s! offset:i|Read a text file, from a byte offset.\n"
    "files|files_edit|path:s! old:s new:s append:s content:s"
    "|Change a file: replace the text old (must occur once) by new, or append, or set content.\n"
    "clock|time_now||The current date and time.\n"
)
_LAST = const("system|system_info||State of the board: version, uptime, heap, storage, Wi-Fi.\n")


def register_all(caps, memory, config):
    """Offer every capability that fits `memory` to the model through `caps` (Capabilities).

    The module of a family is imported when one of its capabilities is called for the first
    time. In lightweight mode the only memory tool is memory_note, and pins are only offered when
    the config allows some.
    """
    start = _TABLE.find("notes|") if memory.longterm is None else 0
    pins = ""
    if config.get("gpio.pins"):
        from claw_caps import gpio_table

        pins = gpio_table.TABLE
    caps.add_rows(lambda: _rows((_TABLE, pins, _LAST), start))


def _rows(tables, start):
    for table in tables:
        while start < len(table):  # line by line: no large piece of heap is needed
            end = table.find("\n", start)
            module, name, args, description = table[start:end].split("|")
            start = end + 1
            # Reading the time or a pin again is no sign of a model that goes round in circles.
            exempt = name in ("time_now", "gpio_read", "adc_read")
            yield name, description, lambda args=args: schema(args), _late(module, name), exempt
        start = 0


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


def _late(module, name):
    def call(args, ctx):
        return getattr(__import__("claw_caps." + module, None, None, (name,)), name)(args, ctx)

    return call
