"""The halves of text.py that go through a text byte by byte: what is not ASCII, or not sound."""

from claw_memory.text import clean_bytes, to_bytes

# Punctuation that normalisation drops, each between spaces so that a membership test is exact.
_DROPPED = (
    " 。 ， ！ ？ ； ： 、 （ ） 【 】 《 》 “ ” ‘ ’ 「 」 『 』 · … — － ～ \u3000 ． ".encode()
)

# Lead bytes of sequences that may be overlong, a surrogate or beyond U+10FFFF.
_RARE_LEADS = (b"\xc0", b"\xc1", b"\xe0", b"\xed", b"\xf0", b"\xf4", b"\xf5", b"\xf6", b"\xf7")


def char_len(data, i):
    """Bytes of the character that starts at data[i], 0 when the structure there is unsound."""
    c = data[i]
    if c < 0x80:
        return 1
    width = 2 if 0xC0 <= c < 0xE0 else 3 if 0xE0 <= c < 0xF0 else 4 if 0xF0 <= c < 0xF8 else 0
    if width == 0 or i + width > len(data):
        return 0
    for k in range(i + 1, i + width):
        if data[k] & 0xC0 != 0x80:
            return 0
    return width


def normalize(data, limit):
    """text.normalize of bytes in lower case, their ASCII other than letters and digits blank."""
    out = bytearray()
    i = 0
    while i < len(data):
        width = char_len(data, i)
        if not width:
            i += 1
            continue
        char = data[i : i + width]
        i += width
        if char == b" " or b" " + char + b" " in _DROPPED:
            continue
        if len(out) + width > limit:
            break
        out.extend(char)
    return bytes(out)


def utf8_prefix(text, nbytes, nchars):
    """The first characters of text: at most nchars of them and nbytes bytes, as str."""
    data = to_bytes(text)
    out = bytearray()
    i = 0
    while i < len(data) and nchars > 0:
        width = char_len(data, i)
        if not width:
            i += 1
            continue
        if len(out) + width > nbytes:
            break
        out.extend(data[i : i + width])
        i += width
        nchars -= 1
    return clean_bytes(bytes(out))


def clean(data, found):
    """text.clean_bytes of bytes; found: what they decode to, None when they do not."""
    # MicroPython's decoder checks the structure only, CPython's everything.
    if found is not None and not _suspect(data):
        return found
    out = bytearray()
    i = 0
    while i < len(data):
        width = char_len(data, i)
        if width:
            char = data[i : i + width]
            out.extend(b"\xef\xbf\xbd" if _suspect(char) else char)
        i += width or 1
    return str(out, "utf-8")


def _suspect(data):
    # True when sequences of sound structure in data include one that is no Unicode. Most
    # text has none of the lead bytes that can start one: that is seen without a loop.
    if not any(lead in data for lead in _RARE_LEADS):
        return False
    for i in range(len(data)):
        c = data[i]
        if c < 0xC0:
            continue
        d = data[i + 1]
        if (
            c < 0xC2
            or c > 0xF4
            or (c == 0xE0 and d < 0xA0)
            or (c == 0xED and d >= 0xA0)
            or (c == 0xF0 and d < 0x90)
            or (c == 0xF4 and d >= 0x90)
        ):
            return True
    return False


def session_text(data, max_chars, room):
    """text.session_text of bytes for which a cut at a character is not enough."""
    out = bytearray()
    i = 0
    while i < len(data) and max_chars > 0 and len(out) < room:
        width = char_len(data, i)
        if not width or len(out) + width > room:
            i += 1
            continue
        out.extend(data[i : i + width])
        i += width
        max_chars -= 1
    return bytes(out)
