"""What search compares: stems of words, pairs of Chinese, Japanese and Korean characters.

Terms are bytes. A stem is always the beginning of its word, so that a term can be looked for in
a text as it stands; a character that only joins words ends a run of pairs.
"""

from array import array
from binascii import crc32

from claw_memory import text

_STOP = set(
    b"a an and any are as at be been but by can could did do does for from had has have he her his"
    b" how i if in into is it its just me my no not now of on or our out over s she should so some"
    b" t than that the their them then there these they this those to too up us user users very"
    b" was we were what when where which who whom whose why will with would you your d ll m re ve"
    b" am about after again also call called currently ever get gets give got kind know let like"
    b" make many mean much must name named new often own please really say still take tell"
    b" until use used want wants wish".split()
)
# Characters that join, ask or count; in UTF-8 no character is part of another.
_JOINTS = (
    "的了是在我你您他她它们吗呢吧啊么什谁哪几怎多少有这那和跟与及也都很就请把被从给只个条张杯"
    "每还再又不没着のはがをに"
).encode()
_OWNER = "用户".encode()
_ENDS = (b"ing", b"ies", b"ed", b"es", b"s", b"y", b"e")


def lower(content):
    """content (str) as bytes in which terms are found: ASCII letters in lower case."""
    data = text.to_bytes(content).lower()
    return data.replace(_OWNER, b" ") if _OWNER in data else data


def stem(word):
    """An English word (bytes, lower case) without its commonest endings; others as they are."""
    size = len(word)
    if size < 4:
        return word
    for end in _ENDS:
        if word.endswith(end) and size - len(end) > 2:
            size -= len(end)
            break
    if size > 3 and word[size - 1] == word[size - 2] and 97 < word[size - 1] < 123:
        size -= 1
    return word[:size]


def _is_letter(lead):
    # The first byte of a character, or a byte of ASCII, that is part of a word.
    return 97 <= lead <= 122 or 48 <= lead <= 57 or 0xC3 <= lead < 0xE2


def runs(data):
    """Yield (start, end, wide) of each word or run of wide characters in data (see lower)."""
    i = 0
    size = len(data)
    while i < size:
        start = i
        while i < size and (_is_letter(data[i]) or (i > start and 0x80 <= data[i] < 0xC0)):
            i += 1
        if i > start:
            yield start, i, False
            continue
        # Kana, Chinese characters and Hangul: U+3040 to U+D7FF.
        while i + 2 < size and 0xE3 <= data[i] < 0xEE and (data[i] > 0xE3 or data[i + 1] > 0x80):
            i += 3
        if i > start:
            yield start, i, True
        else:
            i += 1


def _plain_words(data):
    for c in set(data):
        if not (97 <= c <= 122 or 48 <= c <= 57):
            data = data.replace(bytes((c,)), b" ")
    return data.split()


def terms(data, common=False):
    """(terms, single characters) of data (see lower), in order, each as often as it occurs.

    Single characters are those of Chinese runs, once each, to be used with less weight; a run of
    one character is among the terms. common: words that carry little meaning count as well.
    """
    found = []
    singles = []
    alone = []
    if max(data or b" ") < 0x80:
        for word in _plain_words(data):
            _add(found, word, common)
        return found, singles
    for start, end, wide in runs(data):
        if not wide:
            _add(found, data[start:end], common)
            continue
        for i in range(start, end + 3, 3):
            if i < end and (common or data[i : i + 3] not in _JOINTS):
                continue
            if i - start == 3:
                alone.append(data[start:i])
            for k in range(start, i - 3, 3):
                found.append(data[k : k + 6])
            if i - start > 3:
                _add_singles(singles, data[start:i])
            start = i + 3
    return found + alone, [char for char in singles if char not in alone]


def _add_singles(singles, run):
    for i in range(0, len(run), 3):
        char = run[i : i + 3]
        if 0xE4 <= char[0] <= 0xE9 and char not in singles:
            singles.append(char)


def _add(found, word, common):
    if common or (word not in _STOP and (len(word) > 1 or word < b"a")):
        found.append(stem(word))


def hashed(terms):
    """The bytes that stand for terms in an index, two for each."""
    return bytes(array("H", [crc32(term) & 0xFFFF for term in terms]))


def place(term, data, at=0):
    """Where term occurs next in data (see lower) from at on, -1 when it does not."""
    if term[0] >= 0xE3:
        return data.find(term, at)
    while True:
        at = data.find(term, at)
        if at < 0 or _whole(term, data, at):
            return at
        at += 1


def _whole(term, data, at):
    # True when the word of which term is the stem starts at at.
    before = at - 1
    if before >= 0:
        while before > 0 and data[before] & 0xC0 == 0x80:
            before -= 1
        if _is_letter(data[before]):
            return False
    end = at + len(term)
    while end < len(data) and (_is_letter(data[end]) or 0x80 <= data[end] < 0xC0):
        end += 1
    return stem(data[at:end]) == term


def count(term, data):
    """How often term occurs in data (see lower)."""
    if term[0] >= 0xE3:
        return data.count(term)
    found = 0
    at = place(term, data)
    while at >= 0:
        found += 1
        at = place(term, data, at + len(term))
    return found
