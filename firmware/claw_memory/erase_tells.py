"""Which texts tell what is being erased: known by salted hashes, so that a job holds no words.

A text tells it when it has most of the words of one wording within a few lines (all of them, side
by side, where these are few; nothing else in a sentence where there is but one), a distinctive
word (a number, a name that no other memory has), or just what a wording without words says.
"""

import hashlib
import os
from binascii import hexlify, unhexlify

from claw_memory import items, text, wording
from claw_memory.platform import const

BREAK = "\x1e"  # between texts that do not belong together
ALONE = "alone"
NEAR = "near"
MOST = "most"
_FEW = const(3)  # words of a wording up to which all must be there, side by side
_CLAUSES = "。！？；，、…\n"  # what ends a clause besides ASCII
_ENOUGH = const(60)  # percent of what a wording says from which a text tells it
_HASH = const(6)  # bytes
_PLURAL = const(4)  # letters from which a final s of a word does not count
_NAME = const(3)  # characters of the shortest name
_NUMBER = const(4)  # characters of the shortest word with a digit that is distinctive
_DIGITS = const(6)  # digits from which a number counts however it is grouped
_LAST = const(7)  # of these the last ones: the front may be written in several ways
_SPACES = b" -./()+"  # what may part the digits of one number
_NO_NAMES = (
    b" monday tuesday wednesday thursday friday saturday sunday january february march april may "
    b"june july august september october november december the "
)


def _letter(c):
    return 97 <= c <= 122 or 48 <= c <= 57


def _digits(word):
    return any([48 <= c <= 57 for c in word])


def bare(data):
    """The distinct words of data (bytes), in lower case and without a plural s, as a set."""
    return set(_words(data))


def _words(data):
    # Yield the words in order, again where they are repeated (in Chinese: in another clause).
    low = data.lower()
    for mark in _CLAUSES:
        low = low.replace(mark.encode(), b" ")
    for c in set(low):
        if c < 128 and not _letter(c):
            low = low.replace(bytes((c,)), b" ")
    for word in low.split(b" "):
        if not word:
            continue
        if max(word) < 128:
            yield _plain(word)
        else:
            for part in wording.words(text.clean_bytes(word)):
                yield _plain(part)


def _means(word):
    # True when it is no word such as "the".
    return word[0] >= 128 or bool(wording.words(str(word, "utf-8")))


def _plain(word):
    return word[:-1] if len(word) >= _PLURAL and word[-1] == 115 else word


def numbers(data):
    """The ends of the long numbers in data (bytes), whatever parts their digits, as a set."""
    for c in _SPACES:
        data = data.replace(bytes((c,)), b"")
    for c in set(data):
        if not 48 <= c <= 57:
            data = data.replace(bytes((c,)), b" ")
    found = set()
    for run in data.split(b" "):
        dated = len(run) == 8 and run[:2] in (b"19", b"20")
        if len(run) >= _DIGITS and not dated:
            found.add(b"#" + run[-_LAST:])
    return found


def _capital(char):
    code = ord(char)
    return (
        65 <= code <= 90
        or 0xC0 <= code <= 0xDE
        or 0x391 <= code <= 0x3A9
        or 0x400 <= code <= 0x42F
    )


def distinctive(content, keywords):
    """The words of content (set of bytes) that may tell it alone: numbers and names.

    A word with a capital is a name, except where every sentence has one; there it is one when it
    is a keyword as well, or when a verb seems to follow. Days, months and years are too common.
    """
    data = text.to_bytes(content)
    found = numbers(data)
    for word in bare(data):
        year = len(word) == 4 and word[:2] in (b"19", b"20") and word[2:].isdigit()
        if len(word) >= _NUMBER and _digits(word) and not year:
            found.add(word)
    terms = text.csv(keywords)
    runs = _runs(data)
    for at in range(len(runs)):
        first, word = runs[at]
        after = runs[at + 1][1] if at + 1 < len(runs) else b""
        name = text.clean_bytes(word)
        if not first or name in terms or _acts(word, after) or any(map(_capital, name[1:])):
            if _is_name(name):
                found.update(bare(word))
    return found


def _runs(data):
    # (whether it begins a sentence, word) in order.
    found = []
    run = bytearray()
    first = True
    for c in data + b" ":
        if c >= 128 or _letter(c) or 65 <= c <= 90:
            run.append(c)
            continue
        if run:
            found.append((first, bytes(run)))
            run = bytearray()
            first = False
        if c in b".!?":
            first = True
    return found


def _acts(word, after):
    # Anna knows, Anna is, Anna's; not: likes boats.
    return word[-1:] != b"s" and (after[-1:] == b"s" or after in (b"and", b"had"))


def _is_name(word):
    if len(word) < _NAME or not _capital(word[0]) or all(map(_capital, word)):
        return False  # PIN is none
    low = word.encode().lower()
    return b" " + low + b" " not in _NO_NAMES and bool(wording.words(word))


class Tells:
    """What is recognised. salt: bytes that make the hashes of this job like those of no other.

    Attributes: `ids` hashes of ids, `tokens` hashes of distinctive words, `wordings` a dict
    (hash: weight) for each wording, `wholes` hashes of normalised wordings without words,
    `origins` pairs (hash in the name of a session file, number of the turn).
    """

    def __init__(self, salt=None):
        self.salt = salt or os.urandom(8)
        self.ids = set()
        self.tokens = set()
        self.wordings = []
        self.wholes = set()
        self.origins = set()

    def hash(self, word):
        """The bytes that stand for word (bytes)."""
        return hashlib.sha256(self.salt + word).digest()[:_HASH]

    def add(self, content):
        """Recognise texts that say what content (str) says."""
        said = wording.words(content)
        known = {}
        for word in said:
            # A number says more than a word.
            known[self.hash(_plain(word))] = len(word) * (2 if _digits(word) else 1)
        if not text.bare(content):
            return  # hashes in its place: what it said is gone
        if not known:
            self.wholes.add(self.hash(items.norm(content) or text.to_bytes(content)))
        elif known not in self.wordings:
            self.wordings.append(known)

    def is_id(self, id):
        """True when id (bytes) is that of what is erased."""
        return self.hash(id) in self.ids

    def __call__(self, said):
        """True when said (str or bytes) tells it."""
        data = text.to_bytes(said)
        there = set()
        for word in bare(data):
            mark = self.hash(word)
            if mark in self.tokens:
                return True
            there.add(mark)
        for word in numbers(data):
            if self.hash(word) in self.tokens:
                return True
        near = [known for known in self.wordings if _enough(known, there)]
        if near or self.wholes:
            for part in data.split(BREAK.encode()):
                if self._whole(part) or any([self._near(known, part) for known in near]):
                    return True
        return False

    def _whole(self, data):
        clean = text.bare(text.clean_bytes(data))
        return self.hash(items.norm(clean) or clean.encode()) in self.wholes

    def _near(self, known, data):
        # Enough of the words close together: a long text has them somewhere, whatever it tells.
        count = len(known)
        if count == 1:
            return self._alone(known, data)
        room = count + 1 if count <= _FEW else 3 * count + 3
        last = {}
        at = 0
        for word in _words(data):
            mark = self.hash(word)
            if mark in known:
                last[mark] = at
                if _enough(known, set([mark for mark in last if last[mark] > at - room])):
                    return True
            at += _means(word)
        return False

    def _alone(self, known, data):
        # A sentence of this word; a time before it does not count, nor does the "am" of "I am".
        for mark in _CLAUSES + ".!?;":
            data = data.replace(mark.encode(), BREAK.encode())
        for part in data.split(BREAK.encode()):
            alone = False
            for word in _words(part):
                if self.hash(word) in known:
                    alone = True
                elif _means(word) and len(word) > 2 and not word.isdigit():
                    alone = False
                    break
            if alone:
                return True
        return False

    def kinds(self):
        """How wordings are recognised, for people: a set of ALONE, NEAR and MOST."""
        found = set([ALONE]) if self.wholes else set()
        for known in self.wordings:
            found.add(ALONE if len(known) == 1 else NEAR if len(known) <= _FEW else MOST)
        return found

    def value(self):
        """The JSON value from which of() makes the same again; it holds no words."""
        return {
            "salt": _hex(self.salt),
            "ids": [_hex(mark) for mark in self.ids],
            "tokens": [_hex(mark) for mark in self.tokens],
            "wordings": [[[_hex(mark), known[mark]] for mark in known] for known in self.wordings],
            "wholes": [_hex(mark) for mark in self.wholes],
            "origins": [list(origin) for origin in self.origins],
        }


def _enough(known, there):
    # Enough of the marks of known (a wording) are among those that are there.
    met = [known[mark] for mark in known if mark in there]
    if len(known) <= _FEW:
        return len(met) == len(known)
    return len(met) > 1 and sum(met) * 100 >= _ENOUGH * sum(known.values())


def _hex(data):
    return str(hexlify(data), "utf-8")


def of(value):
    """The Tells of a value(). Raises KeyError, TypeError or ValueError for anything else."""
    tells = Tells(unhexlify(value["salt"]))
    tells.ids = set([unhexlify(mark) for mark in value["ids"]])
    tells.tokens = set([unhexlify(mark) for mark in value["tokens"]])
    tells.wholes = set([unhexlify(mark) for mark in value["wholes"]])
    tells.wordings = [
        dict([(unhexlify(mark), int(weight)) for mark, weight in known])
        for known in value["wordings"]
    ]
    tells.origins = set([(str(name), int(turn)) for name, turn in value["origins"]])
    return tells
