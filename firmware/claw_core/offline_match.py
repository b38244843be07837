"""Topics, keywords, and how well a memory fits a question, by words and Chinese characters."""

from claw_core import offline_words as words
from claw_core.offline_words import chinese, has, is_cjk, low_word, plain
from claw_memory import text as bytetext

_STOPZH = "我你您的是了在吗呢啊吧么什谁哪几怎多少有叫个这那和跟对也都不很它他她们请把被就"
_STOP = (
    " a an the i me my mine we our us you your it is are am was were be been do does did not have"
    " has had can could will would should what who where when which how why of in on at to for"
    " from with about and or but that this there call called name named know remember tell please"
    " any some if so as by he she they his her their go goes get out no yes than then into up im"
    " forget all now want say let like whose's kind s m t re ve don doesn actually really also"
    " much many "
)
# tag, Chinese tag, English beginnings of words (with a dot: whole words, an s may follow), Chinese
_TOPICS = (
    "name,姓名,my.name. call.me. i.am.called i'm.called nickname,我叫 名字 叫我 我姓 称呼 姓名",
    "pet,宠物,cat. dog. puppy kitten hamster rabbit parrot pony. horse. tortoise budgie"
    " goldfish pet.,猫 狗 宠物 兔 仓鼠 鹦鹉 金鱼 乌龟",
    "birthday,生日,birthday born. years.old how.old,生日 出生 岁 多大",
    "health,健康,allerg asthma diabet medic pill. blood doctor dentist migraine intoleran"
    " coeliac celiac pregnan,过敏 病 药 糖尿 血压 医生 牙医 怀孕",
    "family,家人,wife husband partner mum. mom. dad. mother father sister brother son. daughter"
    " kid. child gran aunt uncle cousin parent girlfriend boyfriend fianc married,妻 老婆 丈夫"
    " 老公 妈 爸 父 母 姐 哥 弟 妹 儿子 女儿 孩子 爷爷 奶奶 结婚 女朋友 男朋友",
    "access,密码,password passcode wifi wi-fi pin. key. code.,密码 钥匙",
    "plan,计划,tomorrow tonight next. appointment meeting deadline flight trip. bin. going.to"
    " plan holiday interview,明天 后天 下周 下个月 会议 开会 出差 航班 打算 面试",
    "food,饮食,eat. eating drink coffee tea. milk vegetarian vegan food lunch dinner breakfast"
    " cook pizza curry spic sugar meat fish. cheese chocolate beer wine olive. restaurant,吃 喝"
    " 茶 咖啡 饭 素食 菜 辣 糖 奶 肉 酒 面条 火锅 水果",
    "work,工作,work job. boss office company employ engineer developer programmer teacher"
    " nurse. student stud university school college colleague retired,工作 上班 公司 老板 同事"
    " 职业 老师 学生 大学 学校 工程师 程序员",
    "home,住址,live. living lived move moving house flat. apartment address home. postcode"
    " neighbour i'm.from am.from,住 我家 搬 地址 老家 来自",
    "preference,喜好,like. love hate prefer favourite favorite enjoy dislike can't.stand always"
    " never fan.,喜欢 爱 讨厌 习惯 兴趣 总是 从不",
)


def topic(text):
    """(tag, Chinese tag) of the topic of text; ("other", "其他") when no table knows it."""
    low = plain(text).lower()
    spaced = " " + " ".join([low_word(w) for w in low.split()]) + " "
    for row in _TOPICS:
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


def likeness(a, b):
    """How many of 100 words (Chinese: characters) of the longer text the other one has too."""
    a = _units(a)
    b = _units(b)
    shared = 0
    longest = max(len(a), len(b))
    for unit in a:
        if unit in b:
            b.remove(unit)
            shared += 1
    return shared * 100 // max(1, longest)


def _units(text):
    if chinese(text):
        return [c for c in plain(text).lower() if c.isalpha() or c.isdigit() or is_cjk(c)]
    return [w for w in [low_word(r) for r in text.split()] if w]


def own(text):
    """True when text is about the speaker in person: it starts with I, my or the like."""
    text = plain(text).lower()
    return text[:1] in words.ZH_ME or has(words.FIRST, low_word(text.split(" ")[0]))


def search(memory, wanted, limit):
    """A find() over all of memory, in both modes: by words and topic; the first ones for ""."""
    if memory.longterm is None:
        items = _lines(memory.memory_dir + "/MEMORY.md")
    else:
        items = memory.longterm.list()
    if wanted:
        return [item for _, item in best(items, wanted, limit)]
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
                line = bytetext.trim(bytetext.clean_bytes(line))
                if line[:1] in ("-", "*") and len(line) > 2:
                    found = _Line(bytetext.trim(line[1:]))
                    found.tags = topic(found.content)[0]
                    yield found
    except OSError:
        return
