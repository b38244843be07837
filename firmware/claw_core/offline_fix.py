"""Which memory a sentence of the user puts right, for the offline model."""

from claw_core import offline_match as match
from claw_core.offline_words import chinese, has, holds

_NOT = " not never hate hates dislike dislikes longer anymore without cannot "


def subject(text):
    """What a sentence of the speaker gives one value of ("name", "cat name"), else ""."""
    if not match.own(text):
        return ""
    tag = match.topic(text)[0]
    if chinese(text):
        if "岁" in text:
            return "years old"
        at = text.find("叫")
        if text[:1] == "我" and at > 1 and text[at : at + 2] != "叫我":
            return text[1:at].replace("的", "").replace("名字", "") + " name"
        return tag if tag in match.SINGLE or tag == "birthday" else ""
    units = match.units(text)
    s = " ".join(units)
    age = units[2:] and units[:2] == ["i", "am"] and units[2].isdigit() and len(units) == 3
    if age or "years old" in s or s.startswith("my age is"):
        return "years old"
    if units[:1] == ["my"]:
        for part in (" is called ", " is named ", "'s name is "):
            at = s.find(part)
            if at > 0:
                return s[3:at] + " name"
        at = s.find(" is ")
        if at > 0 and tag not in ("family", "pet"):
            return s[3:at]
    return tag if tag in match.SINGLE or tag == "birthday" else ""


def ended(text):
    """What held until now when text says that it does no longer, else ""."""
    if chinese(text):
        if "不再" in text:
            return text.replace("不再", "").replace("了", "")
        return text.replace("不", "") if text[:2] == "我不" and text[-1] == "了" else ""
    low = " ".join(match.units(text))
    if " no longer " in low:
        return low.replace(" no longer ", " ")
    for end in (" any more", " anymore", " any longer"):
        if low.endswith(end):
            kept = low[: -len(end)].replace(" do not ", " ").split(" ")
            left = [w for w in kept if w != "not" and w[-3:] != "n't"]
            return " ".join(left) if len(left) < len(kept) or " do not " in low else ""
    return ""


def denies(text):
    """True when text says that something is not so, or that it is disliked."""
    if chinese(text):
        return holds(text, "不 没 讨厌")
    return any(has(_NOT, w) or w[-3:] == "n't" for w in match.units(text))


def superseded(items, content, was=""):
    """(the one of items that content clearly puts right or None, whether one says content).

    was: see ended().
    """
    about = subject(content)
    wanted = match.terms(was)
    low = content.lower()
    known = any(item.content.lower() == low for item in items)
    near = []
    alike = []
    for item in items:
        if item.content.lower() == low:
            continue
        other = subject(item.content)
        if was:
            have = match.terms(item.content)
            if wanted and not ended(item.content) and all(t in have for t in wanted):
                near.append((match.likeness(item.content, was) + 16, item))
        elif about and other == about:
            if chinese(content) == chinese(item.content):
                alike.append(item)
        elif known and denies(content) == denies(item.content):
            pass  # what is said again ends only its opposite
        elif not about or not other:
            near.append((match.likeness(item.content, content), item))
    if alike:
        return (alike[0] if len(alike) == 1 else None), known
    top = max([ratio for ratio, _ in near] + [0])
    found = [item for ratio, item in near if ratio == top]
    return (found[0] if top >= 66 and len(found) == 1 else None), known
