"""The words of a text, and texts within texts; likeness.py compares by them.

A word is a run of ASCII letters and digits or of other letters; Chinese, Japanese and Korean are
taken as pairs of characters.
"""

from claw_memory import text
from claw_memory.items import norm
from claw_memory.platform import const

_COMMON = const(
    b" a an and are at be do does for he her his i in is it its me my of on or our she that the "
    b"their they this to user users was we what when where which who with you your 's s t "
)


def _is_word(char):
    # Letters and digits, save those of Chinese, Japanese and Korean: any two of these part.
    code = ord(char)
    if code < 0xC0:
        return code < 0x80 or code in (0xAA, 0xB5, 0xBA)
    if code in (0xD7, 0xF7) or 0x1100 <= code < 0x1200:
        return False
    return code < 0x2000 or 0x2C00 <= code < 0x2E00 or 0xA000 <= code < 0xAC00


def _characters(content):
    # By way of bytes: MicroPython keeps each character that it takes from a str as a name.
    data = content.encode()
    start = 0
    for i in range(1, len(data) + 1):
        if i == len(data) or data[i] & 0xC0 != 0x80:
            yield str(data[start:i], "utf-8")
            start = i


def _edges(content):
    # Places in norm(content) at which a word may begin or end.
    edges = {0}
    place = 0
    gap = word = False
    for char in _characters(content):
        size = len(text.normalize(char))
        if not size:
            gap = True
            continue
        before = word
        word = _is_word(char)
        if gap or not (word and before):
            edges.add(place)
        gap = False
        place += size
    edges.add(place)
    return edges


def contains(content, part):
    """True when part (normalised bytes) occurs in content between word boundaries."""
    whole = norm(content)
    at = whole.find(part)
    if at < 0:
        return False
    edges = _edges(content)
    while at >= 0:
        if at in edges and at + len(part) in edges:
            return True
        at = whole.find(part, at + 1)
    return False


def words(content):
    """The distinct words of content that carry meaning, lower case, in order of appearance."""
    data = text.to_bytes(content).lower()
    for c in set(data):
        if c < 0x80 and not (97 <= c <= 122 or 48 <= c <= 57):
            data = data.replace(bytes((c,)), b" ")
    found = []
    slow = []  # what was taken apart character by character; long texts repeat themselves
    start = 0
    while start < len(data):  # one by one: all at once would take ten times as much as the text
        end = data.find(b" ", start)
        end = len(data) if end < 0 else end
        part = data[start:end]
        start = end + 1
        if not part:
            continue
        if max(part) < 0x80:
            _add(found, part)
        elif part not in slow:
            slow.append(part)
            _add_odd(found, text.clean_bytes(part))
    return found


def _add_odd(found, part):
    run = ""
    wide = ""
    for char in _characters(part + " "):
        size = len(text.normalize(char))
        if size and _is_word(char):
            run += char
            wide = ""
            continue
        if run:
            _add(found, run.encode())
            run = ""
        if not size:
            wide = ""
            continue
        if wide:
            _add(found, (wide + char).encode())
        wide = char


def _add(found, word):
    if word not in found and b" " + word + b" " not in _COMMON:
        found.append(word)
