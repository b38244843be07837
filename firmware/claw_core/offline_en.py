"""What kind of sentence an English one is, word by word; see claw_core.offline_words."""

from claw_core import offline_english as en
from claw_core import offline_paste as paste
from claw_core import offline_words as words
from claw_core.offline_words import ASK, FACT, TALK, has, phrase, some


def judge(text, typed):
    """(kind, content, whether it announces a correction) of one sentence with half-width marks."""
    asked = words.bare(text, " \"')!.").endswith("?")
    raw = [r for r in text.split() if words.low_word(r)]
    low = [words.low_word(r) for r in raw]
    k = 0
    lead = ""
    fixes = False
    while k < len(low):
        rest = " ".join(low[k:])
        n = phrase(rest, en.FIXES)
        if n and (low[k] != "no" or _breaks(raw, low, k)) and not phrase(rest, "wait for"):
            fixes = True
        elif not k and low[0] == "not" and _instead(raw, low):
            n = _instead(raw, low)
            fixes = True
        elif phrase(rest, "so do|so am|so far"):
            n = 0
        else:
            n = phrase(rest, en.LEADS)
        if not n:
            break
        lead = lead or low[k]
        k += n
        if n > 1 and low[k : k + 1] == ["that"]:
            k += 1
    thanks = has(" thanks thank cheers ", lead)
    if k == len(low) or thanks and low[k] == "for":
        kind, skip = TALK, 0
    else:
        kind, skip = _judge(raw[k:], low[k:], asked)
    if kind == TALK and thanks:
        kind = words.THANKS
    if kind == words.SESSION:
        return kind, _command(low[k:], raw[k:]), fixes
    k += skip
    at = 0
    for r in raw[:k]:
        at = text.find(r, at) + len(r)
    return kind, paste.stated(kind, typed[at:] if k < len(raw) else "", asked), fixes


def _breaks(raw, low, k):
    # "no, I moved" corrects; "no sugar for me" does not
    after = low[k + 1] if k + 1 < len(low) else "i"
    return raw[k][-1] in ",.!;:-" or has(words.FIRST + "it's it that's actually sorry ", after)


def _instead(raw, low):
    # "not Max, my name is Zack": the words up to the comma, 0 when it is no such sentence.
    for i in range(1, min(4, len(low) - 1)):
        if raw[i][-1] == "," and has(words.FIRST, low[i + 1]) and raw[1][0] < "a":
            return i + 1
    return 0


def _judge(raw, low, asked):
    # Return (kind, words to skip) of a sentence without its lead-in.
    request = _request(raw, low, asked)
    if request:
        return request
    e = " ".join([en.full(w) for w in low]).split()
    s = " ".join(e)
    if phrase(s, en.ALL) and not phrase(s, "i told|i have told"):
        return words.ALL, 0
    if phrase(s, en.TIME):
        return words.TIME, 0
    if phrase(s, en.HOW):
        return TALK, 0
    if (
        asked
        and not has(" ok okay ", low[-1])
        or len(e) > 2
        and has(" is are was were am ", e[-1])
    ):
        return ASK, 0
    return _question(e, s) or _small(e, s) or _stated(raw, low, e, s), 0


def _request(raw, low, asked):
    # Remember, forget, or a session: (kind, words to skip), None when it is no such request.
    k = 0
    polite = False
    while k < len(low):
        n = phrase(" ".join(low[k:]), en.POLITE)
        if not n or low[k] == "do" and low[k + 1 : k + 2] == ["not"]:
            break
        polite = polite or has(" can could will would can't do ", low[k])
        k += n
    if k == len(low):
        return None
    s = " ".join(low[k:])
    plain = [en.full(w) for w in low[k:] if not has(" the my your please now ", w)]
    kind = en.board(" ".join(plain))
    if kind:
        return kind, 0
    if len(low) < 9 and some(low, en.SESSIONS) and _command(low[k:], raw[k:]):
        return words.SESSION, 0
    n = phrase(s, en.LOSE)
    rest = " ".join(low[k + n :])
    if n and (has(" forget unlearn stop ", low[k]) or phrase(rest, en.LOSTHING)):
        if not rest or phrase(rest, "it$|that$|this$|about it$|about that$|i said$|what i said$"):
            return TALK, 0
        if phrase(rest, en.LOSALL):
            return words.WIPE, 0
        return words.LOSE, k + n + phrase(rest, en.LOSELINK)
    if not asked and phrase(s.replace("don't ", "not ").replace("do not ", "not "), en.NOKEEP):
        return words.SKIP, 0
    n = phrase(s, en.KEEP)
    if not n and low[k][:3] == "rem" and low[k][-2:] in ("er", "ar") and len(low[k]) > 5:
        n = 1
    if not n:
        return None
    k += n
    first = k
    colon = raw[k - 1][-1] == ":"
    linked = colon or has(" to that forget ", low[k - 1])
    while k < len(low) and has(en.LINK, low[k]):
        if low[k] == "the" and not has(" fact following ", low[k + 1] if k + 1 < len(low) else ""):
            break
        linked = linked or has(" that this down to fact following ", low[k])
        colon = colon or raw[k][-1] == ":"
        k += 1
    rest = low[k:]
    if not rest or phrase(" ".join(rest), "it$|everything$|all$|i said$|what i said$"):
        return words.NONE, 0
    if has(en.WEAK, low[first - 1]) and not linked:
        return None
    if not colon and (has(en.WH + "if ", rest[0]) or low[0] == "remind" and not linked):
        return ASK, 0
    if (
        (asked or polite)
        and not (polite and (linked or words.verb(rest)))
        or asked
        and low[0] == "do"
    ):
        return ASK, 0
    return FACT, k


def _command(low, raw):
    # The session command the words ask for, "" when they ask for none.
    verb = name = ""
    for i in range(len(low)):
        w = low[i]
        if i == 0 and has(" list show display what which ", w):
            if "session" in low and some(low, " this current "):
                return "show"
            return "list" if w[0] != "w" or has(en.SESSIONS, low[1]) else ""
        if i == 0 and has(" switch change go ", w):
            verb = "switch"
        elif i == 0 and has(" delete remove ", w):
            verb = "delete"
        elif has(" new fresh another ", w) and not verb:
            verb = "new" if i == 0 or has(" start begin open create make have ", low[0]) else ""
        elif not has(en.SESSIONS + en.SESSIONFILL, w):
            name = words.bare(raw[i])
    return (verb + " " + name).strip() if verb == "new" or verb and name else ""


def _question(e, s):
    first = e[0]
    second = e[1] if len(e) > 1 else ""
    if has(" am was ", first) and has(" born allergic called from living working ", second):
        return None
    if has(en.WH, first):
        if has(" a an nice lovely cool sweet funny ", second) and first in ("what", "how"):
            return TALK
        if len(e) > 4 and not has(en.AUX, second):
            # "when I get home I drink tea", "what I like most is jazz"
            if has(" when where ", first):
                if some(e[3:], " i my we our there it "):
                    return None
            elif has(" i my we our ", second) and some(e[3:-1], " is are was "):
                return None
        return ASK
    if has(en.AUX, first) and second:
        if has(en.WHO, second) or not has(" have had do does did must ", first):
            return ASK
        if has(" have had ", first) or second == "not" and not (len(e) > 2 and has(en.WHO, e[2])):
            return None
        return ASK
    if (
        len(e) > 2
        and has(" do does did can could should am are ", second)
        and has(" i you we ", e[2])
    ):
        return None if has(" so neither all nor ", first) else ASK
    for i in range(len(e) - 1):
        if has(en.KNOW, e[i]) and has(en.WH + "if whether ", e[i + 1]):
            if not i or has(" i you me not to was am just wonder ", e[i - 1]):
                if s.find("i know how to") != 0:
                    return ASK
    return ASK if phrase(s, en.WONDER) else None


def _small(e, s):
    # Small talk and orders that cannot be carried out here: TALK.
    if phrase(s, "call me") and len(e) > 2 and not has(en.LATER, e[2]) or phrase(s, en.NAMED):
        return FACT
    if phrase(s, en.PHRASES) or has(en.CHAT, e[0]) or len(e) == 1:
        return TALK
    if phrase(s, "always|never|do not|from now on"):
        return FACT
    if has(en.DUTY, e[0]) or e[0] == "not" and len(e) < 4:
        return TALK
    return None


def _stated(raw, low, e, s):
    if has(" i we ", e[0]):
        return _about_me(e)
    if phrase(s, "if i were|if i was|if i had|if i could|if i won|if you") or (
        e[0] == "if" and phrase(s, "*would|*could|*i wish")
    ):
        return TALK
    mine = some(low, words.FIRST)
    if low[-1] == "please" and not words.verb(low):
        return ASK
    if has(" it that this there these those they he she ", e[0]):
        if mine:
            return TALK if phrase(s, en.NOTMINE) else FACT
        named = any(w.endswith("'s") for w in low[1:])  # "it's Anna's birthday"
        return (
            FACT
            if named or e[0] == "there" and phrase(s, "*in|*under|*on|*at|*behind|*near")
            else TALK
        )
    if mine and len(e) > 2 or has(en.DROPPED, e[0]) and len(e) > 1:
        return FACT
    if len(e) < 3:
        return words.NONE
    if words.verb(e[1:-1]) or low[0].endswith("'s") and has(" at in on a an the not ", low[1]):
        return FACT
    if raw[0][0].isupper() or has(" the mum dad ", e[0]):
        for w in e[1:6]:
            if w[-1] == "s" and w[-2:] != "ss" or w[-2:] == "ed":
                return FACT
    dated = any(has(en.DAYS, w) or "0" <= w[0] <= "9" for w in e[1:])
    return FACT if dated else words.NONE  # "dentist Tuesday 10am"


def _about_me(e):
    # A sentence that starts with I or we: a fact unless it is about this very moment or talk.
    k = [w for w in e[1:] if not has(en.ADVERBS, w)]
    if not k or phrase(" ".join(k), en.SAID) or len(k) < 5 and has(" that this it ", k[-1]):
        return TALK
    if has(en.HEDGE, k[0]):
        rest = k[2:] if k[1:2] == ["that"] else k[1:]
        if len(rest) < 2:
            return FACT if k[0] == "know" else TALK
        if has(" i we ", rest[0]):
            return _about_me(rest)
        return TALK if has(" you your it so this not he they is ", rest[0]) else FACT
    for i in range(1, min(len(k), 5)):
        # "I like your style", "I told you": about this talk, unless "I" comes again
        if has(" you your yours ", k[i]) and not some(k[i:], words.FIRST):
            return TALK
    if (k[0] == "had" or k[:2] == ["am", "having"]) and has(en.SPELL, k[-1]):
        return TALK
    if has(" am are feel was were feeling ", k[0]):
        rest = [w for w in k[1:] if not has(en.FILL, w)]
        if not rest or has(en.BARE, rest[0]) or len(rest) == 1 and rest[0][-3:] == "ing":
            return TALK
        if has(en.STATE, rest[0]) and all(has(en.TAIL, w) for w in rest[1:]):
            return TALK
        if phrase(" ".join(rest), en.MOMENT):
            return TALK
    if k[:2] == ["do", "not"]:
        k = k[2:]
    if k and has(en.WANT, k[0]):
        rest = k[1:]
        while rest and has(" like love to going got ", rest[0]):
            if rest[0] == "to" and len(rest) > 1 and has(en.ASKTO, rest[1]):
                if rest[1] == "play" and "game" not in rest:
                    return FACT
                if (
                    not has(" see try find speak sleep talk ", rest[1])
                    or len(rest) < 5
                    or "you" in rest
                ):
                    return TALK
            rest = rest[1:]
        while rest and has(en.SMALL, rest[0]):
            rest = rest[1:]
        if not rest or has(en.NOUNS, rest[0]):
            return TALK
    return FACT
