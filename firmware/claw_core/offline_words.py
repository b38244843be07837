"""How the offline model cuts a message into sentences and finds out what kind each of them is.

First come requests to remember or forget, then questions, then small talk; what is left is a
fact when it is about the speaker or has a subject and a verb. A doubtful sentence is no fact.
Tables are plain strings that are searched as they are: sets of the same words would take ten
times the RAM. Words are divided by blanks, phrases by |; see phrase().
"""

# Kinds of sentences, as classify() returns them.
FACT = "fact"
FIX = "fix"  # a fact that corrects an earlier one
MEND = "mend"  # a value alone that does
ASK = "ask"
ALL = "all"  # asks for everything that is known
LOSE = "lose"  # forget something
WIPE = "wipe"  # forget everything
SESSION = "session"
TIME = "time"
STATUS = "status"
SKIP = "skip"  # asks not to remember
TYPED = " help settings reset exit skip "  # kinds that take no more than an answer
PASTE = "paste"  # a text that was not told but pasted
THANKS = "thanks"
TALK = "talk"
NONE = ""  # none of these

EDGE = " \t\r\n\"'`.,!?;:()[]{}<>*~-_。，！？；：、（）“”‘’…～"
_HALF = "，,。.！!？?；;：:　 ’'‘'“\"”\"、,"
_RESPELL = (
    " im:i'm ive:i've dont:don't doesnt:doesn't didnt:didn't cant:can't wont:won't isnt:isn't"
    " cannot:can't whats:what's wheres:where's whens:when's hows:how's whos:who's thats:that's"
    " its:it's lets:let's youre:you're u:you ur:your r:are wat:what wot:what wut:what waht:what"
    " wich:which wher:where whre:where hwo:how wen:when plese:please plz:please pls:please"
    " froget:forget gonna:going wanna:want gotta:got naem:name "
)
FIRST = " i my we our me mine us myself i'm i've i'd i'll we're we've we'll "
_VERBS = (
    " is are was were am has have had does did can will must should goes likes lives loves hates"
    " works needs opens closes starts ends costs belongs keeps takes live love like hate work"
    " isn't aren't doesn't can't won't don't wasn't died went got "
)
_SINCE = (
    " when if because since although though after before while as unless until whenever where "
)
_ZH = "我你您的是了吗呢不叫谁什哪请谢好这那忘记在有没话"  # Japanese and names lack most of them
ZH_ME = "我俺咱"
_ZH_SINCE = "如果 因为 虽然 当 每当 要是 只要 除了 自从 每次 既然 小时候 请 记 别 不要记 不用记"
_ZH_KEEP = "记住 请记 记得 别忘 不要忘 提醒我 帮我记"


def plain(text):
    """text with full-width letters, digits and common marks made half-width, one for one."""
    out = []
    for c in text:
        if c > "\u2000":
            at = _HALF.find(c)
            if at >= 0:
                c = _HALF[at + 1]
            elif "\uff01" <= c <= "\uff5e":
                c = chr(ord(c) - 0xFEE0)
        out.append(c)
    return "".join(out)


def trim(text, marks=EDGE):
    """(start, end) of text without the characters marks at its ends (strip() takes bytes)."""
    start = 0
    end = len(text)
    while start < end and text[start] in marks:
        start += 1
    while end > start and text[end - 1] in marks:
        end -= 1
    return start, end


def bare(text, marks=EDGE):
    """text without the characters marks at its ends."""
    start, end = trim(text, marks)
    return text[start:end]


def numbers(text):
    """The runs of digits in text."""
    return "".join([c if "0" <= c <= "9" else " " for c in plain(text)]).split()


def is_cjk(c):
    """True for a Chinese character (also as used in Japanese)."""
    return "\u3400" <= c <= "\u9fff"


def chinese(text):
    """True when text is Chinese, names and loan words in other letters allowed."""
    found = latin = 0
    for c in text:
        if is_cjk(c):
            if c in _ZH:
                return True
            found += 1
        elif "a" <= c <= "z" or "A" <= c <= "Z":
            latin += 1
    return found > latin


def sentences(text):
    """The clauses of text that are judged one by one, as typed, at most 40."""
    out = []
    zh = chinese(text)
    half = plain(text)
    quoted = False  # what stands between quotation marks is not divided
    start = 0
    end = len(text)
    for at in range(end):
        c = text[at]
        after = text[at + 1 : at + 2]
        if c in '"“”':  # but 5" is no quotation mark
            quoted = not quoted and at < half.rfind('"') and not half[at - 1 : at].isdigit()
        if c == ".":
            last = text[start:at].split(" ")[-1]
            stop = after in " \n" and not has(" Dr Mr Mrs Ms St No vs ", last)
        elif zh and c in "，,、 ":
            stop = _zh_divides(text[start:at].strip(), text[at + 1 : at + 12].strip())
        else:
            stop = c in "!?;" and (after in ' \n"' or after > "~") or c in "。！？；"
            stop = stop and after not in ("!", "?", "！", "？")
        stop = stop and not quoted or c == "\n" or not after
        if stop:
            part = text[start : at + (c not in ";；，,、" or not after)].strip()
            quoted = False
            start = at + 1
            if part:
                out.extend([part] if zh else _clauses(part))
        if len(out) > 40:
            break
    return out


def _zh_divides(left, right):
    # Chinese runs sentences together with commas; a new one starts where "I" is said anew.
    if not right or right[0] not in ZH_ME and not starts(right, _ZH_KEEP):
        return False
    return len(left) > 1 and not starts(left, _ZH_SINCE) and left[-1] not in "时候前后住"


def _clauses(text):
    # English: "..., and I ..." starts a new fact when both sides have a subject and a verb.
    raw = text.split(" ")
    low = [low_word(r) for r in raw]
    out = []
    start = 0
    for i in range(1, len(raw)):
        if not has(FIRST, low[i]) or has(" me us mine myself ", low[i]):
            continue
        joint = i - 1 if has(" and but & also plus ", low[i - 1] or raw[i - 1]) else i
        if joint == i and raw[i - 1][-1:] != "," or has(_SINCE + "that ", low[start]):
            continue
        if "remember" in low[:6] or plain(" ".join(raw[:joint])).count('"') % 2:
            continue
        if joint > start and _verbal(low[start:joint]) and _verbal(low[i:]):
            out.append(bare(" ".join(raw[start:joint]), " ,"))
            start = i
    out.append(" ".join(raw[start:]))
    return out


def _verbal(low):
    for i in range(len(low) - 1):
        if has(" i we i'm i've i'd i'll we're we've we'll ", low[i]):
            return True
    return verb(low[1:])


def verb(low):
    """True when one of the words is one of the common verbs."""
    return some(low, _VERBS)


def some(low, table):
    """True when one of the words is in table; see has()."""
    return any(has(table, w) for w in low)


def has(table, word):
    """True when word is one of the words in table (which starts and ends with a blank)."""
    return bool(word) and (" " + word + " ") in table


def starts(text, table):
    """Length of the first of the blank-separated parts of table that text starts with, or 0."""
    for part in table.split(" "):
        if part and text.startswith(part):
            return len(part)
    return 0


def holds(text, table):
    """True when one of the blank-separated parts of table occurs in text."""
    return any(part and part in text for part in table.split(" "))


def phrase(text, table):
    """Words of the longest phrase of table that text starts with, or 0; at least 1 if one fits.

    A phrase that ends with $ must be all of text, one that begins with * may be anywhere in it.
    """
    best = 0
    text += " "
    for part in table.split("|"):
        if part[0] == "*":
            fits = part[1:] + " " in text and " " + part[1:] + " " in " " + text
        elif part[-1] == "$":
            part = part[:-1]
            fits = text == part + " "
        else:
            fits = text.startswith(part + " ")
        if fits:
            best = max(best, part.count(" ") + 1)
    return best


def low_word(raw):
    """A word in lower case without marks around it and with common misspellings set right."""
    word = bare(raw).lower()
    at = _RESPELL.find(" " + word + ":")
    if at < 0 or not word:
        return word
    at += len(word) + 2
    return _RESPELL[at : _RESPELL.find(" ", at)]


def classify(text, fixing=False):
    """(kind, content) of one sentence; fixing tells that what came before announced a correction.

    content is what to store, to look for or to run. An announcement alone ("no, that's wrong")
    comes back as (FIX, "").
    """
    text = text.strip()
    if chinese(text):
        from claw_core.offline_zh import judge
    else:
        from claw_core.offline_en import judge
    kind, content, fixes = judge(plain(text), text)
    fixing = fixing or fixes
    if not content and kind == TALK and fixes:
        return FIX, ""
    if (fixing or text[:1] in ("不", "是")) and kind in (FACT, TALK, NONE):
        from claw_core import offline_mend

        if offline_mend.fragment(content, kind == TALK, fixing):
            return MEND, content
    if kind == TALK and fixes and content[:2].lower() == "it":
        return NONE, content  # what "it" is stays unknown
    if kind == FACT:
        from claw_core import offline_match

        # "I can do that" has no word that one could ever look for
        kind = TALK if not offline_match.terms(content) else FIX if fixing else FACT
    return kind, content
