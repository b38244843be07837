"""What was forgotten is hidden; where memories came from, what they were before, and undo."""

import json

from bothlib import Lowered, exists, raises, read, tmpdir, write

from claw_memory import (
    archive,
    durable,
    extract,
    forgotten,
    history,
    itemline,
    origin,
    outdated,
    pins,
    providers,
    tools,
    truth,
    undo,
)
from claw_memory.errors import InvalidArg, NoSpace, NotFound
from claw_memory.longterm import LongTerm
from claw_memory.memory import Memory
from claw_memory.sessions import FINAL, USER

_START = 1700000000


class _Store:
    """A long-term store in a fresh directory, with a clock to set."""

    def __init__(self, name):
        self.dir = tmpdir(name)
        self.now = _START
        self.notices = []
        self.open()

    def open(self):
        self.lt = LongTerm(self.dir, lambda: self.now, self.notices.append, lambda: 0)
        return self.lt

    def store(self, *args, **more):
        return self.lt.store(*args, **more)[1].id


# --- forgotten ---


def test_lines_that_tell_what_was_forgotten_are_hidden_until_the_compaction():
    s = _Store("hides")
    code = s.store("The user's door code is 4711", "home")
    s.store("The user likes green tea", "food")
    assert forgotten.texts(s.lt) == []
    s.lt.forget(code)
    for _ in range(2):  # the second time after a restart
        texts = forgotten.texts(s.lt)
        assert forgotten.hides(texts, "- 12:30 Door code: 4711")
        assert forgotten.hides(texts, "my door code is 4711, do not tell")
        assert not forgotten.hides(texts, "- 12:30 the door squeaks")
        assert not forgotten.hides(texts, "likes green tea")
        assert not forgotten.hides(texts, "")
        s.open()
    s.lt.compact()
    assert forgotten.texts(s.lt) == []


def test_what_is_told_anew_is_not_hidden():
    s = _Store("anew")
    s.lt.forget(s.store("User lives in Bergen", "home"))
    assert forgotten.hides(forgotten.texts(s.lt), "User lives in Bergen")
    s.store("User lives in Bergen!", "home")
    assert not forgotten.hides(forgotten.texts(s.lt), "User lives in Bergen")


def test_chinese_lines_are_hidden_by_pairs_of_characters():
    s = _Store("chinese")
    s.lt.forget(s.store("用户住在北京", "住址"))
    texts = forgotten.texts(s.lt)
    assert forgotten.hides(texts, "我住在北京，离公司很近")
    assert not forgotten.hides(texts, "用户喜欢喝茶")


# --- where a memory comes from ---


def _origin(s, id):
    return origin.of(s.lt.get(id))


def _member(turn, content, message):
    return origin.member("chat:serial:0:default_01", turn, content, message)


def test_an_origin_survives_reading_update_of_tags_and_compaction():
    s = _Store("origin")
    said = "Hi! My cat is called Pixel."
    id = s.store("User's cat is called Pixel", "pet", origin=_member(3, "cat called Pixel", said))
    for _ in range(2):
        assert _origin(s, id) == ("chat:serial:0:default_01", 3, True)
        s.open()
        s.lt.update(id, tags="cat")
        s.lt.compact()
    line = s.lt.read((0,))
    assert next(line).extra.startswith(
        b',"origin":{"session":"chat:serial:0:default_01","turn":3,'
    )


def test_a_new_text_has_a_new_origin_or_none():
    s = _Store("origin2")
    id = s.store("User lives in Bergen", "home", origin=_member(0, "lives Bergen", "I live there"))
    assert _origin(s, id) == ("chat:serial:0:default_01", 0, False)
    s.lt.update(id, "User lives in Oslo", origin=_member(4, "User lives in Oslo", "live in Oslo!"))
    assert _origin(s, id)[1:] == (4, True)
    s.lt.update(id, "User lives in York")
    assert _origin(s, id) is None
    # containment: the longer text takes over the item
    s.store("User lives in York with a dog", origin=_member(9, "dog", "I have a dog"))
    assert _origin(s, id)[1] == 9


def test_a_store_without_an_origin_writes_none():
    s = _Store("origin3")
    s.store("User likes tea", "food")
    assert b"origin" not in read(s.dir + "/memory_records.jsonl")


def test_an_origin_that_has_no_room_in_the_line_is_left_out():
    s = _Store("origin4")
    text = "\x01" * 100 + "x"
    id = s.store(text, "a", origin=origin.member("s" * 250, 1, text, text))
    assert _origin(s, id) is None
    assert all([len(line) < 1024 for line in read(s.lt.records).split(b"\n")])


def test_lines_with_a_damaged_origin_are_read_as_json_is():
    s = _Store("origin5")
    id = s.store("User likes tea", "food", origin=_member(3, "tea", "tea"))
    good = read(s.lt.records)
    assert itemline.split(good)[10] == _member(3, "tea", "tea")
    for bad in (b'"turn":x', b'"turn":03', b'"turn":', b'"turn":3.5', b'"turn":"3"'):
        line = good.replace(b'"turn":3', bad)
        assert itemline.split(line) is None, bad
    for odd in (b'"turn":3.5', b'"turn":"3"'):
        write(s.lt.records, good.replace(b'"turn":3', odd))
        s.open()
        assert s.lt.get(id).content == "User likes tea"
        assert _origin(s, id) is None


def test_a_fact_is_stated_when_most_of_its_words_were_said():
    for content, message, wanted in (
        ("User's cat is named Pixel", "my cat is called Pixel", True),
        ("User lives in Oslo", "I moved to Oslo", False),
        ("用户住在北京", "我住在北京", True),
        ("User likes walking", "we walked and liked it", True),
        ("User is tired", "", False),
        ("!!!", "!!!", False),
    ):
        assert origin.stated(content, message) == wanted, content


class _Memory:
    """A whole memory in a fresh directory."""

    def __init__(self, name):
        self.root = tmpdir(name)
        self.now = _START
        self.open()

    def open(self):
        self.memory = Memory(self.root, clock=lambda: self.now)
        self.lt = self.memory.longterm

    def turn(self, text, session="chat:serial:0:default_01"):
        self.memory.sessions.persist(session, [(USER, text, None)])
        turn = self.memory.sessions.turn_number(session)
        self.memory.sessions.persist(session, [(FINAL, "ok", None)], True)
        return turn

    def tool(self, name, heard, session="chat:serial:0:default_01", **args):
        return json.loads(tools.call(self.memory, name, args, session, 1, heard))


def test_tools_and_extraction_note_the_origin_and_why_finds_the_words():
    m = _Memory("why")
    m.turn("hello there")
    said = "My cat is called Pixel"
    turn = m.turn(said)
    id = m.tool("memory_store", (turn, said), content="User's cat is called Pixel")["memory_id"]
    m.turn("and then?")
    assert truth.why(m.memory, id)[1:] == (("chat:serial:0:default_01", 1, True), said)
    found = [("User enjoys music", "hobby", "music", "auto_llm", "")]
    extract.apply(m.memory, "chat:serial:0:work", "none", found, (), (0, "I sing in a choir"))
    item = m.lt.find("music")[0]
    assert truth.why(m.memory, item.id)[1:] == (("chat:serial:0:work", 0, False), "")
    new = "Pixel is no more, my cat is called Luna"
    turn = m.turn(new)
    m.tool("memory_update", (turn, new), memory_id=id, content="User's cat is called Luna")
    m.open()
    assert truth.why(m.memory, id)[1:] == (("chat:serial:0:default_01", 3, True), new)
    m.memory.sessions.delete("chat:serial:0:default_01")
    for text in ("a", "b", "c", "something else entirely"):
        m.turn(text)
    assert truth.why(m.memory, id)[2] == ""  # not the words of the conversation begun anew
    assert truth.why(m.memory, m.lt.store("A fact of the library")[1].id)[1:] == (None, "")


# --- history ---


def _texts(s, id):
    return [entry[1] for entry in history.of(s.lt, id)]


def test_texts_that_were_superseded_stay_in_the_history_of_living_items():
    s = _Store("history")
    tea = s.store("User drinks tea", "drinks")
    dog = s.store("User has a dog", "pets")
    assert _texts(s, tea) == []
    s.now += 60
    s.lt.update(tea, "User drinks coffee")
    s.lt.update(dog, "User has two dogs")
    s.lt.update(tea, tags="drinks,breakfast")
    assert _texts(s, tea) == ["User drinks tea"]
    s.lt.compact()
    for _ in range(2):
        assert history.of(s.lt, tea) == [(_START, "User drinks tea", "drinks", "drinks", "manual")]
        s.open()
    s.now += 60
    s.lt.update(tea, "User drinks water")
    assert _texts(s, tea) == ["User drinks tea", "User drinks coffee"]
    s.lt.forget(dog)
    s.lt.compact()
    assert _texts(s, tea) == ["User drinks tea", "User drinks coffee"]
    assert b"dog" not in read(s.dir + "/history.jsonl")
    raises(NotFound, history.of, s.lt, dog)


def test_a_number_that_is_damaged_costs_its_line_only():
    s = _Store("history3")
    tea = s.store("User drinks tea", "drinks")
    s.lt.update(tea, "User drinks coffee")
    s.lt.update(tea, "User drinks water")
    path = s.dir + "/memory_records.jsonl"
    data = read(path)
    for bad in (b"17000*0000", b"99999999999999999999", b"", b"1700\xad0000"):
        write(path, data.replace(b":1700000000", b":" + bad, 2))
        s.open()
        assert _texts(s, tea)[-1:] == ["User drinks coffee"], bad
        assert not outdated.superseded(s.lt)("- the user drinks water")
        assert outdated.superseded(s.lt)("- the user drinks coffee")


def test_the_history_keeps_the_newest_within_its_size():
    s = _Store("history2")
    id = s.store("Fact number 0", "x")
    with Lowered(HISTORY_FILE_BYTES=600):
        for n in range(1, 12):
            s.lt.update(id, "Fact number %d" % n)
            if n % 3 == 0:
                s.lt.compact()
        s.lt.compact()
        assert len(read(s.dir + "/history.jsonl")) <= 600
        found = _texts(s, id)
        assert 3 < len(found) < 11
        assert found == ["Fact number %d" % n for n in range(11 - len(found), 11)]


def test_older_lines_of_the_history_lose_their_labels():
    s = _Store("t_older")
    id = s.store("The bus is line 4", "bus")
    s.lt.update(id, "The bus is line 5")
    s.lt.compact()
    assert [entry[1:3] for entry in history.of(s.lt, id)] == [("The bus is line 4", "bus")]
    s.lt.update(id, "The bus is line 6")
    s.lt.compact()
    found = [entry[1:] for entry in history.of(s.lt, id)]
    assert [entry[0] for entry in found] == ["The bus is line 4", "The bus is line 5"]
    assert found[0][1:] == ("", "", "") and found[1][1] == "bus", found
    assert b"tags" not in read(s.dir + "/history.jsonl").split(b"\n")[0]


def test_a_damaged_history_costs_its_damaged_lines_only():
    s = _Store("history3")
    id = s.store("User drinks tea", "drinks")
    s.lt.update(id, "User drinks coffee")
    s.lt.compact()
    good = read(s.dir + "/history.jsonl")
    write(s.dir + "/history.jsonl", b'{"id":7}\n[1]\n\xff\x00{"id"\n' + good + good[:20])
    assert _texts(s, id) == ["User drinks tea"]
    s.lt.update(id, "User drinks water")
    s.lt.compact()
    assert _texts(s, id) == ["User drinks tea", "User drinks coffee"]


# --- undo ---


def test_undo_takes_back_a_forget_an_update_and_a_store_one_after_the_other():
    s = _Store("undo")
    s.store("User has a dog", "pets")
    s.lt.compact()
    tea = s.store("User drinks tea", "drinks")
    s.now += 60
    s.lt.update(tea, "User drinks coffee")
    s.lt.forget(tea)
    s.open()
    changed, now = undo.undo(s.lt)
    assert (changed.deleted, now.content) == (True, "User drinks coffee")
    assert s.lt.get(tea).updated_at == s.now
    s.open()
    assert undo.undo(s.lt)[1].content == "User drinks tea"
    assert s.lt.get(tea).updated_at == _START
    assert _texts(s, tea) == []
    s.open()
    changed, now = undo.undo(s.lt)
    assert (changed.content, now) == ("User drinks tea", None)
    raises(NotFound, s.lt.get, tea)
    assert [item.content for item in s.lt.list()] == ["User has a dog"]
    raises(NotFound, undo.undo, s.lt)  # the dog came with a compaction


def test_undo_works_with_the_clock_unset_and_ends_at_a_compaction():
    s = _Store("undo2")
    s.now = 0
    a = s.store("User drinks tea", "drinks")
    s.lt.forget(a)
    b = s.store("User has a dog", "pets")
    undo.undo(s.lt)
    raises(NotFound, s.lt.get, b)
    undo.undo(s.lt)
    assert s.lt.get(a).content == "User drinks tea"
    s.lt.update(a, "User drinks milk")
    s.lt.compact()
    raises(NotFound, undo.undo, s.lt)
    assert _texts(s, a) == ["User drinks tea"]


def test_undo_of_a_fact_told_anew_at_the_cap_brings_the_old_one_back():
    s = _Store("undo3")
    with Lowered(ITEMS=3):
        for n in range(4):
            s.store("Fact number %d alone" % n, "x")
            s.now += 7200
        assert s.lt.find("0") == []
        old = s.lt.read((0,))
        old = next(old).id
        new = s.store("fact number 0 alone!", "x")
        assert new != old
        undo.undo(s.lt)
        raises(NotFound, s.lt.get, new)
        assert s.lt.get(old).content == "Fact number 0 alone"
        undo.undo(s.lt)
        assert s.lt.find("3") == []


def test_what_undo_brings_back_has_its_labels_and_memory_md_forgets_at_once():
    s = _Store("undo4")
    id = s.store("User drinks tea", "drinks,breakfast")
    s.lt.derive()
    assert b"tea" in read(s.lt.markdown)
    s.lt.forget(id)
    assert s.lt.catalog() == []
    undo.undo(s.lt)
    assert s.lt.catalog() == ["drinks", "breakfast"]
    s.lt.derive()
    undo.undo(s.lt)
    assert not exists(s.lt.markdown)
    assert s.lt.catalog() == []


# --- pins ---


def test_pinned_items_never_leave():
    s = _Store("pins")
    with Lowered(ITEMS=4):
        first = s.store("Fact number 0 alone", "x")
        assert pins.pin(s.lt, first, True)
        assert not pins.pin(s.lt, first, True)
        for n in range(1, 9):
            s.now += 7200
            s.store("Fact number %d alone" % n, "x")
            if n == 4:
                s.lt.compact()
                s.open()
        assert [item.content[12] for item in s.lt.list()] == ["8", "7", "6", "0"]
        s.lt.compact()
        assert s.lt.get(first)
        assert pins.pin(s.lt, first, False)
        assert not pins.pin(s.lt, first, False)
        s.now += 7200
        s.store("Fact number 9 alone", "x")
        s.open()
        assert [item.content[12] for item in s.lt.list()] == ["9", "8", "7", "6"]


def test_a_pin_goes_over_to_the_item_it_is_merged_into_and_ends_with_a_forgotten_one():
    s = _Store("pins2")
    a = s.store("User drinks tea", "x")
    b = s.store("User has a dog", "x")
    c = s.store("User has two cats", "x")
    for id in (b, c):
        pins.pin(s.lt, id, True)
    s.lt.update(b, "User drinks tea!")
    s.lt.forget(c)
    s.lt.compact()
    raises(NotFound, s.lt.get, b)
    assert json.loads(read(s.dir + "/pins.json")) == {"pins": [a]}
    s.open()
    assert [s.lt.table.ids[row] for row in s.lt.table.pinned] == [a.encode()]
    with Lowered(PINS=1):
        raises(InvalidArg, pins.pin, s.lt, s.store("User lives in York", "x"), True)


def test_damaged_pins_are_told_and_pin_nothing():
    s = _Store("pins3")
    id = s.store("User drinks tea", "x")
    pins.pin(s.lt, id, True)
    for bad in (b"[", b"[]", b'{"pins":7}', b'{"pins":[7]}', b"\xff", b'{"pins":null}'):
        write(s.dir + "/pins.json", bad)
        s.notices = []
        s.open()
        assert len(s.notices) == 1 and "pins.json" in s.notices[0]
        assert s.lt.get(id)
    assert pins.pin(s.lt, id, True)
    s.notices = []
    s.open()
    assert s.notices == [] and len(s.lt.table.pinned) == 1


# --- the archive ---


def _archived(s):
    return [item.content for item in archive.entries(s.lt)]


def _filled(name, count=7):
    # A store of four items and an archive of the others.
    s = _Store(name)
    s.ids = []
    for n in range(count):
        s.now += 7200
        s.ids.append(s.store("Fact number %d alone" % n, "x"))
    s.lt.compact()
    return s


def test_items_that_leave_go_into_the_archive_and_an_access_brings_them_back():
    with Lowered(ITEMS=4):
        s = _filled("archive")
        s.open()
        assert _archived(s) == ["Fact number %d alone" % n for n in range(3)]
        raises(NotFound, s.lt.get, s.ids[1])
        s.now += 7200
        item = archive.bring_back(s.lt, s.ids[1])
        assert (item.content, item.access_count, item.updated_at) == (
            "Fact number 1 alone",
            1,
            s.now,
        )
        assert [i.content[12] for i in s.lt.list()] == ["1", "6", "5", "4"]
        assert _archived(s) == ["Fact number 0 alone", "Fact number 2 alone"]
        raises(NotFound, archive.bring_back, s.lt, "mem-none")
        assert archive.bring_back(s.lt, s.ids[6]).access_count == 0  # it is alive
        s.lt.compact()
        assert sorted(_archived(s)) == ["Fact number %d alone" % n for n in (0, 2, 3)]


def test_a_fact_that_came_back_is_no_change_to_undo():
    with Lowered(ITEMS=4):
        s = _filled("archive2")
        archive.bring_back(s.lt, s.ids[0])
        raises(NotFound, undo.undo, s.lt)
        s.lt.forget(s.ids[0])
        s.open()
        assert undo.undo(s.lt)[1].content == "Fact number 0 alone"


def test_what_was_forgotten_leaves_the_archive_too():
    with Lowered(ITEMS=4):
        s = _filled("archive3")
        archive.bring_back(s.lt, s.ids[0])
        s.lt.forget(s.ids[0])
        assert "Fact number 0 alone" not in _archived(s)
        s.lt.compact()
        assert "Fact number 0 alone" not in _archived(s)
        assert b"number 0" not in read(s.dir + "/archive_0.jsonl")
        raises(NotFound, archive.bring_back, s.lt, s.ids[0])


def test_an_archived_fact_that_is_told_anew_is_not_there_twice():
    with Lowered(ITEMS=4):
        s = _filled("archive4")
        new = s.store("fact number 0 alone", "x")
        assert archive.bring_back(s.lt, s.ids[0]).id == new
        assert len([i for i in s.lt.list() if i.content[12] == "0"]) == 1


def test_the_two_files_take_turns_and_stay_within_their_size():
    with Lowered(ITEMS=4, ARCHIVE_FILE_BYTES=1200):
        s = _filled("archive5", 5)
        for n in range(5, 40):
            s.now += 7200
            s.store("Fact number %d alone" % n, "x")
            if n % 2:
                s.lt.compact()
            for name in ("/archive_0.jsonl", "/archive_1.jsonl"):
                assert not exists(s.dir + name) or len(read(s.dir + name)) <= 1200
        found = _archived(s)
        assert 5 < len(found) < 14
        assert found == ["Fact number %d alone" % n for n in range(36 - len(found), 36)]


def test_a_damaged_archive_costs_its_damaged_lines_only():
    with Lowered(ITEMS=4):
        s = _filled("archive6")
        data = read(s.dir + "/archive_0.jsonl")
        for bad in (
            data[20:],
            data[:-30] + data[30:],
            b"\xff\xfe" + data,
            b'{"archive":"x"}\n' + data,
            b"",
            b"[1]\n[",
            b'{"archive":99999999999999999999}\n',
        ):
            write(s.dir + "/archive_0.jsonl", bad)
            write(s.dir + "/archive_1.jsonl", bytes(reversed(bad)))
            s.open()
            for content in _archived(s):
                assert content.startswith("Fact number "), content
            s.now += 7200
            s.store("Another %d fact" % len(bad), "x")
            s.lt.compact()
            assert s.lt.count() == 4


def test_a_compaction_that_fails_does_not_archive_twice():
    with Lowered(ITEMS=4):
        s = _filled("archive7")
        s.now += 7200
        s.store("One more fact", "x")

        def full(files):
            raise NoSpace("full")

        whole, durable.replace_many = durable.replace_many, full
        try:
            for _ in range(3):
                raises(NoSpace, s.lt.compact)
        finally:
            durable.replace_many = whole
        s.lt.compact()
        assert read(s.dir + "/archive_0.jsonl").count(b"number 3") == 1


def test_a_compaction_takes_what_was_forgotten_out_of_session_archives():
    m = _Memory("redact")
    session = "chat:serial:0:default_01"
    m.turn("hi", session)
    path = m.memory.sessions.data_path(session) + ".archive"
    lines = (
        b'{"turn":0,"role":"user","content":"my door code is 4711","at":1}\n'
        b'{"turn":1,"role":"user","content":"I like tea","at":1}\n'
    )
    write(path, lines)
    m.lt.forget(m.lt.store("User's door code is 4711", "home")[1].id)
    assert read(path) == lines
    m.lt.compact()
    assert read(path) == lines[lines.find(b'{"turn":1') :]


# --- contradictions ---


def _told(m):
    m.memory.idle()
    text = "".join(providers.parts(m.memory))
    at = text.find("These memories contradict")
    return text[at:] if at >= 0 else ""


def test_memories_contradict_that_differ_in_a_number_a_negation_or_a_name():
    for n, (a, b, wanted) in enumerate(
        (
            ("User is 34 years old", "User is 35 years old", True),
            ("User likes tea", "User does not like tea", True),
            ("User's cat is called Pixel", "User's cat is called Luna", True),
            ("User lives in Oslo", "User lives in Bergen", True),
            ("\u7528\u623734\u5c81", "\u7528\u623735\u5c81", True),
            ("\u7528\u6237\u559c\u6b22\u8336", "\u7528\u6237\u4e0d\u559c\u6b22\u8336", True),
            ("User likes tea", "User likes coffee", False),
            ("User has been in Oslo", "User has been in Bergen", False),
            ("Anna lives in Oslo", "Bert lives in Oslo", False),
            ("User has 2 cats and 3 dogs", "User has 3 cats and 2 dogs", False),
            ("User never drinks tea at 5", "User drinks tea at 6", False),
            ("User likes tea", "User likes green tea", False),
        )
    ):
        m = _Memory("pair%d" % n)
        m.lt.store(a, "x,y")
        m.lt.store(b, "x,y")
        assert bool(_told(m)) == wanted, (a, b)
        if wanted:
            assert "> mem-" in _told(m) and a in _told(m) and b in _told(m)


def test_a_contradiction_is_over_with_a_change_and_needs_the_same_labels():
    m = _Memory("pairs")
    m.lt.store("User is 34 years old", "age")
    other = m.lt.store("User is 35 years old", "years")[1].id
    assert _told(m) == ""
    m.lt.update(other, tags="age")
    assert "35" in _told(m)
    m.lt.forget(other)
    assert _told(m) == ""
    m.lt.store("User is 36 years old", "age")
    assert "36" in _told(m)
    m.lt.store("User is 37 years old", "age")
    assert _told(m) == ""  # a series
    m.open()
    _told(m)
    reads = []
    whole, m.lt.read = m.lt.read, lambda rows: reads.append(rows) or whole(rows)
    for _ in range(3):
        _told(m)
    assert reads == []  # nothing has changed


def test_the_tools_correct_and_forget_what_is_archived():
    m = _Memory("archtools")
    with Lowered(ITEMS=2):
        ids = []
        for n in range(5):
            m.now += 7200
            ids.append(m.lt.store("Fact number %d alone" % n, "x")[1].id)
        m.lt.compact()
        assert m.tool("memory_update", None, memory_id=ids[0], content="Fact zero")["changed"]
        assert m.lt.get(ids[0]).content == "Fact zero"
        assert m.tool("memory_forget", None, memory_id=ids[1])["ok"]
        assert [item.id for item in archive.entries(m.lt)] == [ids[2]]
        assert m.tool("memory_forget", None, memory_id=ids[1])["error"] == "memory_forget_failed"


def test_another_number_is_another_fact():
    s = _Store("numbers")
    s.lt.forget(s.store("The code of locker 1 is 4711", "home"))
    texts = forgotten.texts(s.lt)
    assert forgotten.hides(texts, "my locker code: 4711")
    assert not forgotten.hides(texts, "The code of locker 2 is 5822")
    assert not forgotten.hides(texts, "The code of locker 12 is 47110")
