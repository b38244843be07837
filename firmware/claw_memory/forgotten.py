"""What was forgotten and still lies in the records: lines of other files that tell it are hidden.

Imported only where something was forgotten since the last compaction (Table.graves() tells).
At that compaction such lines leave notes, archives and session archives for good.
"""

from claw_memory import items
from claw_memory.longterm_change import fingerprint, warm
from claw_memory.platform import const
from claw_memory.wording import occurs, words

_ENOUGH = const(60)  # percent of what a forgotten text says from which a line tells it
_STEM = const(5)  # letters from which the last one of a word may differ


def texts(longterm, everybody=False):
    """What was forgotten, for hides(); [] when there is nothing. Raises IOFailure.

    longterm: a LongTerm, which is the owner's, or a view. A list of (id, words), kept until the
    store changes. What was told anew is not among it. everybody: of all users.
    """
    if not longterm.table.graves():
        return []
    memo = longterm.whole().memo if everybody else longterm.memo
    key = "all forgotten" if everybody else "forgotten"
    if key not in memo:
        memo[key] = list(_texts(longterm.whole() if everybody else longterm, everybody))
    return memo[key]


def _texts(lt, everybody):
    rows = lt.table
    warm(lt.whole())
    mine = range(len(rows))
    if not everybody and (lt.scope or rows.scoped):
        from claw_memory.scope import OWNER

        # What somebody else forgot, or still knows, must not show in what is missing here.
        mine = [row for row in mine if (lt.scope or OWNER).sees(rows.ids[row])]
    for item in lt.read([row for row in mine if rows.deleted(row)]):
        check = fingerprint(item)[0]
        alive = [row for row in mine if rows.hash[row] == check and not rows.deleted(row)]
        if everybody and rows.scoped:
            whose = _whose(item.id)
            alive = [row for row in alive if _whose(str(rows.ids[row], "utf-8")) == whose]
        norm = items.norm(item.content)
        if not any([items.norm(other.content) == norm for other in lt.read(alive)]):
            said = words(item.content)
            if said:
                yield item.id, said


def hides(texts, line, id=None):
    """True when line (str) tells one of texts(): most of its words, in whatever order.

    id: of an item that the line belongs to; what others than its owner forgot does not hide it.
    """
    if not texts:
        return False
    if id is not None:
        texts = [entry for entry in texts if _whose(entry[0]) == _whose(id)]
    body = (" %s " % line).encode().lower()
    return any([_tells(body, said) for _, said in texts])


def _whose(id):
    if "." not in id:
        return b""
    from claw_memory.scope import home

    return home(id.encode())


def _tells(body, said):
    whole = there = count = 0
    for word in said:
        # A number says more than a word.
        weight = len(word) * (2 if any([48 <= c <= 57 for c in word]) else 1)
        whole += weight
        stem = word[:-1] if len(word) >= _STEM and word[0] < 128 else word
        if occurs(stem, body):
            there += weight
            count += 1
    return there * 100 >= _ENOUGH * whole and (count > 1 or len(said) == 1)
