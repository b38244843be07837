"""Pairs of memories that contradict each other, found in quiet moments, shown for being resolved.

Two memories do when they have the same labels and the same wording but for a number, a negation,
or the name in what there is one of (what somebody is called, where one lives). Three of a kind are
a series and no contradiction.
"""

from array import array
from binascii import crc32

from claw_memory import limits, quote, text
from claw_memory.errors import ClawError

_NOT = " not no never cannot dont doesnt didnt isnt arent wasnt wont cant hasnt havent "
_HELP = " do does did can will "  # what a negation brings along
_ONE = " called named name live work born married birthday "
_TOLD = """These memories contradict each other. When it matters ask which one is right, then call
memory_update or memory_forget for the other.
"""


def look(lt):
    """Find the pairs of lt (the whole LongTerm) and keep them until the store changes."""
    if "pairs" in lt.memo:
        return
    found = []
    try:
        found = list(_pairs(lt))
    except (ClawError, OSError, MemoryError):
        pass  # the next change gives another chance
    lt.memo["pairs"] = found


def told(lt, pairs):
    """Yield what a model is told of those pairs that lt (LongTerm or view) sees."""
    from claw_memory.scope import OWNER

    sees = (lt.scope or OWNER).sees
    lead = _TOLD
    for pair in pairs:
        if all([sees(lt.table.ids[row]) for row in pair]):
            for item in lt.read(pair):
                yield lead + quote.quoted("%s: %s" % (item.id, item.content)) + "\n"
                lead = ""


def _pairs(lt):
    rows = lt.table
    marks = array("I", [0] * len(rows))
    hidden = lt.whole().hidden()
    for row in range(len(rows)):
        numbers = rows.label_numbers(row)
        if numbers and not rows.deleted(row) and not (hidden and hidden[row]):
            whose = b"" if not rows.scoped else _home(rows.ids[row])
            marks[row] = crc32(bytes(numbers) if max(numbers) < 256 else b"", crc32(whose)) or 1
    twins = [row for row in range(len(rows)) if marks[row] and _again(marks, row)]
    for row, item in zip(twins, lt.read(twins)):
        marks[row] = crc32(" ".join(_taken_apart(item.content)[0]).encode(), marks[row]) or 1
    for row in range(len(rows)):
        if row not in twins:
            marks[row] = 0
    count = 0
    for row in twins:
        same = [other for other in twins if marks[other] == marks[row]]
        if len(same) == 2 and same[0] == row:
            a, b = [_taken_apart(item.content) for item in lt.read(same)]
            if _contradict(a, b):
                yield same
                count += 1
                if count == limits.PAIRS:
                    return


def _again(marks, row):
    return any([marks[other] == marks[row] and other != row for other in range(len(marks))])


def _home(id):
    from claw_memory.scope import home

    return home(id)


def _taken_apart(content):
    # (words of the wording, numbers, names, how often it is negated)
    wording = []
    numbers = []
    names = []
    negated = 0
    for sign in ("\u4e0d", "\u6ca1\u6709", "\u6ca1"):
        negated += content.count(sign)
        content = content.replace(sign, "")
    for place, token in enumerate(content.split()):
        word = text.bare(token).strip(".,;:!?\"'()")
        low = word.lower().replace("'", "").replace("\u2019", "")
        digits = "".join([char for char in low if "0" <= char <= "9"])
        if digits:
            numbers.append(digits)
            low = "".join([char for char in low if not "0" <= char <= "9"])
        elif place and "A" <= word[:1] <= "Z" and len(word) > 1:
            names.append(low)
            continue
        if " %s " % low in _NOT:
            negated += 1
        elif low and " %s " % low not in _HELP:
            wording.append(low[:-1] if len(low) > 3 and low[-1] == "s" else low)
    return wording, numbers, names, negated


def _contradict(a, b):
    # Exactly one thing is another, and of the numbers one.
    if a[0] != b[0] or not a[0] or len(a[1]) != len(b[1]) or len(a[2]) != len(b[2]):
        return False
    negated = (a[3] - b[3]) % 2
    numbers = len([1 for one, other in zip(a[1], b[1]) if one != other])
    named = a[2] != b[2]
    if named and not any([" %s " % word in _ONE for word in a[0]]):
        return False
    return negated + numbers + named == 1
