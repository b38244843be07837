"""Topics, keywords, and how well a memory fits a question, by words and Chinese characters."""

from claw_core import offline_words as words
from claw_core.offline_words import chinese, has, is_cjk, low_word, plain
from claw_memory import text as bytetext

# topics of which a person has one: what is said of them anew replaces what was
SINGLE = ("name", "home", "work")
# capitals after "I'm" that make no name, besides -ish, -ese and -ian
_NONAME = (
    " american mexican cuban african german korean moroccan french dutch greek swiss welsh czech"
    " muslim catholic thai asian vegan ok okay "
)
_STOPZH = "我你您的是了在吗呢啊吧么什谁哪几怎多少有叫个这那和跟对也都不很它他她们请把被就"
_STOP = (
    " a an the i me my mine we our us you your it is are am was were be been do does did not have"
    " has had can could will would should what who where when which how why of in on at to for"
    " from with about and or but that this there call called name named know remember tell please"
    " any some if so as by he she they his her their go goes get out no yes than then into up im"
    " forget all now want say let like whose's kind s m t re ve don doesn actually really also"
    " much many "
)


def topic(text):
    """(tag, Chinese tag) of the topic of text; ("other", "其他") when no table knows it."""
    from claw_core.offline_topics import TOPICS

    if _introduces(text):
        return "name", "姓名"
    low = plain(text).lower()
    spaced = " " + " ".join([low_word(w) for w in low.split()]) + " "
    for row in TOPICS:
        tag, zh, english, hanzi = row.split(",")
        for part in english.split(" "):
            if part[-1] == ".":
                part = " " + part[:-1].replace(".", " ")
                if part + " " in spaced or part + "s " in spaced or part + "'s " in spaced:
                    return tag, zh
            elif " " + part in spaced:
                return tag, zh
        for part in hanzi.split(" "):
            if part in low:
                return tag, zh
    return "other", "其他"


def _chunks(text):
    # Runs of Chinese characters that carry meaning.
    run = ""
    for c in text + " ":
        if is_cjk(c) and c not in _STOPZH:
            run += c
        elif run:
            yield run
            run = ""


def keywords(text):
    """Up to three words of text that carry meaning, as written, comma-separated."""
    found = [c for c in _chunks(text) if 1 < len(c) < 9]
    for raw in plain(text).split():
        word = words.bare(raw)
        if word.endswith("'s"):
            word = word[:-2]
        if len(word) > 1 and not has(_STOP, low_word(word)) and "'" not in low_word(word):
            if not any(is_cjk(c) for c in word):
                found.append(word)
    best = [w for w in found if w[0].isupper()] + [w for w in found if not w[0].isupper()]
    return ",".join([w for w in best if "," not in w][:3])


def stem(word):
    """An English word without its commonest endings."""
    if word.endswith("'s"):
        word = word[:-2]
    for end in ("ing", "ies", "ed", "es", "s", "y", "e"):
        if word.endswith(end) and len(word) - len(end) > 2:
            return word[: -len(end)]
    return word


def terms(text):
    """What to look for: stems of English words, pairs of Chinese characters, each once."""
    found = []
    low = plain(text).lower()
    word = ""
    for c in low + " ":
        if c.isalpha() and not is_cjk(c) or c.isdigit() or c == "'":
            word += c
            continue
        word = low_word(word)
        if "'" in word and not word.endswith("'s"):
            word = ""
        if word and not has(_STOP, word) and not has(_STOP, word.replace("'s", "")):
            word = stem(word)
            if word not in found:
                found.append(word)
        word = ""
    for part in ("知道", "记得", "告诉", "名字"):
        low = low.replace(part, " ")
    for run in _chunks(low):
        for i in range(max(1, len(run) - 1)):
            if run[i : i + 2] not in found:
                found.append(run[i : i + 2])
    return found


def _alike(a, b):
    if a == b or len(a) > 4 and len(b) > 4 and a[:5] == b[:5] and abs(len(a) - len(b)) < 4:
        return True
    return ord(a[0]) > 0x2FFF and (a in b or b in a)


def score(item, wanted, tags):
    """How well item fits the terms wanted (2 each) and the topic tags (1)."""
    have = terms(item.content)
    points = 0
    for term in wanted:
        if any(_alike(term, h) for h in have):
            points += 2
    own = item.tags.split(",")
    return points + (1 if tags[0] != "other" and (tags[0] in own or tags[1] in own) else 0)


def best(items, text, limit=8):
    """[(points, item)] of items that fit text at all, best first, in their own order if equal."""
    wanted = terms(text)
    tags = topic(text)
    found = []
    for item in items:
        points = score(item, wanted, tags)
        if points:
            at = len(found)
            while at and found[at - 1][0] < points:
                at -= 1
            found.insert(at, (points, item))
            del found[limit:]
    return found


def lacking(found, text):
    """The quoted names, or else the numbers, in text that none of found (see best()) has."""
    have = plain(" ".join([item.content for _, item in found])).lower()
    parts = plain(text).lower().split('"')
    names = [parts[i] for i in range(1, len(parts), 2) if parts[i] not in have]
    have = words.numbers(have)
    return names or [n for n in words.numbers(text) if n not in have]


def likeness(a, b):
    """How many of 100 words (Chinese: characters) of the longer text the other one has too."""
    a = units(a)
    b = units(b)
    shared = 0
    longest = max(len(a), len(b))
    for unit in a:
        if unit in b:
            b.remove(unit)
            shared += 1
    return shared * 100 // max(1, longest)


def units(text):
    """The words of text (Chinese: its characters) in lower case."""
    if chinese(text):
        return [c for c in plain(text).lower() if c.isalpha() or c.isdigit() or is_cjk(c)]
    return " ".join([low_word(r) for r in text.split()]).replace("'m", " am").split()


def _introduces(text):
    # "I'm Max", "I am Max Miller"
    raw = text.split()
    start = 2 if [low_word(r) for r in raw[:2]] == ["i", "am"] else 1
    if start == 1 and (not raw or low_word(raw[0]) != "i'm") or not 0 < len(raw) - start < 3:
        return False
    for word in raw[start:]:
        low = low_word(word)
        if not "A" <= word[0] <= "Z" or has(_NONAME, low) or low[-3:] in ("ish", "ese", "ian"):
            return False
    return True


def own(text):
    """True when text is about the speaker in person: it starts with I, my or the like."""
    text = plain(text).lower()
    return text[:1] in words.ZH_ME or has(words.FIRST, low_word(text.split(" ")[0]))


def search(memory, wanted, limit):
    """A find() over all of memory, in both modes: by words and topic; the first ones for "".

    Archived ones are found when nothing else fits.
    """
    if memory.longterm is None:
        guest = memory.scope and memory.scope.user
        items = () if guest else _lines(memory.memory_dir + "/MEMORY.md")
    else:
        items = memory.longterm.list()
    if wanted:
        found = best(items, wanted, limit)
        if not found and memory.longterm is not None:
            from claw_memory import archive

            found = best(archive.everything(memory.longterm), wanted, limit)
        return [item for _, item in found]
    found = []
    for item in items:
        if len(found) == limit:
            break
        found.append(item)
    return found


class _Line:
    id = tags = ""

    def __init__(self, content):
        self.content = content


def _lines(path):
    try:
        with open(path, "rb") as file:
            for line in file:
                line = bytetext.bare(bytetext.clean_bytes(line))
                if line[:1] in ("-", "*") and len(line) > 2:
                    found = _Line(bytetext.bare(line[1:]))
                    found.tags = topic(found.content)[0]
                    yield found
    except OSError:
        return
