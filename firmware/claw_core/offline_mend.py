"""What a correction of few words puts right, for the offline model: "no, 4 May 1990"."""

from claw_core import offline_words as words
from claw_core.offline_words import has, is_cjk, low_word

_WORDS = 5  # most words of such a value
_CHARS = 12  # most Chinese characters of one
_NEAR = 32  # memories that are looked at
_SMALL = " at in on of the a an and to from by with for "
_MONTHS = (
    " january february march april may june july august september october november december"
    " monday tuesday wednesday thursday friday saturday sunday "
)
_TALK = " thanks thank ok okay sorry please never yes yeah no bye hi hello wait stop right wrong "
_DIGITS = "零〇一二两三四五六七八九十百"
_LEADS = ("it's ", "it is ", "that's ", "that is ")
_ZH_LEADS = "应该是 而是 就是 是 叫"
_ZH_VERBS = "我 你 您 的 是 在 有 叫 爱 怕 住 喜欢 讨厌 过敏 不 没 会 吃 喝 姓 养 来自 去 要 了 吧"
_ZH_TAIL = "而应该"
_ZH_WHO = "我你您他她它这那"


def fragment(content, talk, fixing):
    """True when content gives a value in the place of another one, and is no sentence.

    talk: by its words alone it is small talk. fixing: a correction was announced.
    """
    if _both(content):
        return fixing or words.chinese(content)
    if not fixing:
        return False
    value = _value(content)
    if words.chinese(value) or any(is_cjk(c) for c in value):
        counted = any("0" <= c <= "9" or c in _DIGITS for c in value)
        return len(value) <= _CHARS and (counted or not talk) and not words.holds(value, _ZH_VERBS)
    raw = value.split()
    if not 0 < len(raw) <= _WORDS or not all(_kind(w) or has(_SMALL, low_word(w)) for w in raw):
        return False
    return any(_kind(w) for w in raw)


def mended(find, content):
    """(the one memory that content puts right, its text then); (None, "") when that is unclear.

    find: see OfflineModel. The text is the old one when the memory says so already.
    """
    both = _both(content)
    value = both[1] if both else _value(content)
    parts = _parts(value)
    if both:
        items = find(both[0], _NEAR)
        parts = _parts(both[0])
    else:
        # Chinese characters one by one: pairs of them hold the number that is wrong
        units = [part for part, _, _ in parts if is_cjk(part[0]) and not _counts(part)]
        items = find(" ".join(units) or value, _NEAR)
    found = _places(items, parts, value, both)
    if not found:
        # it may be so already
        found = _places(find(value, _NEAR), _parts(value), value, True)
    return found[0] if len(found) == 1 else (None, "")


def _places(items, parts, value, same):
    # (item, its text with value at the place) of each place that fits parts; same: exactly.
    found = []
    for item in items:
        text = item.content
        have = _parts(text)
        for k in range(len(have) - len(parts) + 1 if parts else 0):
            window = have[k : k + len(parts)]
            if _fits(window, parts, same):
                new = text[: window[0][1]] + value + text[window[-1][2] :]
                found.append((item, new))
    return found


def _fits(window, parts, same):
    shared = changed = 0
    for (old, _, _), (new, _, _) in zip(window, parts):
        if old.lower() == new.lower():
            shared += 2 if is_cjk(new[0]) or not has(_SMALL, new.lower()) else 1
        elif same or not _kind(new) or _kind(old) != _kind(new):
            return False
        elif _counts(new):
            # 5pm for 4pm, but not 2019 for 3
            if new[0] <= "9" and old[0] <= "9" and abs(len(old) - len(new)) > 1:
                return False
            changed += 1
        else:
            changed += 1
            shared -= 1  # a name for a name needs more in common than a small word
    return shared > 0 and (same or changed > 0)


def _parts(text):
    # (part, start, end): words without marks, numbers, and Chinese characters one by one.
    out = []
    start = 0
    half = words.plain(text)
    for at in range(len(half) + 1):
        c = half[at : at + 1]
        number = c and c in _DIGITS
        if c and at > start and number and half[at - 1] in _DIGITS:
            continue
        if not c or c == " " or c == "," or is_cjk(c) or at > start and is_cjk(half[at - 1]):
            a, b = words.trim(half[start:at])
            if a < b:
                out.append((half[start + a : start + b], start + a, start + b))
            start = at
    return out


def _counts(part):
    return "0" <= part[0] <= "9" or part[0] in _DIGITS


def _kind(word):
    # What may take the place of each other: numbers, and names with months and days; else "".
    if _counts(word):
        return "#"
    low = low_word(word)
    if has(_MONTHS, low) or "A" <= word[0] <= "Z" and not has(words.FIRST + _TALK, low):
        return "" if has(words.FIRST, low) else "A"
    return ""


def _value(content):
    # content without what only leads to the value.
    if words.chinese(content):
        return words.bare(content[words.starts(content, _ZH_LEADS) :])
    for lead in _LEADS:
        if content.lower().startswith(lead):
            return words.bare(content[len(lead) :])
    return words.bare(content)


def _both(content):
    # (what it was, what it is) of "not A, B", "B, not A" and 不是A，是B; else None.
    half = words.plain(content)
    if words.chinese(content):
        at = half.find("不是")
        if at == 0:
            middle = half.find("是", 2)
            old, new = content[2:middle], content[middle + 1 :]
        else:
            middle = at if half[:1] == "是" else -1
            new, old = content[1:middle], content[middle + 2 :]
        old = words.bare(words.bare(words.bare(old), _ZH_TAIL))
        new = words.bare(new)
        good = middle > 1 and 0 < len(old) <= _CHARS and 0 < len(new) <= _CHARS
        return (old, new) if good and old[0] not in _ZH_WHO and new[0] not in _ZH_WHO else None
    low = half.lower()
    if low.startswith("not "):
        middle = half.find(",") if "," in half else low.find(" but ")
        size = 1 if "," in half else 5
        old, new = content[4:middle], content[middle + size :]
    else:
        middle = low.find(" not ")
        new, old = content[: max(middle, 0)], content[middle + 5 :]
    old, new = words.bare(old), _value(words.bare(new))
    for part in (old, new):
        raw = [low_word(w) for w in part.split()]
        if not 0 < len(raw) <= _WORDS or has(words.FIRST, raw[0]) or words.verb(raw):
            return None
    return (old, new) if middle > 0 else None
