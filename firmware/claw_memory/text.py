"""Text by bytes and characters: trimming, cutting, normalising, splitting into terms, hashing.

A character is one UTF-8 sequence whose structure is sound (lead byte, right number of
continuation bytes). Everything here is linear in the length of the text in bytes.
"""

from claw_memory.platform import const

_FNV_START = const(2166136261)
_FNV_PRIME = const(16777619)
_BLANK = const(" \t\n\x0b\x0c\r")
_SEPARATORS = const(";/|，、；")
_BUFFER_CHARS = const(4096)  # ESP-Claw's text buffer holds 4 bytes for each of these


def to_bytes(text):
    """UTF-8 bytes of a str; bytes come back as they are. Lone surrogates do not raise."""
    if not isinstance(text, str):
        return text
    try:
        return text.encode()
    except UnicodeError:
        return text.encode("utf-8", "surrogatepass")


def bare(text):
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
    return _odd().normalize(data, limit)


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
    return [t for t in [bare(t) for t in text.split(",")] if t]


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
    if found is not None and len(found) == len(data):
        return found
    return _odd().clean(data, found)


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
    return _odd().session_text(data, max_chars, room)


def _odd():
    from claw_memory import text_odd

    return text_odd
