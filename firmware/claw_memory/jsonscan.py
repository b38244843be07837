"""Checks JSON without parsing it: where a value ends, in flat memory and across reads."""

import re

from claw_memory.platform import const

# What scan() expects next; the order matters: up to _FIRST a value may start.
VALUE = const(0)
_FIRST = const(1)  # value or ]
_FIRST_KEY = const(2)  # key or }
_KEY = const(3)
_COLON = const(4)
_AFTER = const(5)  # comma or the closing bracket
_IN_STRING = const(6)
_IN_KEY = const(7)
DONE = const(8)
BAD = const(9)
_DEPTH = const(1000)  # lists and objects within each other, as many as ESP-Claw reads

_controls = re.compile(b"[\x01-\x1f]")


def has_controls(data):
    """True when data (bytes) holds a byte below 32."""
    return b"\0" in data or _controls.search(data) is not None


def _has_nul(data):
    return b"\0" in data


def _digits(token, i):
    while i < len(token) and 48 <= token[i] <= 57:
        i += 1
    return i


def _is_number(token):
    n = len(token)
    i = 1 if token[0] == 45 else 0
    j = _digits(token, i)
    if j == i or (token[i] == 48 and j > i + 1):
        return False
    if j < n and token[j] == 46:
        i = j + 1
        j = _digits(token, i)
        if j == i:
            return False
    if j < n and token[j] | 32 == 101:
        i = j + 1
        if i < n and token[i] in (43, 45):
            i += 1
        j = _digits(token, i)
        if j == i:
            return False
    return j == n


def _escape_end(buf, i):
    # Index after the escape at i, -1 when it is wrong, 0 when buf ends too early.
    if i + 1 >= len(buf):
        return 0
    c = buf[i + 1]
    if c != 117:
        return i + 2 if c in (34, 92, 47, 98, 102, 110, 114, 116) else -1
    if i + 6 > len(buf):
        return 0
    for k in range(i + 2, i + 6):
        c = buf[k] | 32
        if not (48 <= buf[k] <= 57 or 97 <= c <= 102):
            return -1
    return i + 6


def scan(buf, i, state, strict=True, final=True):
    """Go on checking one JSON value in buf (bytes) from index i; return the index reached.

    state is a list that starts as [VALUE]; its first element says how it went: DONE (the value
    ends at the returned index), BAD (no JSON there), else more bytes are needed and the next
    call must start with those from the returned index on. Not strict: raw control characters
    in strings pass, as they do in ESP-Claw, except NUL. final: nothing follows buf, so a number
    may end there.
    """
    mode = state[0]
    n = len(buf)
    # Looked for string by string only when there are any.
    refused = has_controls if strict else _has_nul
    controls = refused(buf)
    end = -2  # next quote, looked up once per string
    while mode < DONE:
        if mode >= _IN_STRING:
            if end < i:
                end = buf.find(b'"', i)
                if end < 0:
                    end = n
            j = buf.find(b"\\", i, end)
            if controls and refused(buf[i : end if j < 0 else j]):
                mode = BAD
            elif j >= 0:
                i = j
                j = _escape_end(buf, i)
                if j == 0:
                    break
                if j < 0:
                    mode = BAD
                i = j
            elif end == n:
                i = n
                break
            else:
                i = end + 1
                mode = _COLON if mode == _IN_KEY else _AFTER if len(state) > 1 else DONE
            continue
        if i >= n:
            break
        c = buf[i]
        if c <= 32:
            if c in (32, 10, 13, 9):
                i += 1
                continue
            mode = BAD
        elif c == 34:
            if mode <= _FIRST:
                mode = _IN_STRING
            else:
                mode = _IN_KEY if mode <= _KEY else BAD
        elif c == 44:
            mode = BAD if mode != _AFTER else _KEY if state[-1] == 123 else VALUE
        elif c == 58:
            mode = VALUE if mode == _COLON else BAD
        elif c == 123 or c == 91:
            if mode > _FIRST or len(state) > _DEPTH:
                mode = BAD
            else:
                state.append(c)
                mode = _FIRST_KEY if c == 123 else _FIRST
        elif c == 125 or c == 93:
            first = _FIRST_KEY if c == 125 else _FIRST
            if state[-1] != c - 2 or mode not in (first, _AFTER):
                mode = BAD
            else:
                state.pop()
                mode = _AFTER if len(state) > 1 else DONE
        else:
            j = i
            while j < n and (buf[j] > 93 or 43 <= buf[j] <= 57 and buf[j] != 44 or buf[j] == 69):
                if buf[j] > 122:
                    break
                j += 1
            if j == n and not final and j - i < 400:
                break
            token = buf[i:j] if j - i <= 400 else b""
            if mode > _FIRST or not token:
                mode = BAD
            elif token in (b"true", b"false", b"null") or _is_number(token):
                i = j
                mode = _AFTER if len(state) > 1 else DONE
            else:
                mode = BAD
            continue
        i += 1
    state[0] = mode
    return i


def value_end(buf, start=0, strict=True):
    """Index after the one JSON value that starts in buf (bytes) at start, -1 when there is none.

    White space before it is skipped; what follows is not looked at.
    """
    state = [VALUE]
    end = scan(buf, start, state, strict)
    return end if state[0] == DONE else -1


def is_value(buf, strict=True):
    """True when buf (bytes) is one JSON value with nothing but white space around it."""
    end = value_end(buf, 0, strict)
    return end >= 0 and not buf[end:].strip(b" \t\r\n")
