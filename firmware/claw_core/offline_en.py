"""What kind of sentence an English one is, word by word; see claw_core.offline_words."""

from claw_core import offline_words as words
from claw_core.offline_words import ASK, FACT, TALK, has, phrase

_SHORT = " 'm:am 're:are 've:have 'd:would 'll:will "
_LEADS = (
    "well|ok|okay|oh|ah|um|uh|hmm|hey|hi|hello|hiya|yes|yeah|yep|also|and|but|then|please|btw|so|fyi|"
    "right|great|cool|claw|anyway|look|listen|honestly|thanks|thank you|cheers|by the way|"
    "just so you know|you should know|for the record|let me tell you|i want to tell you|"
    "to be honest|guess what|good morning|good afternoon|good evening|nice to meet you|first of all"
)
_FIXES = (
    "actually|no|nope|sorry|correction|wait|oops|wrong|that's wrong|that is wrong|not quite|i mean|"
    "that's not right|that's not true|my mistake|i was wrong|i made a mistake|i meant"
)
_POLITE = (
    "can you|could you|would you|will you|can't you|i want you to|i'd like you to|i need you to|"
    "you must|you should|you have to|you need to|make sure to|make sure you|make sure|try to|do|"
    "kindly|please|also|let's|i want to|i'd like to|you can|you may|just"
)
_KEEP = (
    "remember|keep in mind|bear in mind|make a note|take a note|take note|don't forget|do not forget|"
    "never forget|note to self|note|write down|jot down|put down|memorise|memorize|remind me to|"
    "remind me that|for future reference|learn|save|store|record|write|log"
)
_WEAK = " save store record write log learn "  # these need "that", "this", "down" or a colon
_LINK = " that this down of for me the following fact to "
_LOSE = "forget|erase|delete|remove|unlearn|stop remembering|wipe|clear"
_LOSTHING = "my|that|the memory|the fact|about|memory|what you|the note|everything|all"
_LOSALL = "everything$|all$|all of it|everything about me|everything you|all memories|all my|all you"
_LOSELINK = " that about the fact memory memories of what you know everything i said told note from "
_WH = " what who whose whom where when why how which what's who's where's when's how's "
_AUX = (
    " am is are was were do does did can could would should shall will may might must has have had "
)
_WHO = " i you we they he she it "
_KNOW = " know remember recall sure forgot forget wonder wondering me see idea guess curious ask "
_ALL = (
    "*know about me|*remember about me|*i told you$|*i tell you$|*i have told you$|*about myself|"
    "*learned about me|*learnt about me|who am i$|*know me|*remember me|*you remember$|*you know$|"
    "*your memory|*my memories|*all memories|*the memories|*list memories|*your memories|"
    "*stored about me|*memory about me|*show memories"
)
_TIME = "*what time is|*time is it|*what day is|*what date|*today's date|*the date today"
_HOW = "*how are you|*how is it going|*how are things|*are you ok|*are you there|*are you well"
_WONDER = (
    "*i wonder|*was wondering|*am wondering|*want to know|*like to know|*need to know|*any idea|"
    "*forgot my|*know my name|*not know my|*not remember my|*not recall|*let me know|*am curious|"
    "*you know my|*you know if|tell me|remind me"
)
_NAMED = "you can call me|you may call me|people call me|everyone calls me|friends call me"
_LATER = " later back tomorrow when at on if now tonight soon maybe crazy in an a "
_DUTY = (
    " tell show play turn set open write translate explain give send help let go stop wait come make"
    " find search say sing calculate describe pretend imagine suppose read draw summarise summarize"
    " keep put get recommend suggest try check ask repeat run print define convert guess answer speak"
    " teach order take start begin create add use list enjoy pick choose call "
)
_CHAT = (
    " yo good nice lol haha hahaha wow bye goodbye see later morning night sure fine awesome perfect"
    " amazing brilliant lovely welcome worries problem idea congratulations happy merry same maybe"
    " perhaps exactly indeed really seriously interesting fair makes sounds thanks all whatever you"
    " your you're you've you'll yours everything nothing life weather things ha excuse pardon test"
    " testing none long wonderful excellent sweet ugh help "
)
_PHRASES = (
    "never mind|not really|not bad|not much|not yet|not now|not sure|do not worry|do not mention|"
    "do not be|do not know|do not think|do not care|how do you do|have a|take care|well done|me too|"
    "me neither|so do i|neither do i|of course|oh my|for telling|for your|for the help|for helping|"
    "for that|love it|like it|the weather|it is raining|had a|had fun|who cares|if only|the same|"
    "can not wait|too bad|should i|today was|my bad|my god|my goodness|my pleasure|my apologies|"
    "my question|my point|my guess|my problem is|my day|my mood|my turn|my fault|that is all|"
    "that is what i|this is what i|just kidding|only joking|got it|got go|got to go|got run|"
    "speak soon|what is up"
)
_NOTMINE = (
    "that is what|this is what|that makes me|that helps|that is my point|it is my turn|"
    "it is my fault|it is for me|that is all|it makes me|this makes me|it seems|that worries me"
)
# after "I", with the adverbs left out
_SAID = (
    "agree|disagree|guess$|suppose$|bet|doubt|promise|appreciate|thank|apologise|apologize|said|told|"
    "asked|wish|wonder|beg|swear|love this|love it$|love that$|like this|like it$|like that$|mean it|"
    "hate this|hate it$|hate that$|get it|got it|got to go|have to go$|have to go now|must go|"
    "need to go$|should go|have to run|have to leave|will be back|will try|will see|will do|"
    "will think|will ask|will let|will wait|could eat|could use|could not|can not wait|see$|see what|"
    "can not believe|can not see|can not hear|can not think|can not remember|can see|can hear|give up|"
    "forgot$|do$|did$|am$|have$|will$|can$|do not$|must say|must admit|changed my mind|had fun|"
    "made a mistake|had a nice|had a good|had a great|had a bad|had a long|had a lovely|hope so|"
    "hope not|think so|think not|hope it|hope this|thought so|believe so|know$|know that$|know it|"
    "know right|know what|understand$|do not know|do not think so|do not care|do not mind|"
    "do not understand|do not get|do not see|do not remember|do not feel like|did not mean|"
    "did not know|did not say|did not understand|was thinking|was wondering|was asking|have nothing|"
    "want something|need something|want nothing"
)
_WANT = " want need would have got had am "
_ASKTO = " ask know talk chat say test try see hear tell speak sleep thank think play find understand "
_NOUNS = (
    " help hand question questions request problem idea issue answer joke something moment minute"
    " advice chat favour favor clue you "
)
_SMALL = " a an another some one more quick small little few no to your new please like got the any "
_STATE = (
    " fine good ok okay great well alright bored tired sleepy hungry thirsty sad happy back home busy"
    " lost excited angry mad annoyed cold hot sick ill unsure serious stuck late awake exhausted"
    " stressed upset lonely grumpy worried nervous better free alone scared sure finished ready off"
    " out down starving "
)
_BARE = (
    " asking testing thinking looking trying talking saying leaving listening waiting joking kidding"
    " sorry glad curious confused done impressed here wondering "
)
_FILL = " so not feeling a bit little all getting been being kind of too as rather super totally "
_TAIL = (
    " today now right again then thanks you at the moment too and about that it this of to tonight"
    " though so for up with myself me lately because currently usual all bit morning evening ok bed"
    " sleep out as be hear in hurry trouble way on my feeling going not very a "
)
_ADVERBS = " really just also still actually very quite pretty currently honestly already too both "
_HEDGE = " think guess believe suppose hope reckon heard know feel figured mean "
_DROPPED = (
    " got have live moved born allergic love like hate prefer need bought married studying living"
    " working vegetarian vegan never always don't can't been favourite favorite retired originally "
)
_SESSIONS = " session sessions conversation conversations chat chats "
_SESSIONFILL = (
    " start begin open create make new fresh another a the my to back called named please can you"
    " could would me us let's for let now current i want i'd like as with name "
)


def judge(text, typed):
    """(kind, content, whether it announces a correction) of one sentence with half-width marks."""
    asked = words.bare(text, " \"')!").endswith("?")
    raw = [r for r in text.split() if words.low_word(r)]
    low = [words.low_word(r) for r in raw]
    k = 0
    lead = ""
    fixes = False
    while k < len(low):
        rest = " ".join(low[k:])
        n = phrase(rest, _FIXES)
        if n and (low[k] != "no" or _breaks(raw, low, k)) and not phrase(rest, "wait for"):
            fixes = True
        elif phrase(rest, "so do|so am|so far"):
            n = 0
        else:
            n = phrase(rest, _LEADS)
        if not n:
            break
        lead = lead or low[k]
        k += n
        if n > 1 and low[k : k + 1] == ["that"]:
            k += 1
    kind, skip = _judge(raw[k:], low[k:], asked) if k < len(low) else (TALK, 0)
    if kind == TALK and has(" thanks thank cheers ", lead):
        kind = words.THANKS
    if kind == words.SESSION:
        return kind, _command(low[k:], raw[k:]), fixes
    return kind, words.bare(" ".join(raw[k + skip :]), " .,!?;:\"-"), fixes


def _breaks(raw, low, k):
    # "no, I moved" corrects; "no sugar for me" does not
    after = low[k + 1] if k + 1 < len(low) else "i"
    return raw[k][-1] in ",.!;:-" or has(words.FIRST + "it's it that's actually sorry ", after)


def _long(word):
    # "i'm" -> i am; "don't" -> do not; "what's" -> what is; other words with 's stay
    if word.endswith("n't"):
        word = word[:-3]
        return ("can" if word == "ca" else "will" if word == "wo" else word) + " not"
    at = word.find("'")
    if at > 0:
        head = word[:at]
        tail = _SHORT.find(" " + word[at:] + ":")
        if tail >= 0:
            tail += len(word) - at + 2
            return head + " " + _SHORT[tail : _SHORT.find(" ", tail)]
        if word[at:] == "'s" and has(" it that what where who how there here he she when ", head):
            return head + " is"
    return word


def _judge(raw, low, asked):
    # Return (kind, words to skip) of a sentence without its lead-in.
    request = _request(raw, low, asked)
    if request:
        return request
    e = " ".join([_long(w) for w in low]).split()
    s = " ".join(e)
    if phrase(s, _ALL) and not phrase(s, "i told|i have told"):
        return words.ALL, 0
    if phrase(s, _TIME):
        return words.TIME, 0
    if phrase(s, _HOW):
        return TALK, 0
    if asked and not has(" ok okay ", low[-1]) or len(e) > 2 and has(" is are was were am ", e[-1]):
        return ASK, 0
    return _question(e, s) or _small(e, s) or _stated(raw, low, e, s), 0


def _request(raw, low, asked):
    # Remember, forget, or a session: (kind, words to skip), None when it is no such request.
    k = 0
    polite = False
    while k < len(low):
        n = phrase(" ".join(low[k:]), _POLITE)
        if not n or low[k] == "do" and low[k + 1 : k + 2] == ["not"]:
            break
        polite = polite or has(" can could will would can't do ", low[k])
        k += n
    if k == len(low):
        return None
    s = " ".join(low[k:])
    if len(low) < 9 and any(has(_SESSIONS, w) for w in low) and _command(low[k:], raw[k:]):
        return words.SESSION, 0
    n = phrase(s, _LOSE)
    rest = " ".join(low[k + n :])
    if n and (has(" forget unlearn stop ", low[k]) or phrase(rest, _LOSTHING)):
        if not rest or phrase(rest, "it$|that$|this$|about it$|about that$|i said$|what i said$"):
            return TALK, 0
        if phrase(rest, _LOSALL):
            return words.WIPE, 0
        k += n
        while k < len(low) and has(_LOSELINK, low[k]):
            k += 1
        return words.LOSE, k
    n = phrase(s, _KEEP)
    if not n and low[k][:3] == "rem" and low[k][-2:] in ("er", "ar") and len(low[k]) > 5:
        n = 1
    if not n:
        return None
    k += n
    first = k
    colon = raw[k - 1][-1] == ":"
    linked = colon or has(" to that forget ", low[k - 1])
    while k < len(low) and has(_LINK, low[k]):
        if low[k] == "the" and not has(" fact following ", low[k + 1] if k + 1 < len(low) else ""):
            break
        linked = linked or has(" that this down to fact following ", low[k])
        colon = colon or raw[k][-1] == ":"
        k += 1
    rest = low[k:]
    if not rest or phrase(" ".join(rest), "it$|everything$|all$|i said$|what i said$"):
        return words.NONE, 0
    if has(_WEAK, low[first - 1]) and not linked:
        return None
    if not colon and (has(_WH + "if ", rest[0]) or low[0] == "remind" and not linked):
        return ASK, 0
    if (asked or polite) and not (polite and (linked or words.verb(rest))) or asked and low[0] == "do":
        return ASK, 0
    return FACT, k


def _command(low, raw):
    # The session command the words ask for, "" when they ask for none.
    verb = name = ""
    for i in range(len(low)):
        w = low[i]
        if i == 0 and has(" list show display what which ", w):
            return "list" if w[0] != "w" or has(_SESSIONS, low[1]) else ""
        if i == 0 and has(" switch change go ", w):
            verb = "switch"
        elif i == 0 and has(" delete remove ", w):
            verb = "delete"
        elif has(" new fresh another ", w) and not verb:
            verb = "new" if i == 0 or has(" start begin open create make have ", low[0]) else ""
        elif not has(_SESSIONS + _SESSIONFILL, w):
            name = words.bare(raw[i])
    return (verb + " " + name).strip() if verb == "new" or verb and name else ""


def _question(e, s):
    first = e[0]
    second = e[1] if len(e) > 1 else ""
    if has(" am was ", first) and has(" born allergic called from living working ", second):
        return None
    if has(_WH, first):
        if has(" a an nice lovely cool sweet funny ", second) and first in ("what", "how"):
            return TALK
        if len(e) > 4 and not has(_AUX, second):
            # "when I get home I drink tea", "what I like most is jazz"
            if has(" when where ", first):
                if any(has(" i my we our there it ", w) for w in e[3:]):
                    return None
            elif has(" i my we our ", second) and any(has(" is are was ", w) for w in e[3:-1]):
                return None
        return ASK
    if has(_AUX, first) and second:
        if has(_WHO, second) or not has(" have had do does did must ", first):
            return ASK
        if has(" have had ", first) or second == "not" and not (len(e) > 2 and has(_WHO, e[2])):
            return None
        return ASK
    if len(e) > 2 and has(" do does did can could should am are ", second) and has(" i you we ", e[2]):
        return None if has(" so neither all nor ", first) else ASK
    for i in range(len(e) - 1):
        if has(_KNOW, e[i]) and has(_WH + "if whether ", e[i + 1]):
            if not i or has(" i you me not to was am just wonder ", e[i - 1]):
                if s.find("i know how to") != 0:
                    return ASK
    return ASK if phrase(s, _WONDER) else None


def _small(e, s):
    # Small talk and orders that cannot be carried out here: TALK.
    if phrase(s, "call me") and len(e) > 2 and not has(_LATER, e[2]) or phrase(s, _NAMED):
        return FACT
    if phrase(s, _PHRASES) or has(_CHAT, e[0]) or len(e) == 1:
        return TALK
    if phrase(s, "always|never|do not|from now on"):
        return FACT
    if has(_DUTY, e[0]) or e[0] == "not" and len(e) < 4:
        return TALK
    return None


def _stated(raw, low, e, s):
    if has(" i we ", e[0]):
        return _about_me(e)
    if phrase(s, "if i were|if i was|if i had|if i could|if i won|if you") or (
        e[0] == "if" and phrase(s, "*would|*could|*i wish")
    ):
        return TALK
    mine = any(has(words.FIRST, w) for w in low)
    if has(" it that this there these those they he she ", e[0]):
        if mine:
            return TALK if phrase(s, _NOTMINE) else FACT
        return FACT if e[0] == "there" and phrase(s, "*in|*under|*on|*at|*behind|*near") else TALK
    if mine and len(e) > 2 or has(_DROPPED, e[0]) and len(e) > 1:
        return FACT
    if len(e) < 3:
        return words.NONE
    if words.verb(e[1:-1]):
        return FACT
    if raw[0][0].isupper() or has(" the mum dad ", e[0]):
        for w in e[1:4]:
            if w[-1] == "s" and w[-2:] != "ss" or w[-2:] == "ed":
                return FACT
    return words.NONE


def _about_me(e):
    # A sentence that starts with I or we: a fact unless it is about this very moment or talk.
    k = [w for w in e[1:] if not has(_ADVERBS, w)]
    if not k or phrase(" ".join(k), _SAID):
        return TALK
    if has(_HEDGE, k[0]):
        rest = k[2:] if k[1:2] == ["that"] else k[1:]
        if not rest:
            return FACT if k[0] == "know" else TALK
        if has(" i we ", rest[0]):
            return _about_me(rest)
        return TALK if has(" you your it so this not he they is ", rest[0]) else FACT
    if len(k) > 1 and (k[1] == "you" or k[1] == "not" and k[2:3] == ["you"]):
        return TALK
    if has(" am are feel was were feeling ", k[0]):
        rest = [w for w in k[1:] if not has(_FILL, w)]
        if not rest or has(_BARE, rest[0]):
            return TALK
        if has(_STATE, rest[0]) and all(has(_TAIL, w) for w in rest[1:]):
            return TALK
        s = " ".join(rest)
        if phrase(s, "going$|going now|going out|going home|*to bed|*to sleep|in a hurry|on my way"):
            return TALK
        if phrase(s, "on way|in hurry|in trouble|afraid so|afraid that|afraid i|afraid not|happy to"):
            return TALK
        if phrase(s, "ready to|about to|here to|good to"):
            return TALK
    if has(_WANT, k[0]):
        rest = k[1:]
        while rest and has(" like love to going got ", rest[0]):
            if rest[0] == "to" and len(rest) > 1 and has(_ASKTO, rest[1]):
                if rest[1] == "play" and "game" not in rest:
                    return FACT
                if not has(" see try find speak sleep talk ", rest[1]) or len(rest) < 5:
                    return TALK
            rest = rest[1:]
        while rest and has(_SMALL, rest[0]):
            rest = rest[1:]
        if not rest or has(_NOUNS, rest[0]):
            return TALK
    return FACT
