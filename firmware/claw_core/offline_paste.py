"""What of a long message the offline model keeps: a pasted text is no list of facts."""

from claw_core import offline_match as match
from claw_core import offline_words as words
from claw_memory import limits, text

_KEEP = "记住 请记 记得 记下 记录 别忘 不要忘 提醒我 帮我记 备忘 保存"


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
        yield words.bare(part)
        content = words.bare(content[len(part) :])
    if content:
        yield content
