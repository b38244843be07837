"""Characters beyond printable ASCII: typed ones from UTF-8, their width, and those left out."""


def character(data):
    """The character that begins with data (UTF-8, the first byte 128 or more) and nothing else.

    None while bytes of it are missing, "" when it is malformed.
    """
    lead = data[0]
    if lead < 0xC2 or lead > 0xF4:
        return ""
    if len(data) < (2 if lead < 0xE0 else 3 if lead < 0xF0 else 4):
        return None
    code = lead & (0x3F >> (len(data) - 1))
    for byte in data[1:]:
        code = code << 6 | byte & 0x3F
    least = (0x80, 0x800, 0x10000)[len(data) - 2]
    if code < least or 0xD800 <= code < 0xE000 or code > 0x10FFFF:
        return ""
    return str(bytes(data), "utf-8")  # chr() would make a name of it, which stays in RAM


def harmless(data):
    """The text of UTF-8 bytes without control characters other than newline and tab."""
    out = bytearray()
    for c in data.replace(b"\xc2\x9b", b""):
        if c >= 32 and c != 127 or c in b"\n\t":
            out.append(c)
    return str(bytes(out), "utf-8")


def width(char):
    """Columns that a character takes on a terminal."""
    code = ord(char)
    wide = 0x1100 <= code < 0x1160 or 0x2E80 <= code < 0xA4D0 or 0xAC00 <= code < 0xD7A4
    wide = wide or 0xF900 <= code < 0xFB00 or 0xFE30 <= code < 0xFE70
    return 2 if wide or 0xFF00 <= code < 0xFF61 or 0x1F300 <= code < 0x1FB00 else 1
