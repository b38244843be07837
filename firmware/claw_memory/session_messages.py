"""How stored records become the messages of a request: spliced, degraded, always valid JSON."""

from claw_memory import text
from claw_memory.jsonscan import is_value, value_end
from claw_memory.session_log import CALLS, FINAL, RESULT
from claw_memory.platform import const

_PIECE = const(256)  # bytes checked for sound UTF-8 in one go


def _sound(raw):
    # Most records are valid UTF-8: find out without a second copy of the whole.
    at = 0
    while at < len(raw):
        end = min(at + _PIECE, len(raw))
        while end < len(raw) and raw[end] & 0xC0 == 0x80:
            end += 1
        piece = raw[at:end]
        if text.clean_bytes(piece).encode() != piece:
            return text.clean_bytes(raw).encode()
        at = end
    return raw


def _elements(raw):
    at = 1
    while True:
        while at < len(raw) and raw[at] in (32, 9, 10, 13, 44):
            at += 1
        end = value_end(raw, at)
        if end < 0:
            return
        yield raw[at:end]
        at = end


def _sendable(kind, form, raw, backend):
    raw = _sound(raw)
    other = form and backend and form != backend and kind == FINAL
    if other or not is_value(raw):
        from claw_memory import session_degrade

        raw = session_degrade.remade(kind, form, raw, backend)
    raw = raw.strip(b" \t\r\n")
    if kind == RESULT and raw[:1] == b"[":
        return [m for m in _elements(raw) if m[:1] == b"{"]
    return (raw,) if raw[:1] == b"{" else ()


def raw_messages(records, backend):
    """Iterate the messages of records as JSON bytes, ready to be sent.

    Left out are records that backend cannot take and calls without results (or results without
    calls), with which an API would refuse the whole request.
    """
    calls = None
    answered = False
    for kind, form, raw in records:
        if kind in (CALLS, RESULT) and form and backend and form != backend:
            calls = None
            answered = False
            continue
        if kind == RESULT:
            if calls is None and not answered:
                continue
            if calls is not None:
                yield from _sendable(CALLS, form, calls, backend)
                calls = None
            answered = True
        else:
            calls = None
            answered = False
        if kind == CALLS:
            calls = raw
        else:
            yield from _sendable(kind, form, raw, backend)
