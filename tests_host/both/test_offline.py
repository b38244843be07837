import claw_caps
from bothlib import Channel, read, run, tmpdir
from claw_core import model_offline
from claw_core.agent import Agent
from claw_core.capability import Capabilities
from claw_core.config import Config
from claw_core.events import Event
from claw_memory import jsonio, limits
from claw_memory.errors import NoSpace
from claw_memory.memory import Memory


class Board:
    """A memory with the capabilities, an agent and the offline model, without a console."""

    def __init__(self, mode="full", root=None, note=""):
        self.root = root or tmpdir("offline")
        self.memory = Memory(self.root, mode=mode)
        config = Config(self.root + "/config.json")
        self.caps = Capabilities()
        claw_caps.register_all(self.caps, self.memory, config)

        def find(text, limit):
            return model_offline.search(self.memory, text, limit)

        model = model_offline.OfflineModel(find, note)
        self.channel = Channel()
        self.agent = Agent(self.memory, self.caps, model, model, [self.channel], config)

    def say(self, text):
        """The answer to one message; self.tools are the calls that it took."""
        self.channel.shown = []
        run(self.agent.handle(Event("serial", "0", text)))
        assert not self.channel.of("error"), self.channel.shown
        self.tools = self.channel.of("tool")
        answer = self.channel.text()
        assert "offline" in answer or "离线" in answer, answer
        return answer

    def known(self):
        return sorted([item.content for item in self.memory.longterm.list()])


def test_what_is_told_is_found_after_a_restart():
    board = Board()
    said = board.say("my cat is called Pixel and I take oat milk in my coffee")
    assert board.tools == ["memory_store", "memory_store"]
    assert "Remembered: my cat is called Pixel" in said
    assert ["Memory update: [pet;food]"] == board.channel.of("note")
    board.memory.close()
    board = Board(root=board.root)
    said = board.say("what do you know about me?")
    assert "Pixel" in said and "oat milk" in said
    said = board.say("what is my cat called?")
    assert "Pixel" in said and "oat" not in said
    assert board.known() == ["I take oat milk in my coffee", "my cat is called Pixel"]


def test_chinese():
    board = Board()
    said = board.say("我叫李雷，我对花生过敏，请记住明天下午三点开会")
    assert said.count("已记住") == 3, said
    assert board.channel.of("note") == ["Memory update: [姓名;健康;计划]"]
    assert "李雷" in board.say("我叫什么名字？")
    assert "花生" in board.say("我对什么过敏")
    assert "三点" in board.say("明天有什么安排？")
    said = board.say("你都知道我什么？")
    assert "李雷" in said and "花生" in said and "三点" in said


def test_remembered_is_said_only_when_it_was():
    board = Board()
    board.say("I live in Yorkshire")
    assert "already knew" in board.say("I live in Yorkshire")
    for ask, answer in (
        ("How are you", "cannot really talk"),
        ("thanks", "welcome"),
        ("what is my shoe size?", "nothing"),
        ("flurble wurble", "remember that"),
    ):
        said = board.say(ask)
        assert answer in said and "emembered" not in said, said
    assert board.known() == ["I live in Yorkshire"]

    def full(content, *args, **kwargs):
        raise NoSpace("the flash is full")

    board.memory.longterm.store = full
    said = board.say("my dog is called Rex")
    assert "Not stored" in said and "emembered" not in said
    assert "没有记住" in board.say("我的狗叫旺财")


def test_what_is_stored_is_what_was_typed():
    for mode in ("full", "lightweight"):
        board = Board(mode)
        for told, text in (
            ("my password is p@ss;word,1", "my password is p@ss;word,1"),
            ("remember that 3 < 5 and 5 > 3", "3 < 5 and 5 > 3"),
            ("remember that my motto is “Carpe diem”", "my motto is “Carpe diem”"),
            ("the code of the router is hunter2!", "the code of the router is hunter2!"),
            (
                "my website is https://example.com/a?b=c.",
                "my website is https://example.com/a?b=c",
            ),
            ("请记住：花园的牌子写着“停！”", "花园的牌子写着“停！”"),
        ):
            said = board.say(told)
            assert (": " + text in said or "：" + text in said) and len(board.tools) == 1, said
            if mode == "full":
                assert text in board.known(), board.known()
            else:
                assert "- " + text + "\n" in read(board.memory.memory_dir + "/MEMORY.md").decode()
    board = Board()
    text = "the box (" + "with things in it, " * 16 + 'has "a name")'
    board.say("remember that " + text)
    assert len(board.known()) == 2 and sorted(board.known()) == sorted(
        [text[: len(c)] if text.startswith(c) else text[-len(c) :] for c in board.known()]
    )


def test_what_is_not_to_be_remembered_is_not_stored():
    board = Board()
    for text in (
        "don't remember that my cat is called Zed and my dog is called Rex",
        "please do not remember my shoe size 43",
        "never remember that I live in York",
    ):
        said = board.say(text)
        assert "stored nothing" in said and "/memory forget" in said and not board.tools, said
    for text in ("不要记住我的猫叫小黑", "别记我住在上海"):
        said = board.say(text)
        assert "没记" in said and "/memory forget" in said and not board.tools, said
    assert board.known() == []
    assert "Remembered: my cat is called Zed" in board.say("don't forget my cat is called Zed")


def test_a_number_or_quoted_name_that_is_not_known_is_not_answered_with_others():
    board = Board()
    for i in range(1, 9):
        board.say("the code of vault %d is %d" % (i, 4000 + i))
    board.say("保险库一的密码是2233")
    for ask in (
        "what is the code of vault 99?",
        "what is the code of vault 400?",
        'what is the code of vault "Alpha"?',
        "what is the code of “vault 99”?",
        "保险库99的密码是什么？",
    ):
        said = board.say(ask)
        assert "nothing about that one. Similar" in said or "这一个我没记；相近" in said, (
            ask,
            said,
        )
        assert 0 < said.count("\n- ") <= 3, (ask, said)
    for ask, found in (
        ("what is the code of vault 7?", "4007"),
        ('what is the code of "Vault 7"?', "4007"),
        ("which vault has the code 4003?", "vault 3"),
    ):
        said = board.say(ask)
        assert "This is what I have:\n- " in said and found in said.split("\n")[1], (ask, said)
    assert "I have nothing" in board.say("what is my shoe size 43?")


def test_corrections_replace_what_they_correct():
    board = Board()
    board.say("my cat is called Pixel. My sister is called Anna. I live in Yorkshire")
    assert "Corrected" in board.say("actually my cat is called Nova")
    assert board.tools == ["memory_update"]
    assert "Corrected" in board.say("no, I moved to Leeds")
    assert board.known() == [
        "I moved to Leeds",
        "My sister is called Anna",
        "my cat is called Nova",
    ]
    # not clear which memory is meant: nothing is replaced
    board.say("no, my sister lives in Hull")
    board.say("actually my dog is called Rex")
    assert len(board.known()) == 5
    assert "Nova" in board.say("what is my cat called?")
    board.say("我住在北京")
    assert "已更正" in board.say("不，我搬到上海了")
    assert "我住在北京" not in board.known()


def test_what_one_has_one_of_is_replaced_when_put_right():
    for first, then, left in (
        ("my name is Max", "no, my name is Zack", 1),
        ("I'm Max", "not Max, my name is Zack Miller", 1),
        ("my name is Max", "my name is Zack", 2),  # not said to be a correction
        ("my name is Max", "actually I'm British", 2),
        ("I live in York", "no, I work in York", 2),
        ("I'm 34 years old", "sorry, I'm 35", 1),
        ("I'm 34", "actually I'm 35 years old", 1),
        ("my birthday is 3 May", "wait, my birthday is 4 June", 1),
        ("my cat is called Max", "no, my cat's name is Kit", 1),
        ("my dad is called Max", "no, my cat is called Max", 2),
        ("我的生日是五月三日", "不对，我的生日是六月十二号", 1),
    ):
        board = Board()
        board.say(first)
        said = board.say(then)
        assert ("orrected" in said or "已更正" in said) == (left == 1), (then, said)
        assert len(board.known()) == left, board.known()
    board = Board()
    board.say("my phone number is 555-1234")
    assert "stored nothing" in board.say("scrap that, it's 555-0000")


def test_what_holds_no_longer_is_replaced():
    for first, then, left in (
        ("I'm allergic to nuts", "I am no longer allergic to nuts", 1),
        ("I live in York", "I don't live in York any more", 1),
        ("I live in York", "I don't live in Leeds any more", 2),
        ("my sister works at Tesco", "I no longer work at Tesco", 2),
        ("我对花生过敏", "我不再对花生过敏了", 1),
        ("我住在北京", "我不住在北京了", 1),
        ("我住在上海", "我不住在北京了", 2),
    ):
        board = Board()
        board.say(first)
        board.say(then)
        assert then in board.known(), board.known()
        assert len(board.known()) == left, board.known()


def test_commands_in_plain_words():
    board = Board()
    said = board.say("how is the board?")
    assert board.tools == ["system_info"] and "Version " in said and "storage" in said
    assert "版本" in board.say("状态") and board.tools == ["system_info"]
    for ask, answer in (
        ("what can you do", "/help"),
        ("帮助", "/help"),
        ("show settings", "/config show"),
        ("显示设置", "/config show"),
        ("reset the board", "/reset"),
        ("重启", "/reset"),
        ("exit", "/exit"),
        ("退出", "/exit"),
    ):
        assert answer in board.say(ask) and not board.tools, ask
    assert board.known() == []


def test_forgetting():
    board = Board()
    board.say("my cat is called Pixel. my cat likes tuna. I live in York.")
    said = board.say("forget my cat")
    assert "Which one" in said and "tuna" in said and len(board.known()) == 3
    assert "Forgotten" in board.say("forget that my cat likes tuna")
    assert board.tools == ["memory_forget"]
    assert "nothing" in board.say("forget my shoe size")
    assert "one by one" in board.say("forget everything")
    assert board.known() == ["I live in York", "my cat is called Pixel"]
    board.say("我对花生过敏")
    assert "已忘记" in board.say("忘记我对花生过敏")
    board.say("我叫王伟")
    assert "已忘记" in board.say("把我的名字忘了")
    assert len(board.known()) == 2


def test_only_what_has_all_words_of_the_request_is_forgotten():
    for told, then, request in (
        ("my locker code is 5678", "", "forget my bike code"),
        ("my garage code is 123456", "", "forget that my garage code is 123457"),
        ("my dog is called Rex", "no, my dog is called Max", "forget that my dog is called Rex"),
        ("I live in Berlin", "no, I live in Hamburg", "forget that I live in Berlin"),
        ("我住在上海", "", "忘记我住在北京"),
        ("my dog is called Rex", "", "forget my cat"),
        ("my sister is called Anne", "", "forget that my sister is called Ann"),
        ("I am not allergic to nuts", "", "forget that I am allergic to nuts"),
        ("I hate tea", "", "forget that I like tea"),
    ):
        board = Board()
        board.say(told)
        if then:
            board.say(then)
        said = board.say(request)
        item = list(board.memory.longterm.list())[0]
        assert board.tools == [] and board.known() == [then[4:] or told], (request, said)
        assert item.content + " (/memory forget %s)" % item.id in said, said
    board = Board("lightweight")
    board.say("my locker code is 5678")
    said = board.say("forget my bike code")
    assert "Forgotten" not in said and "5678" in said
    assert b"5678" in read(board.memory.memory_dir + "/MEMORY.md")


def test_what_was_forgotten_is_told_in_its_own_words():
    for mode in ("full", "lightweight"):
        for told, request in (
            ("my locker code is 5678", "forget my locker code"),
            ("I live in York", "forget where I live"),
            ("I'm 34 years old", "forget my age"),
            ("I work at Tesco", "please forget my job"),
            ("I'm allergic to peanuts", "forget my allergies"),
            ("my dog is called Max", "forget the name of my dog"),
            ("my name is Zack", "forget my name"),
        ):
            board = Board(mode)
            board.say(told)
            assert "Forgotten: " + told in board.say(request), request
            assert "know nothing" in board.say("what do you know about me?")
    board = Board()
    board.say("我住在上海")
    assert "已忘记：我住在上海" in board.say("忘记我住在哪里")


def test_what_is_said_word_for_word_is_what_is_forgotten():
    board = Board()
    board.say("I am allergic to nuts")
    board.say("I am not allergic to nuts")
    assert "Forgotten: I am allergic" in board.say("forget that I am allergic to nuts")
    assert board.known() == ["I am not allergic to nuts"]


def test_a_value_alone_puts_right_the_one_memory_that_it_fits():
    for first, then, left in (
        ("I was born on 3 May 1990", "no, 4 May 1990", "I was born on 4 May 1990"),
        ("I was born on 3 May 1990", "sorry, it's 12 June 1990", "I was born on 12 June 1990"),
        ("I was born on 3 May 1990", "no, not 3 May, 4 May", "I was born on 4 May 1990"),
        ("my dog is called Rex", "no, Max, not Rex", "my dog is called Max"),
        ("my name is Max Mueller", "no, Max Miller", "my name is Max Miller"),
        ("我的猫叫小黑", "不是小黑，是小花", "我的猫叫小花"),
        ("我的猫叫小黑", "不对，是小花，不是小黑", "我的猫叫小花"),
        ("我的生日是五月三日", "不对，是六月十二日", "我的生日是六月十二日"),
        ("我六点上班", "不对，七点", "我七点上班"),
    ):
        for mode in ("full", "lightweight"):
            board = Board(mode)
            board.say(first)
            said = board.say(then)
            assert left in said and ("orrected" in said or "已更正" in said), (then, said)
            if mode == "full":
                assert board.tools == ["memory_update"] and board.known() == [left]
            else:
                text = read(board.memory.memory_dir + "/MEMORY.md").decode()
                assert "- " + left in text and first not in text, text
    said = board.say("不对，七点")
    assert "已经知道：我七点上班" in said
    board = Board()
    board.say("I was born on 3 May 1990. No, 4 May 1990")
    assert board.known() == ["I was born on 4 May 1990"]


def test_a_value_alone_that_fits_no_memory_or_several_is_not_stored():
    for first, then in (
        ("I like tea", "no, 4 May 1990"),
        ("I was born on 3 May 1990. My sister was born on 7 May 1990", "no, 4 May 1990"),
        ("my train leaves in 3 weeks", "no, in 2019"),
        ("my dog is called Rex", "no, Max"),
        ("my dog is called Rex. My cat is called Rex", "no, not Rex, Max"),
        ("I live in York", "sorry, Leeds"),
        ("我的猫叫小黑。我的狗叫小黑", "不是小黑，是小花"),
        ("我的狗叫旺财", "不是小黑，是小花"),
        ("我六点上班", "不对，小花"),
    ):
        board = Board()
        board.say(first)
        known = board.known()
        said = board.say(then)
        assert "stored nothing" in said or "什么都没改" in said, (then, said)
        assert board.tools == [] and board.known() == known, (then, board.known())


def test_a_correction_to_what_is_known_ends_the_other():
    for first, second in (
        ("my dog is called Rex", "my dog is called Max"),
        ("I am allergic to nuts", "I am not allergic to nuts"),
        ("I like tea", "I don't like tea"),
        ("I live in Berlin", "I live in Hamburg"),
    ):
        for mode in ("full", "lightweight"):
            board = Board(mode)
            board.say(first)
            board.say("no, " + second)
            board.say(first)
            said = board.say("no, " + second)
            assert board.tools == ["memory_forget" if mode == "full" else "files_edit"]
            if mode == "full":
                assert "Corrected, I now have: " + second in said
                assert board.known() == [second]
            else:
                text = read(board.memory.memory_dir + "/MEMORY.md").decode()
                assert "- " + second in text and "- " + first not in text, text
            assert "orrected" not in board.say("no, " + second)
    board = Board()
    board.say("I like tea. I like milk")
    board.say("no, I like tea")
    assert board.known() == ["I like milk", "I like tea"]


def test_pasted_text_is_not_stored():
    board = Board()
    for text in (
        "my diary says " + "word " * 1500,
        "my diary says " + "word " * 30,
        "Lorem ipsum dolor sit amet is my text. Sed do 3 things. " * 60,
        "我的日记写着" + "字" * 500,
    ):
        said = board.say(text)
        assert "short sentences" in said or "短句" in said, said
        assert board.tools == [] and board.known() == []
    said = board.say("my diary says " + "word " * 30 + ". I live in York")
    assert "short sentences" in said and board.known() == ["I live in York"]
    for text in ("please remember that I ", "请记住我的"):
        board = Board()
        board.say(text + "have things in the blue box, " * 15)
        assert board.known() and "short sentences" not in board.channel.text(), text


def test_many_facts_take_rounds_of_three():
    board = Board()
    facts = ["my number %d is %d%d" % (i, i + 3, i * 7) for i in range(7)]
    said = board.say(". ".join(facts) + ".")
    assert board.tools == ["memory_store"] * 7
    assert said.count("emembered") == 7
    assert board.known() == facts


def test_long_facts_are_cut_between_words():
    board = Board()
    said = board.say("remember that " + "the blue box holds things " * 16)
    for content in board.known():
        assert len(content.encode()) <= limits.CONTENT_BYTES
        assert content.split()[-1] in "the blue box holds things".split()
    assert "emembered" in said
    board.say("请记住" + "蓝色的盒子里有很多东西，" * 30)
    assert max([len(c.encode()) for c in board.known()]) <= limits.CONTENT_BYTES
    assert "too long" in board.say("remember this: " + "my box is blue. " * 400)


def test_sessions_and_time_in_plain_words():
    board = Board()
    board.say("hello")
    board.say("start a new session")
    assert board.tools == ["session_command"]
    names = board.memory.names
    assert names.current("chat:serial:0") == "chat:serial:0:default_02"
    assert "default_01" in board.say("list my sessions")
    board.say("switch to session default_01")
    assert names.current("chat:serial:0") == "chat:serial:0:default_01"
    for ask in ("what time is it?", "what's the time?"):
        board.say(ask)
        assert board.tools == ["time_now"]
    assert "20" in board.say("现在几点了？")


def test_a_statement_and_a_question_in_one_message():
    board = Board()
    board.say("the spare key is under the pot")
    said = board.say("Hi! I'm Sam. Where is the spare key?")
    assert "Remembered: I'm Sam" in said and "under the pot" in said


def test_lightweight_mode_keeps_lines_in_memory_md():
    board = Board("lightweight")
    path = board.memory.memory_dir + "/MEMORY.md"
    assert "know nothing" in board.say("what do you know about me?")
    assert "Remembered" in board.say("my cat is called Pixel")
    assert board.tools == ["files_edit"]
    assert b"- my cat is called Pixel\n" in read(path)
    assert "already knew" in board.say("My cat is called Pixel")
    assert "Pixel" in board.say("what is my cat called?")
    board.say("actually my cat is called Nova")
    assert read(path).count(b"my cat is called") == 1 and b"Nova" in read(path)
    board.say("I live in Leeds")
    assert "Leeds" in board.say("what do you know about me?")
    assert "Forgotten" in board.say("forget that I live in Leeds")
    assert b"Leeds" not in read(path)


def test_the_note_is_in_every_answer():
    board = Board(note="The server did not answer.")
    for text in ("hi", "thanks", "I live in Hull", "where do I live?"):
        assert "The server did not answer." in board.say(text)


class Request:
    """A request of a driver that answers tool calls by itself."""

    def __init__(self, text, tools):
        self.user_text = text
        self._tools = tools
        self._messages = [jsonio.obj("role", "user", "content", text)]

    def messages(self):
        for message in self._messages:
            yield jsonio.dumps(message).encode()

    def tool_rows(self):
        return [(name, "", "{}") for name in self._tools]

    def answer(self, reply, results):
        self._messages.append(reply.raw)
        for call, text in zip(reply.calls, results):
            self._messages.append(
                jsonio.obj("role", "tool", "tool_call_id", call[0], "content", text)
            )


class Sink:
    def text(self, piece):
        pass


def ask(request):
    model = model_offline.OfflineModel(lambda text, limit: [])
    return run(model.ask(request, Sink()))


def test_the_results_decide_what_is_said():
    for result, word in (
        ('{"ok":true,"action":"memory_store","changed":true}', "Remembered"),
        ('{"ok":true,"changed":true} [a hint of the loop]', "Remembered"),
        ('{"ok":true,"action":"memory_store","changed":false}', "already knew"),
        ('{"ok":false,"error":"memory_store_failed","code":"no_space"}', "no_space"),
        ("garbage", "Not stored"),
    ):
        request = Request("my dog is called Rex", ["memory_store"])
        reply = ask(request)
        assert [call[1] for call in reply.calls] == ["memory_store"]
        args = jsonio.loads(reply.calls[0][2])
        assert args["content"] == "my dog is called Rex" and args["tags"] == "pet"
        request.answer(reply, [result])
        reply = ask(request)
        assert not reply.calls and word in reply.text, reply.text


def test_without_tools_nothing_is_claimed():
    said = ask(Request("my dog is called Rex", [])).text
    assert "Not stored" in said and "emembered" not in said


def test_what_is_archived_is_found_when_nothing_else_fits():
    whole, limits.ITEMS = limits.ITEMS, 3
    try:
        board = Board()
        board.say("my safe code is 4471")
        for told in ("my cat is called Pixel", "I live in Bergen", "I work at a bakery"):
            board.say(told)
        for _ in range(2):
            assert not [content for content in board.known() if "4471" in content]
            assert "4471" in board.say("what is my safe code?")
            assert "4471" not in board.say("what is my cat called?")
            board.memory.longterm.compact()
        board.say("forget my safe code")
        assert "4471" not in board.say("what is my safe code?")
    finally:
        limits.ITEMS = whole
