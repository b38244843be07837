"""Records as parsed messages, and what of them a backend takes that did not write them."""

from claw_memory import jsonio
from claw_memory.session_log import CALLS, FINAL, RESULT
from claw_memory.session_messages import parse


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
