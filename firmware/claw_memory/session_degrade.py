"""Records as parsed messages, and what of them a backend takes that did not write them."""

from claw_memory import jsonio, text
from claw_memory.jsonscan import is_value
from claw_memory.session_log import CALLS, FINAL, RESULT


def parse(raw):
    """The value of a record's JSON bytes, read as leniently as ESP-Claw reads."""
    try:
        return jsonio.loads_prefix(raw)
    except ValueError:
        return jsonio.loads_prefix(text.clean_bytes(raw))


def remade(kind, form, raw, backend):
    """The JSON bytes of a record of another backend, or of no sound JSON, b"" when it is none.

    Raw control characters in a string: ESP-Claw reads that, no API does.
    """
    old = parse(raw)
    value = degrade(kind, form, backend, old)
    if value is None:
        return b""
    if value is not old:
        value = jsonio.obj("role", "assistant", "content", value["content"])
    elif is_value(raw):
        return raw
    return jsonio.dumps(value).encode()


def _takes(form, backend):
    return not form or not backend or form == backend


def degrade(kind, form, backend, value):
    """value of a record as backend (format number) takes it, None when it cannot.

    Only records written for another known backend change: tool records go, a final answer
    keeps its text.
    """
    if _takes(form, backend):
        return value
    if kind in (CALLS, RESULT):
        return None
    if kind != FINAL:
        return value
    content = jsonio.get(value, "content") if isinstance(value, dict) else None
    if isinstance(content, str):
        return value
    words = ""
    if isinstance(content, list):
        for block in content:
            if isinstance(block, dict) and jsonio.get(block, "type") == "text":
                part = jsonio.get(block, "text")
                words += part if isinstance(part, str) else ""
    return {"role": "assistant", "content": words} if words else None


def parsed(records, backend):
    """Iterate the messages of records, parsed; arrays of tool results are spliced in."""
    for kind, form, raw in records:
        try:
            value = degrade(kind, form, backend, parse(raw))
        except ValueError:
            continue
        if kind == RESULT and isinstance(value, list):
            yield from value
        elif value is not None or (raw.strip() == b"null" and _takes(form, backend)):
            yield value
