"""What was forgotten and still lies in the records: lines of other files that tell it are hidden.

Imported only where something was forgotten since the last compaction (Table.graves() tells).
At that compaction such lines leave notes, archives and session archives for good.
"""

from binascii import crc32

from claw_memory import platform
from claw_memory.likeness import occurs
from claw_memory.platform import const

_ENOUGH = const(60)  # percent of what a forgotten text says from which a line tells it
_ALL = const("all forgotten")
_READERS = const("forgotten_texts marks item_texts itemodd wording origin anew changes history")
_STEM = const(5)  # letters from which the last one of a word may differ


def texts(longterm, everybody=False):
    """What was forgotten, for hides(); [] when there is nothing. Raises IOFailure.

    longterm: a LongTerm, which is the owner's, or a view. A list of (weight of the words, id and
    words with a NUL before each, what came later), kept until the store changes. What was told
    anew is not among it. What came later is (session id, turn, CRCs of notes), see anew.py, or
    None. everybody: of all users.
    """
    if not longterm.table.graves():
        return []
    if everybody:
        longterm = longterm.whole()
    key = _ALL if everybody else "forgotten"
    if key not in longterm.memo:
        _keep(longterm, key, everybody)
    return longterm.memo[key]


def part(longterm, graves):
    """texts(longterm, True) of the items in these rows alone; all that asks gets these then."""
    longterm.memo.pop(_ALL, None)
    return _keep(longterm, _ALL, True, graves)


def _keep(longterm, key, *which):
    from claw_memory import forgotten_texts

    found = longterm.memo[key] = list(forgotten_texts.found(longterm, *which))
    forgotten_texts = None
    platform.over(_READERS)
    return found


def hides(texts, line, id=None, turn=None):
    """True when line (str) tells one of texts(): most of its words, in whatever order.

    id: of an item that the line belongs to. It must have all words then, as another item may say
    something alike; and what others than its owner forgot does not hide it. turn: (session id,
    number) when the line was said in a conversation; what was said or noted later is not hidden.
    """
    if not texts:
        return False
    if id is not None:
        mine = whose(id.encode())
        texts = [entry for entry in texts if whose(id_of(entry)) == mine]
    body = (" %s " % line).encode().lower()
    for whole, said, later in texts:
        if _tells(body, whole, said, _ENOUGH if id is None else 100):
            if not (later and id is None and _is_later(later, line, turn)):
                return True
    return False


def _is_later(later, line, turn):
    session_id, number, again = later
    if turn:
        return turn[0] == session_id and turn[1] > number
    return crc32(line.encode()) in again


def of(texts, user, sessions=()):
    """Those of texts(lt, True) that a user (as in Scope) forgot, or the owner for everybody.

    sessions: ends of ids (bytes) of what belongs to sessions of the user.
    """
    ends = (b".u" + user.encode() if user else b"", b".d") + tuple(sessions)
    return [entry for entry in texts if whose(id_of(entry)) in ends]


def sessions_of(texts):
    """Ends of the ids (bytes) of those of texts(lt, True) that belong to sessions."""
    ends = [whose(id_of(entry)) for entry in texts]
    return [end for end in ends if end[:2] == b".s"]


def teller(longterm):
    """hides() for texts(longterm, True), as a function of a content and the item's id."""
    found = texts(longterm, True)
    return lambda content, id: hides(found, content, id)


def id_of(entry):
    """The id (bytes) of one of texts()."""
    return entry[1][: entry[1].find(b"\0")]


def whose(id):
    """Whose the item with this id (bytes) is, see scope.home; b"" for the owner."""
    if b"." not in id:
        return b""
    from claw_memory.scope import home

    return home(id)


def weight(word):
    """How much a word (bytes) says: a number more than others."""
    for c in word:
        if 48 <= c <= 57:
            return 2 * len(word)
    return len(word)


def tells(body, said):
    """True when body (lower case bytes, a space at either end) has most of the words said."""
    whole = sum([weight(word) for word in said])
    return _tells(body, whole, b"\0".join([b""] + said), _ENOUGH)


def _tells(body, whole, said, enough):
    # Most lines say something else, which a few words show. What says another number is not told.
    spare = whole * (100 - enough) // 100
    there = missing = 0
    numbers = found = False
    end = said.find(b"\0")
    while end < len(said):
        at = end + 1
        end = said.find(b"\0", at)
        if end < 0:
            end = len(said)
        word = said[at:end]
        stem = word[:-1] if end - at >= _STEM and word[0] < 128 else word
        if weight(word) > len(word):
            numbers = True
            here = _number_in(word, body)
            found = found or here
        else:
            here = occurs(stem, body)
        if here:
            there += 1
        else:
            missing += 1
            spare -= weight(word)
            if spare < 0:
                return False
    return (there > 1 or not missing) and found == numbers


def _number_in(word, body):
    at = body.find(word)
    while at >= 0:
        if not (48 <= body[at - 1] <= 57 or 48 <= body[at + len(word)] <= 57):
            return True
        at = body.find(word, at + 1)
    return False
