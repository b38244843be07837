"""English words and phrases by which claw_core.offline_en judges a sentence.

Words are divided by blanks, phrases by |; see phrase() of claw_core.offline_words.
"""

from claw_core.offline_words import has, phrase

SHORT = " 'm:am 're:are 've:have 'd:would 'll:will "
LEADS = (
    "well|ok|okay|oh|ah|um|uh|hmm|hey|hi|hello|hiya|yes|yeah|yep|also|and|but|then|please|btw|so|"
    "fyi|right|great|cool|claw|anyway|listen|honestly|thanks|thank you|cheers|by the way|"
    "just so you know|you should know|for the record|let me tell you|i want to tell you|"
    "to be honest|guess what|good morning|good afternoon|good evening|nice to meet you|"
    "first of all|no thanks|no thank you"
)
FIXES = (
    "actually|no|nope|sorry|correction|wait|oops|wrong|that's wrong|that is wrong|not quite|"
    "i mean|scrap that|scratch that|that's not right|that's not true|my mistake|i was wrong|"
    "i made a mistake|i meant"
)
POLITE = (
    "can you|could you|would you|will you|can't you|i want you to|i'd like you to|i need you to|"
    "you must|you should|you have to|you need to|make sure to|make sure you|make sure|try to|do|"
    "kindly|please|also|let's|i want to|i'd like to|you can|you may|just"
)
KEEP = (
    "remember|keep in mind|bear in mind|make a note|take a note|take note|don't forget|"
    "do not forget|never forget|note to self|note|write down|jot down|put down|memorise|memorize|"
    "remind me to|remind me that|for future reference|learn|save|store|record|write|log"
)
NOKEEP = "not remember|never remember|not store my|not save my|not note|not keep in mind"
# what slash commands do, by their kinds; SHOWING may come before
BOARD = (
    "help:help$|help me$|what can you do$|what can i do$|what can i say$|what do you do$|"
    "how does this work$|commands$|what can you do for me$",
    "status:status$|board status$|system status$|status of board$|state of board$|board$|"
    "board doing$|system info$|uptime$",
    "settings:settings$|configuration$|config$",
    "reset:reset$|restart$|reboot$|reset board$|restart board$|reboot board$|restart yourself$",
    "exit:exit$|quit$|leave chat$|exit chat$|quit chat$",
)
SHOWING = (
    "show|show me|list|display|print|check|see|what is|what are|give me|tell me|how is|how do i"
)
WEAK = " save store record write log learn "
LINK = " that this down of for me the following fact to "
LOSE = "forget|erase|delete|remove|unlearn|stop remembering|wipe|clear"
LOSTHING = "my|that|the memory|the fact|about|memory|what you|the note|everything|all"
LOSALL = (
    "everything$|all$|all of it|everything about me|everything you|all memories|all my|all you"
)
LOSELINK = (
    "that|about|the fact that|the fact|the memory of|the memory about|the memory that|the memory|"
    "memories of|memories about|my memory of|what you know about|what i told you about|"
    "what i said about|everything about|everything you know about|everything i said about|"
    "the note about"
)
WH = (
    " what who whose whom where when why how which what's who's where's when's how's any anything "
)
AUX = (
    " am is are was were do does did can could would should shall will may might must has have"
    " had "
)
WHO = " i you we they he she it "
KNOW = " know remember recall sure forgot forget wonder wondering me see idea guess curious ask "
ALL = (
    "*know about me|*remember about me|*i told you$|*i tell you$|*i have told you$|*about myself|"
    "*learned about me|*learnt about me|who am i$|*know me|*remember me|*you remember$|"
    "*you know$|*your memory|*my memories|*all memories|*the memories|*list memories|"
    "*your memories|*stored about me|*memory about me|*show memories"
)
TIME = (
    "what is the time$|what's the time$|*what time is|*time is it|*what day is|*what date|"
    "*today's date|*the date today"
)
HOW = "*how are you|*how is it going|*how are things|*are you ok|*are you there|*are you well"
WONDER = (
    "*i wonder|*was wondering|*am wondering|*want to know|*like to know|*need to know|*any idea|"
    "*forgot my|*know my name|*not know my|*not remember my|*not recall|*let me know|*am curious|"
    "*you know my|*you know if|tell me|remind me|*what is it|*what was it|*what are they"
)
NAMED = "you can call me|you may call me|people call me|everyone calls me|friends call me"
LATER = " later back tomorrow when at on if now tonight soon maybe crazy in an a "
DUTY = (
    " tell show play turn set open write translate explain give send help let go stop wait come"
    " make find search say sing calculate describe pretend imagine suppose read draw summarise"
    " summarize keep put get recommend suggest try check ask repeat run print define convert"
    " guess answer speak teach order take start begin create add use list enjoy pick choose call"
    " leave look recall bring "
)
CHAT = (
    " yo good nice lol haha hahaha wow bye goodbye see later morning night sure fine awesome"
    " perfect amazing brilliant lovely welcome worries problem idea congratulations happy merry"
    " same maybe perhaps exactly indeed really seriously interesting fair makes sounds thanks all"
    " whatever you your you're you've you'll yours everything nothing life weather things ha"
    " excuse pardon test testing none long wonderful excellent sweet ugh help feeling "
)
PHRASES = (
    "never mind|not really|not bad|not much|not yet|not now|not sure|do not worry|do not mention|"
    "do not be|do not know|do not think|do not care|how do you do|have a nice|have a good|"
    "have a great|have a lovely|have fun|take care|well done|me too|me neither|so do i|"
    "neither do i|of course|oh my|for telling|for your|for the help|for helping|for that|love it|"
    "like it|the weather|it is raining|had a nice|had a good|had a great|had a bad|had a long|"
    "had fun|as i said|who cares|if only|the same|can not wait|too bad|should i|today was|my bad|"
    "my god|my goodness|my pleasure|my apologies|my question|my point|my guess|my problem is|"
    "my day|my mood|my turn|my fault|that is all|that is what i|this is what i|just kidding|"
    "only joking|got it|got go|got to go|got run|speak soon|what is up|here we|here i am"
)
NOTMINE = (
    "that is what|this is what|that makes me|that helps|that is my point|it is my turn|"
    "it is my fault|it is for me|that is all|it makes me|this makes me|it seems|that worries me|"
    "that is not what|it is me|it is not my fault|that is my girl|that is my boy"
)
# after "I", with the adverbs left out
SAID = (
    "agree|disagree|guess$|suppose$|bet|doubt|promise|appreciate|thank|apologise|apologize|said|"
    "told|asked|wish$|wish i|wish you|wish it|wish we|wish my|wish that|wonder|better go|"
    "would better|had better|should get going|beg|swear|love this|love it$|love that$|like this|"
    "like it$|like that$|mean it|hate this|hate it$|hate that$|get it|got it|got to go|"
    "have got to go|have got to run|have to go$|have to go now|must go|need to go$|should go|"
    "have to run|have to leave|will be back|will try|will see|will do|will think|will ask|"
    "will let|will wait|could eat|could use|could not agree|could not care|can not wait|see$|"
    "see what|can not believe|can not see|can not hear|can not think|can not remember|can see|"
    "can hear|give up|forgot$|do$|did$|am$|have$|will$|can$|do not$|must say|must admit|"
    "changed my mind|had fun|made a mistake|had a nice|had a good|had a great|had a bad|"
    "had a long|had a lovely|hope so|hope not|think so|think not|hope it|hope this|thought so|"
    "believe so|know$|know that$|know it|know right|know what|understand$|do not know|"
    "do not think so|do not care|do not mind|do not understand|do not get|do not see|"
    "do not remember|do not feel like|did not mean|did not know|did not say|did not understand|"
    "was thinking|was wondering|was asking|have nothing|want something|need something|"
    "want nothing|have had enough|have had a long|have had a good|have had a bad|"
    "have had a great|have finished$|have woken|got home|woke up|got up|need to go now|"
    "need to go home|want to go home|feel like|can not sleep$|do not feel|do not have time|"
    "understand now|stand corrected|rest my case|take it back|must be dreaming|may be wrong|"
    "could be wrong|should think|was right$|was wrong$|will be right|will have a think|will pass|"
    "will talk|should talk|never$"
)
WANT = " want need would have got had am "
ASKTO = (
    " ask know talk chat say test try see hear tell speak sleep thank think play find understand "
)
NOUNS = (
    " help hand question questions request problem idea issue answer joke something moment minute"
    " advice chat favour favor clue you break rest nap "
)
SMALL = (
    " a an another some one more quick small little few no to your new please like got the any "
)
STATE = (
    " fine good ok okay great well alright bored tired sleepy hungry thirsty sad happy back home"
    " busy lost excited angry mad annoyed cold hot sick ill unsure serious stuck late awake"
    " exhausted stressed upset lonely grumpy worried nervous better free alone scared sure"
    " finished ready off out down starving ears knackered chuffed gutted speechless "
)
BARE = (
    " asking testing thinking looking trying talking saying leaving listening waiting joking"
    " kidding sorry glad curious confused done impressed here wondering "
)
FILL = (
    " so not feeling a bit little all getting been being kind of too as rather super totally"
    " doing "
)
TAIL = (
    " today now right again then thanks you at the moment too and about that it this of to"
    " tonight though so for up with myself me lately because currently usual all bit morning"
    " evening ok bed sleep out as be hear in hurry trouble way on my feeling going not very a i"
    " could can "
)
ADVERBS = (
    " really just also still actually very quite pretty currently honestly already too both only "
)
MOMENT = (
    "going$|going now|going out|going home|heading out|heading off|*to bed|*to sleep|in a hurry|"
    "on my way|on way|in hurry|in trouble|*mood|afraid so|afraid that|afraid i|afraid not|"
    "happy to|ready to|about to|here to|good to|running late|nearly there|at work$|at home$|"
    "on bus|on the bus|on train|on the train|on my lunch|on break|not there"
)
DAYS = " monday tuesday wednesday thursday friday saturday sunday tomorrow "
SPELL = " day time night morning evening afternoon week weekend fun "
HEDGE = " think guess believe suppose hope reckon heard know figured mean "
DROPPED = (
    " got have live moved born allergic love like hate prefer need bought married studying living"
    " working vegetarian vegan never always don't can't been favourite favorite retired"
    " originally "
)
SESSIONS = " session sessions conversation conversations chat chats "
SESSIONFILL = (
    " start begin open create make new fresh another a the my to back called named please can you"
    " could would me us let's for let now current i want i'd like as with name "
)


def board(s):
    """What the sentence s (in full words, without "the") wants of the board, by kind, else ""."""
    shown = " ".join(s.split(" ")[phrase(s, SHOWING) :])
    for row in BOARD:
        kind, table = row.split(":")
        if phrase(s, table) or phrase(shown, table):
            return kind
    return ""


def full(word):
    """i'm as i am, don't as do not, what's as what is; other words with 's stay."""
    if word.endswith("n't"):
        word = word[:-3]
        return ("can" if word == "ca" else "will" if word == "wo" else word) + " not"
    at = word.find("'")
    if at > 0:
        head = word[:at]
        tail = SHORT.find(" " + word[at:] + ":")
        if tail >= 0:
            tail += len(word) - at + 2
            return head + " " + SHORT[tail : SHORT.find(" ", tail)]
        if word[at:] == "'s" and has(" it that what where who how there here he she when ", head):
            return head + " is"
    return word
