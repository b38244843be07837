"""JSON exactly as the files need it: ordered compact output, strict reading, on both runtimes."""

import json
from collections import OrderedDict

from claw_memory import limits
from claw_memory.jsonscan import has_controls, is_value, value_end
from claw_memory.platform import const

_SHORT = const(b"\nn\rr\tt\bb\ff")  # what has an escape of one letter, and the letter
# CPython refuses raw control characters in strings unless told otherwise, MicroPython reads them.
_decode = json.JSONDecoder(strict=False).decode if hasattr(json, "JSONDecoder") else json.loads


def obj(*pairs):
    """OrderedDict of key, value, key, value, ...; MicroPython's dict keeps no order."""
    table = OrderedDict()
    for i in range(0, len(pairs), 2):
        table[pairs[i]] = pairs[i + 1]
    return table


def literal_bytes(data):
    """JSON string literal (bytes) of UTF-8 bytes; invalid UTF-8 passes through unchanged."""
    data = data.replace(b"\\", b"\\\\").replace(b'"', b'\\"')
    if has_controls(data):
        for i in range(0, 10, 2):
            data = data.replace(_SHORT[i : i + 1], b"\\" + _SHORT[i + 1 : i + 2])
        for code in range(32):
            data = data.replace(bytes((code,)), b"\\u%04x" % code)
    return b'"' + data + b'"'


def literal(text):
    """JSON string literal (str): short escapes, other controls as \\u00xx, the rest raw."""
    return str(literal_bytes(text.encode()), "utf-8")


def _dump(value, out):
    if value is None:
        out.append("null")
    elif value is True or value is False:
        out.append("true" if value else "false")
    elif isinstance(value, str):
        out.append(literal(value))
    elif isinstance(value, int):
        out.append(str(value))
    elif isinstance(value, dict):
        sep = "{"
        for key in value:
            if not isinstance(key, str):
                key = _odd().key(key)
            out.append(sep + literal(key) + ":")
            _dump(value[key], out)
            sep = ","
        out.append("{}" if sep == "{" else "}")
    elif isinstance(value, (list, tuple)):
        sep = "["
        for item in value:
            out.append(sep)
            _dump(item, out)
            sep = ","
        out.append("[]" if sep == "[" else "]")
    else:
        out.append(_odd().value(value))


def dumps(value):
    """Compact JSON text of dicts (OrderedDict keeps its order), lists, str, numbers, bool, None.

    Raises InvalidArg for anything else, for NaN and for infinities.
    """
    out = []
    _dump(value, out)
    return "".join(out)


def _odd():
    from claw_memory import jsonodd

    return jsonodd


def _parse(data):
    try:
        if b"\\ud" in data or b"\\uD" in data:
            from claw_memory.surrogates import join

            data = join(data)
        return _decode(str(data, "utf-8"))
    except RuntimeError:
        raise ValueError("JSON nested too deeply") from None
    except MemoryError:
        if len(data) <= limits.JSON_BYTES:
            raise
        raise ValueError("JSON too large for the RAM") from None


def loads(data):
    """Value of one strict JSON text (str or UTF-8 bytes). Raises ValueError for anything else."""
    if isinstance(data, str):
        data = data.encode()
    if not is_value(data):
        raise ValueError("not one JSON value")
    return _parse(data)


def loads_prefix(data):
    """First value of data (str or bytes), ignoring what follows it, as ESP-Claw reads.

    A byte order mark, leading bytes up to space and raw controls in strings are accepted.
    Raises ValueError when there is no complete value.
    """
    if isinstance(data, str):
        data = data.encode()
    start = 3 if data[:3] == b"\xef\xbb\xbf" else 0
    while start < len(data) and data[start] <= 32:
        start += 1
    end = value_end(data, start, False)
    if end < 0:
        raise ValueError("no JSON value")
    return _parse(data[start:end])


def get(table, key, default=None):
    """table[key], else the value of a key that differs only in ASCII case, else default."""
    if key in table:
        return table[key]
    low = key.encode().lower()
    for name in table:
        if name.encode().lower() == low:
            return table[name]
    return default


def one_line(data):
    """Strict JSON bytes on one line: newlines between tokens become spaces."""
    return data.replace(b"\n", b" ").replace(b"\r", b" ")
