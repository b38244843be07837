import offline_sentences
from bothlib import ON_DEVICE
from claw_core import offline_match as match
from claw_core import offline_words as words


def judged(text):
    """[(kind, content)] of a message, an announced correction carried over as in the model."""
    out = []
    fixing = False
    for sentence in words.sentences(text):
        kind, content = words.classify(sentence, fixing)
        fixing = kind == words.FIX and not content
        out.append((kind, content))
    return out


def facts(text):
    return [c for kind, c in judged(text) if c and kind in (words.FACT, words.FIX)]


def kinds(text):
    return [kind for kind, _ in judged(text)]


def lines(block):
    return block.split("\n")


def test_statements_give_facts():
    lost = [line for line in lines(offline_sentences.FACTS) if not facts(line)]
    assert not lost, lost


def test_questions_give_no_facts():
    stored = [line for line in lines(offline_sentences.QUESTIONS) if facts(line)]
    assert not stored, stored


def test_small_talk_gives_no_facts():
    stored = [line for line in lines(offline_sentences.TALK) if facts(line)]
    assert not stored, stored


def test_marks_and_capitals_make_no_difference():
    for line in lines(offline_sentences.FACTS):
        if "\n" not in line and line[-1] not in ".。？?":
            assert facts(line + "."), line
    for line in lines(offline_sentences.QUESTIONS):
        low = line.rstrip("?.")
        if low and not words.chinese(low):
            assert not facts(low + "?"), line
            assert not facts(low.upper() + "?"), line


def test_facts_keep_the_words_of_the_user():
    for text, wanted in (
        ("Please remember that the bin goes out on Tuesday.", ["the bin goes out on Tuesday"]),
        (
            "my cat is called Pixel and I take oat milk",
            ["my cat is called Pixel", "I take oat milk"],
        ),
        ("I love my cat and my dog", ["I love my cat and my dog"]),
        ("My wife Anna and I live in Leeds", ["My wife Anna and I live in Leeds"]),
        ("hi, I'm Priya and I'm a vet", ["I'm Priya", "I'm a vet"]),
        ("When I get home, I drink tea", ["When I get home, I drink tea"]),
        ("Dr. Patel is my GP. He is nice.", ["Dr. Patel is my GP"]),
        ("by the way, my pin hint is 3.5", ["my pin hint is 3.5"]),
        ("My size is “medium”", ["My size is “medium”"]),
        ("你好，我叫李雷，我对花生过敏。", ["我叫李雷", "我对花生过敏"]),
        ("请记住：明天下午三点开会！", ["明天下午三点开会"]),
        ("我养了一只狗，叫旺财", ["我养了一只狗，叫旺财"]),
        ("能帮我记住我周三要看牙医吗？", ["我周三要看牙医"]),
        ("我ｌｉｋｅ茶", ["我ｌｉｋｅ茶"]),
    ):
        assert facts(text) == wanted, (text, facts(text))


def test_what_is_stored_is_what_was_typed():
    for text in (
        "my password is p@ss;word,1",
        "my password is a!b?c;d",
        "my password is <secret>",
        "my door code is 12#34*",
        "my wifi code is a  b",
        "my website is https://example.com/a?b=c&d=e",
        'the password of the router is "x?y"',
        "the password of the router is “x? y”",
        'my motto is "I came, I saw"',
        'the sign in my hall says "Stop! Go. Wait; now" and "Go"',
        "the wifi of the cellar is “Keller-7”",
        "我的密码是p@ss;word!1?x",
        "我的座右铭是“停。走！”",
        "“花”是我的座右铭",
    ):
        assert facts(text) == [text], (text, judged(text))
        assert facts(text + ". ") == [text], text
        lead = "请记住：" if words.chinese(text) else "please remember that "
        assert facts(lead + text) == [text], (text, judged(lead + text))
    for text, wanted in (
        ("remember that 3 < 5 and 5 > 3", "3 < 5 and 5 > 3"),
        ("remember that my rating is > 5", "my rating is > 5"),
        ("remember that -5 is my limit", "-5 is my limit"),
        ("note: - buy milk", "buy milk"),
        ('The door says "Welcome".', 'The door says "Welcome"'),
        ('can you remember that the door says "Welcome"?', 'the door says "Welcome"'),
        ("remember that the password of the NAS is abc.", "the password of the NAS is abc"),
        ("remember that the password is hunter2!", "the password is hunter2!"),
        ("remember that it is called hunter2!", "it is called hunter2!"),
        ("my licence key is abcd!", "my licence key is abcd!"),
        ("我的密码是abcd!", "我的密码是abcd!"),
        ("My name is Ann!", "My name is Ann"),
        ("I love hockey!!", "I love hockey"),
        ("请记住我的猫叫小黑！", "我的猫叫小黑"),
        ("我三点开会，在3号楼!", "我三点开会，在3号楼"),
    ):
        assert facts(text) == [wanted], (text, judged(text))
    for text, wanted in (
        ("I like tea; my dog is called Rex; I", ["I like tea", "my dog is called Rex"]),
        ("I like tea! My dog is called Rex", ["I like tea", "my dog is called Rex"]),
        ('my sink is 5" deep. My cat is 6" tall', ['my sink is 5" deep', 'my cat is 6" tall']),
        ("你好!我叫李雷；我喜欢茶，我住在上海", ["我叫李雷", "我喜欢茶", "我住在上海"]),
    ):
        assert [f.replace("My", "my") for f in facts(text)] == wanted, (text, judged(text))


def test_only_a_question_mark_at_the_end_asks():
    for text in (
        'do you know what "x?y" means?',
        'is my cat called "Pixel?"',
        "is my cat called “Pixel”? ",
        "what is at https://example.com/a?b=c?",
        "I live where?.",
    ):
        assert kinds(text) == [words.ASK], (text, judged(text))


def test_what_is_not_to_be_remembered_is_no_fact():
    for text in (
        "don't remember that my cat is called Zed",
        "Dont remember that my cat is called Zed and my dog is called Rex",
        "don't remember my shoe size 43.",
        "do not remember that I like tea, and I hate milk!",
        "never remember my shoe size 43",
        "please don't remember that my cat is called Zed",
        "No, please do not remember my age",
        "I want you to not remember my age",
        "don't store my PIN 4321",
        "不要记住我的猫叫小黑",
        "请不要记住，我的猫叫小黑",
        "别记我的鞋码是43",
        "请别记住我的猫叫小黑。",
    ):
        assert kinds(text) == [words.SKIP], (text, judged(text))
    for text, kind in (
        ("don't forget that my cat is called Zed", words.FACT),
        ("never forget that my cat is called Zed", words.FACT),
        ("remember not to call me Zed", words.FACT),
        ("Never call me before 9", words.FACT),
        ("I don't remember his name", words.TALK),
        ("don't you remember my name?", words.ASK),
        ("别忘了我下午三点有会", words.FACT),
        ("我不记得他的名字", words.ASK),
    ):
        assert kinds(text) == [kind], (text, judged(text))


def test_corrections_are_seen():
    for text in (
        "actually my cat is called Nova",
        "No, I moved to Leeds",
        "no I moved to Leeds",
        "That's wrong. My dog is called Bella",
        "sorry, my flight is at 7",
        "不，我搬到上海了",
        "不对。我的生日是六月一号",
        "其实我的猫叫小白",
        "not Tom, my name is Bill",
    ):
        assert kinds(text)[-1] == words.FIX, text
    for text in (
        "no sugar in my tea",
        "I actually like tea",
        "no longer my job",
        "不吃香菜的是我",
    ):
        assert words.FIX not in kinds(text), text


def test_a_value_alone_is_no_fact():
    for text in ("no, 4 May 1990", "sorry, at 5pm", "no, Max", "Wait, it's Leeds", "不对，小花"):
        assert kinds(text) == [words.MEND], text
    for text in ("不是小黑，是小花", "不对，不是三号，是四号", "no, not tea but coffee"):
        assert kinds(text) == [words.MEND], text
    for text in (
        "no, Thanks",
        "no, never",
        "4 May 1990",
        "not Tom, my name is Bill",
        "no, my sister lives in Hull",
        "no, dentist Tuesday 10am",
        "不是我，是他",
        "不是",
        "是不是",
        "不，谢谢",
        "不对，我的生日是六月一号",
    ):
        assert words.MEND not in kinds(text), text


def test_requests():
    for text, kind, content in (
        ("forget that I take oat milk", words.LOSE, "I take oat milk"),
        ("please forget about my cat.", words.LOSE, "my cat"),
        ("can you delete the memory about my job?", words.LOSE, "my job"),
        ("忘记我对花生过敏", words.LOSE, "我对花生过敏"),
        ("请忘掉关于小黑的事", words.LOSE, "小黑"),
        ("forget everything", words.WIPE, None),
        ("忘记一切", words.WIPE, None),
        ("start a new session", words.SESSION, "new"),
        ("open a new chat called work", words.SESSION, "new work"),
        ("list my sessions", words.SESSION, "list"),
        ("switch to session work", words.SESSION, "switch work"),
        ("go back to the default_01 session", words.SESSION, "switch default_01"),
        ("delete session work", words.SESSION, "delete work"),
        ("新建会话", words.SESSION, "new"),
        ("列出会话", words.SESSION, "list"),
        ("切换到会话 work", words.SESSION, "switch work"),
        ("what do you know about me?", words.ALL, None),
        ("list my memories", words.ALL, None),
        ("who am I", words.ALL, None),
        ("你都知道我什么？", words.ALL, None),
        ("what time is it", words.TIME, None),
        ("现在几点了？", words.TIME, None),
        ("thanks!", words.THANKS, None),
        ("谢谢", words.THANKS, None),
        ("switch back to session work", words.SESSION, "switch work"),
        ("切换到会话 kitchen_plans_2026", words.SESSION, "switch kitchen_plans_2026"),
        ("show this session", words.SESSION, "show"),
        ("显示当前会话", words.SESSION, "show"),
        ("help", "help", None),
        ("What can you do?", "help", None),
        ("帮助", "help", None),
        ("你能做什么？", "help", None),
        ("status", words.STATUS, None),
        ("how's the board?", words.STATUS, None),
        ("状态", words.STATUS, None),
        ("show me the settings please", "settings", None),
        ("显示设置", "settings", None),
        ("can you restart the board", "reset", None),
        ("请重启一下", "reset", None),
        ("quit", "exit", None),
        ("退出", "exit", None),
    ):
        got = judged(text)[-1]
        assert got[0] == kind, (text, got)
        assert content is None or got[1] == content, (text, got)
    for text in (
        "help me move the sofa",
        "my status is single",
        "重启对我没有帮助",
        "board games",
    ):
        assert kinds(text)[0] not in ("help", "status", "reset"), text
    for text in ("forget it", "don't forget me", "I forget names", "算了"):
        assert words.LOSE not in kinds(text), text


def test_topics_and_keywords():
    for text, tag in (
        ("my cat is called Pixel", ("pet", "宠物")),
        ("I take oat milk in my coffee", ("food", "饮食")),
        ("我住在上海", ("home", "住址")),
        ("I'm allergic to cats", ("pet", "宠物")),
        ("call me Sam", ("name", "姓名")),
        ("the boiler hums", ("other", "其他")),
    ):
        assert match.topic(text) == tag, text
    assert match.keywords("my cat is called Pixel") == "Pixel,cat"
    assert match.keywords("我对花生过敏") == "花生过敏"
    for text in lines(offline_sentences.FACTS):
        found = match.keywords(text)
        for word in found.split(","):
            assert word in words.plain(text), (text, found)


class Memory:
    def __init__(self, content, tags=""):
        self.content = content
        self.tags = tags


def best(question, *contents):
    items = [Memory(c, match.topic(c)[0]) for c in contents]
    return [item.content for _, item in match.best(items, question)][:1]


def test_questions_find_what_fits():
    known = (
        "my cat is called Pixel",
        "I live in Yorkshire",
        "I'm allergic to peanuts",
        "my sister works at Tesco",
        "the bin goes out on Tuesday",
        "我的猫叫小黑",
        "我对花生过敏",
        "备用钥匙在花盆下面",
    )
    for question, answer in (
        ("what is my cat called?", 0),
        ("where do I live", 1),
        ("where am i living", 1),
        ("do I have any allergies", 2),
        ("where does my sister work", 3),
        ("when do the bins go out", 4),
        ("我的猫叫什么？", 5),
        ("我对什么过敏", 6),
        ("钥匙放在哪里", 7),
    ):
        assert best(question, *known) == [known[answer]], question
    assert best("what is my shoe size", *known) == []


def test_likeness():
    assert match.likeness("my cat is called Nova", "My cat is called Pixel.") == 80
    assert match.likeness("我的猫叫小白", "我的猫叫小黑") == 83
    assert match.likeness("a b", "c d") == 0


def test_any_text_is_survived():
    odd = [
        "",
        " ",
        "?",
        "。",
        "🙂🙂",
        "\x00\x01",
        "'",
        "''''",
        "-",
        "，，，",
        "我",
        "I",
        "my",
        "no",
        "不",
    ]
    odd += [
        "remember",
        "forget",
        "记住",
        "忘记",
        "a" * 3000,
        "我" * 3000,
        "i " * 1000,
        "? " * 1000,
    ]
    odd += [
        "İstanbul is my home",
        "ſ",
        "my “cat” is…",
        "こんにちは",
        "안녕하세요",
        "Привет",
        "the",
        "if",
    ]
    for text in odd:
        judged(text)
        match.keywords(text)
        match.topic(text)
    for line in lines(offline_sentences.FACTS)[:: 9 if ON_DEVICE else 1]:
        for end in range(len(line)):
            judged(line[:end])
