"""Which memories the text behind /memory forget may mean: at least those that find shows."""

from claw_core import memory_commands
from claw_memory import archive, limits, search_rank, search_terms
from claw_memory.likeness import occurs
from claw_memory.search import Search
from claw_memory.wording import words

_PARTLY = "Not all of that is in one of them; to forget one"
_ONLY_ELSE = "Only notes and messages fit that, which /memory find shows; they are not memories."


def meant(agent, memory, text):
    """Steps; returns the id of the one memory that has all of text (str), None without one.

    Yields what to say then: which others there are. Raises InvalidState or IOFailure.
    """
    found, near, other = yield from _candidates(memory, text)
    if len(found) == 1:
        return found[0].id
    if found or near:
        yield from memory_commands._items(agent, memory, found + near, "")
        yield ("Several fit" if found else _PARTLY) + ": /memory forget NUMBER."
    else:
        yield _ONLY_ELSE if other else memory_commands._nothing(memory)


def _candidates(memory, text):
    # Steps; returns (Items that have all of text, Items that search finds besides, and
    # whether it finds notes or messages only).
    lt = memory.longterm
    question = search_rank.Question(text)
    whole = []
    stems = []
    for items in (lt.list(), archive.everything(lt)):
        for item in items:
            if _has(item, text):
                whole.append(item)
            elif _answers(item, question):
                stems.append(item)
            yield ""
    sure = whole or stems
    search = Search(memory, text, limits.RECALL_DEFAULT)
    for _ in search:
        yield ""
    known = [item.id for item in sure]
    ids = [hit.id for hit in search.hits if hit.source in ("memory", "archive")]
    near = [id for id in ids if id not in known]
    found = []
    if near:
        for items in (lt.list(), archive.everything(lt)):
            found += [item for item in items if item.id in near]
    return sure, found, bool(search.hits) and not ids


def _has(item, text):
    # All its words, as they are or with an ending, or just this: one character, say.
    body = (" %s %s %s " % (item.content, item.tags, item.keywords)).encode().lower()
    said = words(text)
    if said and all([occurs(word, body) for word in said]):
        return True
    return occurs(text.encode().lower(), body)


def _answers(item, question):
    # All that search looks for, whatever the endings.
    labels = search_terms.lower(item.tags + "," + item.keywords)
    counts = question.counts(search_terms.lower(item.content), labels)
    if not counts:
        return False
    return all([counts[i] for i in range(len(counts)) if question.weights[i] == 1])
