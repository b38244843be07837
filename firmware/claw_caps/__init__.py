"""claw_caps: what the model may call. The table is tools.md, the work in one module per family."""

from micropython import const

_ITEMS = const(',"items":{"type":"string"}')
_KINDS = {"s": '"string"', "i": '"integer"', "a": '"array"' + _ITEMS}
_KINDS["t"] = '["string","array"]' + _ITEMS

# A text file that is read whenever it is needed: in RAM it would take 2 KB.
_FILE = (__path__ if isinstance(__path__, str) else __path__[0]) + "/tools.md"


def register_all(caps, memory, config):
    """Offer every capability that fits `memory` to the model through `caps` (Capabilities).

    The module of a family is imported when one of its capabilities is called for the first
    time. In lightweight mode the only memory tool is memory_note, and pins are only offered when
    the config allows some.
    """
    left_out = ("memory", "search") if memory.longterm is None else ()
    pins = ()
    if config.get("gpio.pins"):
        from claw_caps import gpio_table

        pins = gpio_table.TABLE.encode().split(b"\n")
    caps.add_rows(lambda: _rows(pins, left_out))


def _rows(pins, left_out):
    with open(_FILE, "rb") as file:
        for lines in (pins, file):
            for line in lines:
                module, bar, rest = str(line, "utf-8").rstrip().partition("|")
                if bar and module not in left_out:
                    name, args, what = rest.split("|")
                    # Reading the time or a pin again is no sign of a model that goes in circles.
                    exempt = name in ("time_now", "gpio_read", "adc_read")
                    yield name, what, lambda args=args: schema(args), _late(module, name), exempt


def schema(args):
    """JSON Schema text of an arguments object from "name:kind name:kind!" (! is required).

    Kinds: s string, i integer, a array of strings, t terms (a string or an array of strings).
    """
    properties = []
    required = []
    for part in args.split():
        name, kind = part.split(":")
        properties.append('"%s":{"type":%s}' % (name, _KINDS[kind[0]]))
        if kind[-1] == "!":
            required.append('"%s"' % name)
    out = '{"type":"object","properties":{' + ",".join(properties) + "}"
    return out + (',"required":[' + ",".join(required) + "]}" if required else "}")


def _late(module, name):
    def call(args, ctx):
        return getattr(__import__("claw_caps." + module, None, None, (name,)), name)(args, ctx)

    return call
