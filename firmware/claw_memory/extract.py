"""Facts that a model extracted from a message: reading its answer and applying it.

Expected answer: {"intent":"none|forget|replace","memories":[{"content","tags","keywords",
"source"?}, ...]}. The question that is put to the model belongs to the agent.
"""

from claw_memory import items, jsonio, limits
from claw_memory.errors import InvalidArg
from claw_memory.platform import const

# Likeness (0 to 100) from which a fact is taken for the old version of another, and the distance
# to the next best below which the choice is not clear.
_ALIKE = const(30)
_CLEAR = const(10)


def parse(text, most=0):
    """(intent, candidates) of a model's answer (str).

    intent: "none", "forget" or "replace". candidates: at most `most` (0: limits.CANDIDATES) times
    (content, tags, keywords, source, id of the item it replaces or ""), texts all. What is no
    such JSON gives ("none", []).
    """
    for start, end in ((None, None), ("{", "}"), ("[", "]")):
        part = text
        if start:
            first = text.find(start)
            last = text.rfind(end)
            if first < 0 or last < first:
                continue
            part = text[first : last + 1]
        try:
            value = jsonio.loads_prefix(part)
        except ValueError:
            continue
        if isinstance(value, list):
            return "none", _candidates(value, most)
        if isinstance(value, dict):
            intent = jsonio.get(value, "intent")
            found = jsonio.get(value, "memories")
            if isinstance(found, list) or isinstance(intent, str):
                intent = intent if intent in ("forget", "replace") else "none"
                return intent, _candidates(found if isinstance(found, list) else [], most)
    return "none", []


def _candidates(entries, most):
    found = []
    for entry in entries[: most or limits.CANDIDATES]:
        if not isinstance(entry, dict):
            continue
        content = jsonio.get(entry, "content")
        if not isinstance(content, str) or not content.strip():
            continue
        source = jsonio.get(entry, "source")
        tags = _terms(entry, "tags") or _terms(entry, "summary_labels")
        source = source if isinstance(source, str) and source else "auto_llm"
        old = jsonio.get(entry, "replaces")
        old = old if isinstance(old, str) else ""
        found.append((content, tags, _terms(entry, "keywords") or tags, source, old))
    return found


def _terms(entry, key):
    value = jsonio.get(entry, key)
    if isinstance(value, list):
        return ",".join([term for term in value[: limits.TERMS] if isinstance(term, str)])
    return value if isinstance(value, str) else ""


def apply(memory, session_id, intent, candidates, offered=(), heard=None):
    """Store what parse() found; return the labels of what changed, without repetition.

    With the intent "replace" a fact takes the place of at most one item: one that shares a label
    and is clearly the closest in wording, or the one that the model named among those it was shown
    (offered: their ids). "forget" stores nothing. heard: (turn, message) that they were found in.
    Raises NoSpace or IOFailure; what was stored before that stays.
    """
    changed = []
    if intent == "forget" or memory.longterm is None:
        return changed
    from claw_memory.origin import member

    for content, tags, keywords, source, old in candidates:
        try:
            if intent != "replace":
                old = ""
            elif old not in offered:
                old = superseded(memory.longterm, content, tags)
            where = member(session_id, heard[0], content, heard[1]) if heard else b""
            new, item = memory.longterm.store(content, tags, keywords, source, "", old, where)
        except InvalidArg:
            continue
        if new:
            changed += [label for label in items.labels(item.tags) if label not in changed]
    return changed


def superseded(lt, content, tags):
    """Id of the one item that a fact is clearly another version of, "" when there is none."""
    from claw_memory.likeness import likeness
    from claw_memory.wording import words

    wanted = words(content)
    best = second = 0
    found = ""
    labels = items.labels(tags)
    for item in lt.read(lt.rows_with(labels, limits.ITEMS)) if labels else ():
        score = likeness(wanted, words(item.content))
        if score > best:
            second = best
            best = score
            found = item.id
        elif score > second:
            second = score
    return found if best >= _ALIKE and best - second >= _CLEAR else ""
