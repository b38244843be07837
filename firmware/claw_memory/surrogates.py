"""Surrogate pairs in JSON: both runtimes leave lone ones, MicroPython pairs too."""


def join(data):
    """Strict JSON (bytes) with the escapes of pairs as UTF-8 and of lone surrogates as U+FFFD."""
    out = []
    done = i = 0
    while True:
        i = data.find(b"\\", i)
        if i < 0:
            break
        if data[i + 1] != 117:
            i += 2
            continue
        code = int(str(data[i + 2 : i + 6], "utf-8"), 16)
        j = i + 6
        if 0xD800 <= code < 0xE000:
            char = 0xFFFD
            if code < 0xDC00 and data[j : j + 2] == b"\\u":
                low = int(str(data[j + 2 : j + 6], "utf-8"), 16)
                if 0xDC00 <= low < 0xE000:
                    char = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00)
                    j += 6
            out.append(data[done:i])
            # not chr(char), which MicroPython would keep as a name
            tail = [0x80 | char >> shift & 0x3F for shift in (12, 6, 0)]
            out.append(bytes([0xF0 | char >> 18] + tail) if char > 0xFFFF else b"\xef\xbf\xbd")
            done = j
        i = j
    out.append(data[done:])
    return b"".join(out)
