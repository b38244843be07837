"""Text by bytes and characters: trimming, cutting, normalising, splitting into terms, hashing.

A character is one UTF-8 sequence whose structure is sound (lead byte, right number of
continuation bytes). Everything here is linear in the length of the text in bytes.
"""

from claw_memory.platform import const

_FNV_START = const(2166136261)
_FNV_PRIME = const(16777619)
_BLANK = " \t\n\x0b\x0c\r"
_SEPARATORS = ";/|，、；"
_BUFFER_CHARS = const(4096)  # ESP-Claw's text buffer holds 4 bytes for each of these

# Punctuation that normalisation drops, each between spaces so that a membership test is exact.
_DROPPED = (
    " 。 ， ！ ？ ； ： 、 （ ） 【 】 《 》 “ ” ‘ ’ 「 」 『 』 · … — － ～ \u3000 ． ".encode()
)

# Lead bytes of sequences that may be overlong, a surrogate or beyond U+10FFFF.
_RARE_LEADS = (b"\xc0", b"\xc1", b"\xe0", b"\xed", b"\xf0", b"\xf4", b"\xf5", b"\xf6", b"\xf7")


def to_bytes(text):
    """UTF-8 bytes of a str; bytes come back as they are. Lone surrogates do not raise."""
    if not isinstance(text, str):
        return text
    try:
        return text.encode()
    except UnicodeError:
        return text.encode("utf-8", "surrogatepass")


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


def trim(text):
    """text without leading and trailing space, tab, newline, VT, FF, CR (and nothing else)."""
    return text.strip(_BLANK)


def normalize(text, limit=159):
    """At most limit bytes of text as used for comparison, as bytes.

    ASCII letters become lower case, other ASCII except digits is dropped, and so is common
    full-width punctuation; other characters stay as they are, unsound bytes vanish. Stops
    before the first character that does not fit.
    """
    data = to_bytes(text).lower()
    # Byte by byte is slow: ASCII to be dropped goes first, and often nothing else is left to do.
    plain = True
    for c in set(data):
        if c >= 0x80:
            plain = False
        elif not (97 <= c <= 122 or 48 <= c <= 57):
            data = data.replace(bytes((c,)), b" ")
    if plain:
        return data.replace(b" ", b"")[:limit]
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


def cut(text, nbytes):
    """text shortened to at most nbytes bytes without splitting a character (str or bytes)."""
    data = to_bytes(text)
    if len(data) <= nbytes:
        return text
    while nbytes > 0 and data[nbytes] & 0xC0 == 0x80:
        nbytes -= 1
    data = data[:nbytes]
    return clean_bytes(data) if isinstance(text, str) else data


def csv(text):
    """The terms of text: split at , ; / | ， 、 ； and trimmed, empty ones left out."""
    for mark in _SEPARATORS:
        if mark in text:
            text = text.replace(mark, ",")
    return [t for t in [trim(t) for t in text.split(",")] if t]


def fnv1a(data):
    """FNV-1a hash, 32 bits, over bytes."""
    h = _FNV_START
    for c in data:
        h = ((h ^ c) * _FNV_PRIME) & 0xFFFFFFFF
    return h


def clean_bytes(data):
    """bytes as a str that encodes again to valid UTF-8.

    Bytes without sound structure are dropped; sequences that are sound in structure but no
    Unicode (surrogates, overlong forms, beyond U+10FFFF) become U+FFFD.
    """
    try:
        found = str(data, "utf-8")
    except UnicodeError:
        found = None
    # MicroPython's decoder checks the structure only, CPython's everything.
    if found is not None and (len(found) == len(data) or not _suspect(data)):
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


def session_text(text, max_chars):
    """The text of one session record, as bytes: at most max_chars characters.

    Unsound bytes and NUL are dropped. Beyond 4096 characters the size is held to 16384 bytes;
    a character that does not fit any more is left out while a shorter one may still enter
    (the rule of ESP-Claw's buffer, whose files are compared byte for byte).
    """
    data = to_bytes(text)
    if b"\0" in data:
        data = data.replace(b"\0", b"")
    room = min(max_chars, _BUFFER_CHARS) * 4
    try:
        whole = str(data, "utf-8")
        kept = data if len(whole) <= max_chars else whole[:max_chars].encode()
        if len(kept) <= room:
            return kept
    except UnicodeError:
        pass
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
