"""What a message says: cut into sentences, each judged a fact, a question, a wish or small talk.

First come requests to remember or forget, then questions, then small talk; what is left is a
fact when it is about the speaker or has a subject and a verb. A doubtful sentence is no fact.
"""

from claw_core import offline_words as words

_HALF = "，,。.！!？?；;：:　 ’'‘'“\"”\"、,"


def plain(text):
    """text with full-width letters, digits and common marks made half-width, character by character."""
    out = []
    for c in text:
        n = ord(c)
        if n > 0x2000:
            at = _HALF.find(c)
            if at >= 0 and at % 2 == 0:
                c = _HALF[at + 1]
            elif 0xFF01 <= n <= 0xFF5E:
                c = chr(n - 0xFEE0)
        out.append(c)
    return "".join(out)


def is_cjk(c):
    """True for a Chinese character (also as used in Japanese)."""
    return "\u3400" <= c <= "\u9fff"


def chinese(text):
    """True when text is Chinese, names and loan words in other letters allowed."""
    found = latin = False
    for c in text:
        if is_cjk(c):
            if c in words.ZH_MARKS:
                return True
            found = True
        elif c.isalpha():
            latin = True
    return found and not latin


def sentences(text):
    """The clauses of text that are judged one by one, as typed, at most 40."""
    out = []
    zh = chinese(text)
    start = 0
    at = 0
    end = len(text)
    while at < end and len(out) < 40:
        c = text[at]
        stop = c in "。！？；!?;\n"
        if c == ".":
            stop = text[at + 1 : at + 2] in ("", " ", "\n") and not _abbreviated(text[start:at])
        if stop:
            while at + 1 < end and text[at + 1] in "。！？!?.":
                at += 1
        elif zh and c in "，,、 ":
            stop = _zh_divides(text[start:at], text[at + 1 : at + 12])
        if stop or at + 1 == end:
            part = text[start : at + 1].strip()
            start = at + 1
            if part:
                out.extend([part] if zh else _clauses(part))
        at += 1
    return out


def _abbreviated(text):
    last = text[text.rfind(" ") + 1 :]
    return last in ("Dr", "Mr", "Mrs", "Ms", "St", "e.g", "i.e", "No", "vs", "p.m", "a.m")


def _zh_divides(left, right):
    # Chinese runs sentences together with commas; a new one starts where "I" is said anew.
    right = right.lstrip()
    if not right or right[0] not in words.ZH_HERE and not starts(right, words.ZH_KEEP):
        return False
    left = left.strip()
    if starts(left, "如果 因为 虽然 当 每当 要是 只要 除了 自从 每次 既然 假如 小时候 请 记 别"):
        return False
    return len(left) > 1 and left[-1] not in "时候前后住"


def _clauses(text):
    # English: "..., and I ..." starts a new fact when both sides have a subject and a verb.
    raw = text.split()
    low = [low_word(r) for r in raw]
    out = []
    start = 0
    for i in range(1, len(raw)):
        if has(words._FIRST, low[i]) and low[i] not in ("me", "us", "mine", "myself"):
            joint = i - 1 if low[i - 1] in ("and", "but", "&", "also", "plus") else i
            if joint == i and not raw[i - 1].endswith(","):
                continue
            if joint > start and _verbal(low[start:joint]) and _verbal(low[i:]):
                if not has(words._SINCE, low[start]) and low[start] not in ("that", "remember"):
                    out.append(" ".join(raw[start:joint]))
                    start = i
    out.append(" ".join(raw[start:]))
    return out


def _verbal(low):
    if low and (has(" i we ", low[0]) and len(low) > 1 or "'" in low[0][:4]):
        return True
    return any(has(words._VERBS, w) for w in low[1:])


def has(table, word):
    """True when word is one of the words in table (which starts and ends with a blank)."""
    return bool(word) and (" " + word + " ") in table


def starts(text, table):
    """Length of the first of the blank-separated parts of table that text starts with, or 0."""
    for part in table.split(" "):
        if part and text.startswith(part):
            return len(part)
    return 0


def phrase(text, table):
    """Words of the longest phrase of table (divided by |) that text starts with, or 0."""
    best = 0
    for part in table.split("|"):
        if part[-1] == "$":
            part = part[:-1]
            fits = text == part
        else:
            fits = text.startswith(part) and text[len(part) : len(part) + 1] in ("", " ")
        if fits:
            best = max(best, part.count(" ") + 1)
    return best


def inside(text, table):
    """True when one of the phrases of table (divided by |) occurs in text as whole words."""
    text = " " + text + " "
    for part in table.split("|"):
        if part[-1] == "$":
            if text.endswith(" " + part[:-1] + " "):
                return True
        elif " " + part + " " in text:
            return True
    return False


def low_word(raw):
    """A word in lower case without marks around it and with common misspellings set right."""
    word = raw.strip(words._EDGE).lower()
    at = words._RESPELL.find(" " + word + ":")
    if at < 0 or not word:
        return word
    at += len(word) + 2
    return words._RESPELL[at : words._RESPELL.find(" ", at)]


def _long(word):
    # "i'm" -> i am; "don't" -> do not; "what's" -> what is; other words with 's stay
    if word.endswith("n't"):
        return {"ca": "can", "wo": "will"}.get(word[:-3], word[:-3]) + " not"
    at = word.find("'")
    if at > 0:
        tail = words._SHORT.find(" " + word[at:] + ":")
        if tail >= 0:
            tail += len(word) - at + 2
            return word[:at] + " " + words._SHORT[tail : words._SHORT.find(" ", tail)]
        if word[at:] == "'s" and has(
            " it that what where who how there here he she when ", word[:at]
        ):
            return word[:at] + " is"
        if word == "let's":
            return "let us"
    return word


def classify(text, fixing=False):
    """(kind, content) of one sentence; fixing tells that what came before announced a correction.

    content is what to store, to look for or to run. An announcement alone ("no, that's wrong")
    comes back as (FIX, "").
    """
    text = text.strip()
    if chinese(text):
        from claw_core import offline_zh

        return offline_zh.classify(plain(text), text, fixing)
    text = plain(text)
    asked = text.rstrip(" \"')!").endswith("?")
    raw = [r for r in text.split() if low_word(r)]
    low = [low_word(r) for r in raw]
    k = 0
    lead = ""
    while k < len(low):
        rest = " ".join(low[k:])
        n = phrase(rest, words._FIXES)
        if (
            n
            and not (low[k] == "no" and not _breaks(raw, low, k))
            and not phrase(rest, "wait for|wrong with")
        ):
            fixing = True
        else:
            n = phrase(rest, words._LEADS)
            if low[k] == "so" and k + 1 < len(low) and low[k + 1] in ("do", "am", "far"):
                n = 0
        if not n:
            break
        lead = lead or low[k]
        k += n
        if k < len(low) and low[k] == "that" and n > 1:
            k += 1
    if k == len(low):
        if fixing:
            return words.FIX, ""
        return _lead_kind(lead), ""
    kind, skip = _judge(raw[k:], low[k:], asked, lead)
    content = " ".join(raw[k + skip :]).strip(words._EDGE.replace("(", "").replace("'", ""))
    if kind == words.FACT and fixing:
        kind = words.FIX
    if kind == words.TALK:
        kind = _lead_kind(lead)
    if kind == words.SESSION:
        content = skip_name(low[k:], raw[k:])
    return kind, content


def _lead_kind(lead):
    return words.THANKS if lead in ("thanks", "thank", "cheers") else words.TALK


def _breaks(raw, low, k):
    # "no, I moved" corrects; "no sugar for me" does not
    return (
        raw[k][-1] in ",.!;:-"
        or k + 1 == len(low)
        or has(words._FIRST + "it's it that's actually sorry ", low[k + 1])
    )


def _judge(raw, low, asked, lead):
    # Return (kind, words to skip) of a sentence without its lead-in.
    request = _request(raw, low, asked)
    if request:
        return request
    e = " ".join([_long(w) for w in low]).split()
    s = " ".join(e)
    if inside(s, words._ABOUTME) and not phrase(s, "i told|i have told"):
        return words.ALL, 0
    if inside(s, "what time is|time is it|what day is|what date|today's date|the date today"):
        return words.TIME, 0
    if inside(
        s, "how are you|how is it going|how are things|are you ok|are you there|are you well"
    ):
        return words.TALK, 0
    if asked and low[-1] not in ("ok", "okay"):
        return words.ASK, 0
    if len(e) > 2 and has(" is are was were am ", e[-1]):
        return words.ASK, 0
    return _question(e, s, raw) or _small(e, s, low) or _stated(raw, low, e, s, lead), 0


def _request(raw, low, asked):
    rest = " ".join(low)
    k = 0
    polite = False
    while True:
        n = phrase(" ".join(low[k:]), words._POLITE)
        if not n or low[k] == "do" and low[k + 1 : k + 2] == ["not"]:
            break
        polite = polite or low[k] in ("can", "could", "will", "would", "can't", "do")
        k += n
    if k >= len(low):
        return None
    rest = " ".join(low[k:])
    session = _session(low[k:], rest)
    if session:
        return words.SESSION, 0
    n = phrase(rest, words._LOSE)
    if n:
        rest = low[k + n :]
        if not rest or phrase(
            " ".join(rest), "it$|that$|this$|about it$|about that$|i said$|what i said$"
        ):
            return words.TALK, 0
        if low[k] in ("forget", "unlearn", "stop") or phrase(
            " ".join(rest),
            "my|that i|that my|the memory|the fact|about|memory|what you|the note|everything|all",
        ):
            if phrase(
                " ".join(rest),
                "everything$|all$|all of it|everything about me|all memories|all my|everything you|all you",
            ):
                return words.WIPE, 0
            k += n
            while k < len(low) and has(words._LOSELINK, low[k]):
                k += 1
            return words.LOSE, k
    n = phrase(rest, words._KEEP)
    if not n and low[k][:3] == "rem" and low[k][-3:] in ("ber", "mer", "bar", "eber"):
        n = 1
    if not n or low[k] == "note" and low[k + 1 : k + 2] == ["book"]:
        return None
    k += n
    colon = raw[k - 1][-1] == ":"
    linked = colon or low[k - 1] in ("to", "that", "forget")
    first = k
    while k < len(low) and has(words._LINK, low[k]):
        if low[k] == "the" and not has(" fact following ", low[k + 1] if k + 1 < len(low) else ""):
            break
        linked = linked or low[k] in ("that", "this", "down", "to", "fact", "following")
        colon = colon or raw[k][-1] == ":"
        k += 1
    if k > first and low[first] == "to" or low[first - 1] == "to" and k == first:
        k = first
    rest = low[k:]
    if not rest or " ".join(rest) in ("it", "everything", "all", "i said", "what i said"):
        return words.NONE, 0
    if has(words._WEAK, low[first - 1]) and not linked:
        return None
    if not colon and (
        has(words._WH, rest[0]) or rest[0] == "if" or low[0] == "remind" and not linked
    ):
        return words.ASK, 0
    if (asked or polite) and not (polite and linked) and not (polite and _verbal(rest)):
        return words.ASK, 0
    if asked and low[0] == "do":
        return words.ASK, 0
    return words.FACT, k


def _session(low, rest):
    if not any(has(words._SESSIONS, w) for w in low) or len(low) > 8:
        return False
    if low[0] in ("start", "begin", "open", "create", "make", "new", "have"):
        return "new" in low or "fresh" in low or "another" in low
    if low[0] in ("list", "show", "display"):
        return True
    if low[0] in ("what", "which") and low[1] in ("sessions", "chats", "conversations"):
        return True
    return low[0] in ("switch", "change", "go", "delete", "remove") and len(low) > 2


def skip_name(low, raw):
    """The session command that the words ask for: new [name], list, switch NAME, delete NAME."""
    verb = "new"
    name = ""
    for i in range(len(low)):
        w = low[i]
        if w in ("list", "show", "display", "what", "which"):
            return "list"
        if w in ("switch", "change", "go"):
            verb = "switch"
        elif w in ("delete", "remove"):
            verb = "delete"
        elif not has(
            words._SESSIONS
            + "start begin open create make new fresh another a the my to back called named please can"
            " you could would me us let's for let now current i want i'd like as with name ",
            w,
        ):
            name = raw[i].strip(".,!?\"'")
    return (verb + " " + name).strip()


def _question(e, s, raw):
    first = e[0]
    if first in ("am", "was") and has(
        " born allergic called from living working ", e[1] if len(e) > 1 else ""
    ):
        return None
    if has(words._WH, first):
        if (
            first in ("what", "how")
            and len(e) > 1
            and e[1] in ("a", "an", "nice", "lovely", "cool", "sweet", "funny")
        ):
            return words.TALK
        if (
            len(e) > 4
            and not has(words._AUX, e[1])
            and (has(" i my we our ", e[1]) or first in ("when", "where"))
        ):
            # "when I get home I drink tea", "what I like most is jazz"
            if has(words._SINCE, first):
                if any(has(" i my we our there it ", w) for w in e[3:]):
                    return None
            elif any(w in ("is", "are", "was") for w in e[3:-1]):
                return None
        return words.ASK
    if has(words._AUX, first) and len(e) > 1:
        if first in ("have", "had", "do", "does", "did", "must", "need") and not has(
            words._WHO, e[1]
        ):
            if (
                first in ("have", "had")
                or e[1] == "not"
                and not (len(e) > 2 and has(words._WHO, e[2]))
            ):
                return None
        return words.ASK
    if (
        len(e) > 2
        and has(" do does did can could should am are ", e[1])
        and has(" i you we ", e[2])
    ):
        return None if first in ("so", "neither", "all", "nor") else words.ASK
    for i in range(len(e) - 1):
        if has(words._KNOW, e[i]) and (has(words._WH, e[i + 1]) or has(" if whether ", e[i + 1])):
            if i and has(" i you me not to was am just you'll wonder ", e[i - 1]) or i == 0:
                if not (
                    e[i + 1] == "how"
                    and e[i + 2 : i + 3] == ["to"]
                    and first == "i"
                    and e[i] == "know"
                ):
                    return words.ASK
    if inside(
        s,
        "i wonder|was wondering|am wondering|want to know|like to know|need to know|any idea|forgot my|know my name|not remember my|not recall|not know my|let me know|am curious|you know my|you know if",
    ) or phrase(s, "tell me|remind me"):
        return words.ASK
    return None


def _small(e, s, low):
    # Small talk and wishes: TALK, or NONE for an order that cannot be carried out here.
    if phrase(s, "call me") and not has(
        " later back tomorrow when at on if now tonight soon maybe crazy in an ",
        e[2] if len(e) > 2 else "in",
    ):
        return words.FACT
    if phrase(
        s, "you can call me|you may call me|people call me|everyone calls me|friends call me"
    ):
        return words.FACT
    if phrase(s, words._PHRASES) or has(words._CHAT, e[0]) or len(e) == 1:
        return words.TALK
    if e[0] in ("always", "never") or s.startswith("do not ") or phrase(s, "from now on"):
        return words.FACT
    if has(words._DUTY, e[0]) or phrase(s, "let us|call me|call"):
        return words.TALK
    if e[0] == "not" and len(e) < 4:
        return words.TALK
    return None


def _stated(raw, low, e, s, lead):
    at = 0
    if e[0] in ("i", "we"):
        return _about_me(e)
    if e[0] == "if" and (
        inside(s, "if i were|if i was|if i had|if i could|if i won|would|could|if you|i wish")
    ):
        return words.TALK
    mine = any(has(words._FIRST, w) for w in low)
    if e[0] in ("it", "that", "this", "there", "these", "those", "they", "he", "she", "its"):
        if mine and not phrase(
            s,
            "that is what|this is what|that makes me|that helps|it is my turn|it is my fault|it is for me|that is my|that is all|it makes me|this makes me|it seems|that worries me",
        ):
            return words.FACT
        if e[0] == "there" and inside(s, "in|under|on|at|behind|next|inside|above|below|near"):
            return words.FACT
        return (
            words.FACT if e[0] == "that" and len(e) > 4 and phrase(s, "that is my") else words.TALK
        )
    if mine:
        return words.FACT if len(e) > 2 else words.NONE
    if has(words._DROPPED, e[0]) and len(e) > 1:
        return words.FACT
    if len(e) < 3:
        return words.NONE
    for i in range(1, len(e) - 1):
        if has(words._VERBS, low[i] if i < len(low) else e[i]) or has(words._VERBS, e[i]):
            return words.FACT
    if raw[0][0].isupper() or has(" the mum dad ", e[0]):
        for w in e[1:4]:
            if w[-1] == "s" and w[-2:] != "ss" or w[-2:] == "ed":
                return words.FACT
    return words.NONE


def _about_me(e):
    # A sentence that starts with I or we: a fact unless it is about this very moment or talk.
    k = [w for w in e[1:] if not has(words._ADVERBS, w)]
    s = " ".join(k)
    if not k or phrase(s, words._SAID):
        return words.TALK
    if has(words._HEDGE, k[0]):
        rest = k[1:]
        if rest and rest[0] == "that":
            rest = rest[1:]
        if (
            rest
            and rest[0] in ("you", "your", "it", "so", "this", "not", "we", "he", "they")
            or not rest
            and k[0] != "know"
        ):
            return words.TALK
        if rest and rest[0] in ("i", "we"):
            return _about_me(rest)
        if rest and rest[0] == "is":
            return words.TALK
        return words.FACT
    if len(k) > 1 and k[1] in ("you", "u") or len(k) > 2 and k[2] == "you" and k[1] == "not":
        return words.TALK
    if k[0] in ("am", "are", "feel", "was", "were", "feeling"):
        rest = [
            w
            for w in k[1:]
            if w
            not in (
                "so",
                "not",
                "feeling",
                "a",
                "bit",
                "little",
                "all",
                "getting",
                "been",
                "being",
                "kind",
                "of",
                "too",
                "as",
                "rather",
                "super",
                "totally",
            )
        ]
        if not rest:
            return words.TALK
        if has(words._BARE, rest[0]):
            return words.TALK
        if has(words._STATE, rest[0]) and all(has(words._TAIL, w) for w in rest[1:]):
            return words.TALK
        if rest[0] == "going" and (
            len(rest) == 1 or rest[1] in ("now", "out", "home") or "bed" in rest or "sleep" in rest
        ):
            return words.TALK
        if rest[0] in ("in", "on") and rest[-1] in ("hurry", "way", "trouble"):
            return words.TALK
        if rest[0] == "afraid" and len(rest) > 1 and rest[1] in ("so", "that", "i", "not"):
            return words.TALK
        if rest[0] in ("happy", "ready", "about", "here", "good") and rest[1:2] == ["to"]:
            return words.TALK
    if has(words._WANT, k[0]):
        rest = k[1:]
        while rest and rest[0] in ("like", "love", "to", "going", "got"):
            if rest[0] == "to" and len(rest) > 1 and has(words._ASKTO, rest[1]):
                if rest[1] == "play" and "game" not in rest:
                    return words.FACT
                if not has(" see try find speak sleep talk ", rest[1]) or len(rest) < 5:
                    return words.TALK
            rest = rest[1:]
        while rest and has(words._SMALL, rest[0]):
            rest = rest[1:]
        if not rest or has(words._NOUNS, rest[0]) or rest[0] == "you":
            return words.TALK
    return words.FACT
