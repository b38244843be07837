"""Which memories a request of the user to forget something means, for the offline model."""

from claw_core import offline_fix
from claw_core import offline_match as match
from claw_core import offline_words as words
from claw_core.offline_words import chinese, has, is_cjk, low_word, plain

_ASIDE = " told said thing stuff memor note info information detail 里 儿 地方 事情 信息 "
# what a memory is about, and the words of a request that may stand for it
_ABOUT = (
    ("home", "住址", " liv hom hous address mov 住 住址 地址 家 "),
    ("work", "工作", " work job profession 工作 职业 上班 "),
    ("years old", "", " age old 年龄 年纪 岁 多大 "),
    ("birthday", "", " birthda born 生日 出生 "),
)
# "allergies" and "allergic" are the same, "Mari" and "Maria" are not
_ENDINGS = " s i ic ies ing er es ed y e "


def meant(items, wanted):
    """Those of items that a request for wanted means: they have all of its meaningful words.

    One that is wanted word for word is the only one.
    """
    said = match.units(wanted)
    for item in items:
        if said and match.units(item.content) == said:
            return [item]
    terms = [t for t in match.terms(wanted) if not has(_ASIDE, t)]
    tags = match.topic(wanted)
    items = [i for i in items if _sides(i.content, wanted) and _named(i.content, wanted)]
    if not terms:
        return [i for i in items if tags[0] != "other" and _tagged(i, tags)]
    exact = [i for i in items if all(_has(i.content, t) for t in terms)]
    found = exact or [i for i in items if all(_has(i.content, t) or _about(i, t) for t in terms)]
    near = [i for i in found if match.likeness(i.content, wanted) >= 80]
    return near if len(near) == 1 else found


def lines(items):
    """A line for each of items: its text, and what to type to have it forgotten."""
    return [i.content + (" (/memory forget %s)" % i.id if i.id else "") for i in items]


def query(wanted):
    """What to search memory for, to give the result to meant()."""
    found = [wanted] + list(match.topic(wanted))
    for term in match.terms(wanted):
        found.extend([row[0] for row in _ABOUT if has(row[2], term)])
    return " ".join(found)


def _sides(content, wanted):
    # "I am allergic" and "I am not allergic" have the same words
    no = offline_fix.denies(wanted)
    units = match.units(wanted)
    stated = units[:1] in (["i"], ["we"], ["我"]) or words.verb(units[1:])
    return no == offline_fix.denies(content) if no or stated else True


def _named(content, wanted):
    # Names must be the same to the letter: stems of Ann and Anne are not different.
    if chinese(wanted) or chinese(content):
        return True
    have = [_plain(r) for r in content.split()]
    for raw in wanted.split():
        first = words.bare(raw)[:1]
        if "A" <= first <= "Z" and match.terms(raw) and _plain(raw) not in have:
            return False
    return True


def _plain(raw):
    word = low_word(plain(raw))
    return word[:-2] if word.endswith("'s") else word


def _tagged(item, tags):
    own = item.tags.split(",")
    return tags[0] in own or tags[1] in own


def _about(item, term):
    for topic, zh, said in _ABOUT:
        if has(said, term):
            return zh and _tagged(item, (topic, zh)) or offline_fix.subject(item.content) == topic
    return False


def _has(content, term):
    if is_cjk(term[0]):
        return term in plain(content)
    for have in match.terms(content):
        if have == term:
            return True
        short, long = (have, term) if len(have) < len(term) else (term, have)
        if len(short) > 4 and not short[-1].isdigit() and long.startswith(short):
            if has(_ENDINGS, long[len(short) :]):
                return True
    return False
