"""What of a message the offline model keeps: a fact as it was typed, but no pasted text."""

from claw_core import offline_match as match
from claw_core import offline_words as words
from claw_memory import limits, text

_KEEP = "记住 请记 记得 记下 记录 别忘 不要忘 提醒我 帮我记 备忘 保存"


def stated(kind, typed, asked):
    """What a sentence of a kind says: a statement as typed, without blanks at its ends.

    One full stop goes, exclamation marks that cannot belong to a code, with asked (a polite
    request) a question mark, and marks that only lead to it ("note: - milk").
    """
    half = words.plain(typed)
    lead, end = words.trim(half, " ,.:;!?-")
    lead = half[:lead].rfind(" ") + 1  # -5 keeps its mark
    kept = typed[lead:end]
    if kind in (words.ASK, words.LOSE):
        return words.bare(kept)
    text = words.bare(typed[lead:], " 　")
    last = text[-1:]
    if asked or last == "！":
        return kept
    if last in (".", "。") and text[-2:-1] != last:
        return text[:-1]
    if last == "!":
        low = kept.lower()
        word = low.split(" ")[-1]
        code = words.numbers(word) and not words.is_cjk(word[-1])
        if not code and not words.holds(low, "password code wifi 密码"):
            if not words.phrase(low, "*key|*pin"):
                return kept
    return text


def asked(said):
    """True when the message said begins with an explicit request to remember."""
    head = words.plain(said[:80]).strip()
    if words.chinese(head):
        return words.holds(head[:12], _KEEP)
    from claw_core import offline_english as en

    low = [w for w in [words.low_word(r) for r in head.split()] if w]
    while low:
        rest = " ".join(low)
        if words.phrase(rest, en.KEEP):
            return True
        n = words.phrase(rest, en.LEADS) or words.phrase(rest, en.POLITE)
        if not n:
            break
        del low[:n]
    return False


def monotone(sentence):
    """True when a sentence says the same few words over and over."""
    units = match.units(sentence)
    return len(units) > limits.OFFLINE_UNITS and len(set(units)) * 3 < len(units)


def pieces(content):
    """Yield a fact that is too long for one memory in pieces, cut between words."""
    while len(content.encode()) > limits.CONTENT_BYTES:
        part = text.cut(content, limits.CONTENT_BYTES)
        at = max(part.rfind(" "), part.rfind("，") + 1, part.rfind("、") + 1)
        if at > len(part) // 2:
            part = part[:at]
        yield part.strip()
        content = content[len(part) :].strip()
    if content:
        yield content
