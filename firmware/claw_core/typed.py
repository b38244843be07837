"""What goes over a terminal: characters from UTF-8, their width, what must not be shown."""

from claw_core.config import is_secret


def masked(text):
    """A command that sets a secret without the value in it; "" for any other text."""
    words = text.split()
    if len(words) > 3 and words[0] == "/config" and words[1] == "set" and is_secret(words[2]):
        return " ".join(words[:3]) + " ****"
    return ""


def length(lead):
    """How many bytes a character has that begins with the byte lead (128 or more), 0: none has."""
    if lead < 0xC2 or lead > 0xF4:
        return 0
    return 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4


def character(data):
    """The character that 2 to 4 bytes of UTF-8 stand for, "" when they are malformed."""
    code = data[0] & (0x3F >> (len(data) - 1))
    for byte in data[1:]:
        code = code << 6 | byte & 0x3F
    least = (0x80, 0x800, 0x10000)[len(data) - 2]
    if code < least or 0xD800 <= code < 0xE000 or code > 0x10FFFF:
        return ""
    return chr(code)


def width(char):
    """Columns that a character takes on a terminal."""
    code = ord(char)
    wide = 0x1100 <= code < 0x1160 or 0x2E80 <= code < 0xA4D0 or 0xAC00 <= code < 0xD7A4
    wide = wide or 0xF900 <= code < 0xFB00 or 0xFE30 <= code < 0xFE70
    return 2 if wide or 0xFF00 <= code < 0xFF61 or 0x1F300 <= code < 0x1FB00 else 1


def clean(text):
    """text without the control characters that could steer a terminal."""
    if text and (min(text) < " " or "\x7f" in text or "\x9b" in text):
        return "".join([c for c in text if c >= " " and c not in "\x7f\x9b" or c in "\n\t"])
    return text
