"""claw_memory.extract: facts that a model took from a message."""

from bothlib import read, tmpdir

from claw_memory import extract, limits
from claw_memory.longterm import LongTerm
from claw_memory.stage import Stage


class _Memory:
    def __init__(self, name):
        self.now = 1700000000
        self.longterm = LongTerm(tmpdir(name), lambda: self.now)
        self.stage = Stage()

    def store(self, *facts):
        for content, tags in facts:
            self.longterm.store(content, tags)

    def apply(self, intent, *facts):
        found = [(content, tags, tags, "auto_llm", "") for content, tags in facts]
        return extract.apply(self, "s", intent, found)

    def contents(self):
        return sorted([item.content for item in self.longterm.list()])


def test_parse_finds_json_in_talk():
    one = [("User likes tea", "tea", "green", "auto_llm", "")]
    body = '{"content":"User likes tea","tags":["tea"],"keywords":"green"}'
    for text in (
        '{"intent":"replace","memories":[%s]}' % body,
        'Sure!\n```json\n{"intent":"replace","memories":[%s]}\n```' % body,
    ):
        assert extract.parse(text) == ("replace", one)
    assert extract.parse("Here: [%s]." % body) == ("none", one)
    assert extract.parse('{"intent":"FORGET","memories":[]}') == ("none", [])
    assert extract.parse('{"intent":"forget"}') == ("forget", [])
    for text in ("", "no facts", "42", "{broken", '"text"', '{"memories":5}'):
        assert extract.parse(text) == ("none", []), text


def test_parse_takes_three_sound_entries():
    entry = '{"content":"fact %d","source":"me","summary_labels":["a","b","c","d"]}'
    text = "[%s]" % ",".join([entry % n for n in range(5)])
    intent, found = extract.parse(text)
    assert len(found) == limits.CANDIDATES
    assert found[0] == ("fact 0", "a,b,c", "a,b,c", "me", "")
    assert extract.parse('[5,{"content":7},{"content":" "},{"content":"late"}]')[1] == []
    assert extract.parse('[5,{"content":"x"}]')[1] == [("x", "", "", "auto_llm", "")]


def test_new_facts_are_stored_and_their_labels_told():
    m = _Memory("xnew")
    assert m.apply(
        "none", ("User likes tea", "tea,drinks"), ("", "x"), ("User has a dog", "dog")
    ) == [
        "tea",
        "drinks",
        "dog",
    ]
    assert m.contents() == ["User has a dog", "User likes tea"]
    # Said again: nothing changes, nothing is told.
    assert m.apply("none", ("User likes tea", "tea")) == []
    assert m.longterm.recall(["dog"])[0].source == "auto_llm"


def test_forget_stores_nothing():
    m = _Memory("xforget")
    assert m.apply("forget", ("User likes tea", "tea")) == []
    assert m.contents() == []


def test_replace_supersedes_the_closest_and_no_other():
    m = _Memory("xreplace")
    m.store(
        ("User's dog is called Rex", "pets"),
        ("User's cat sleeps on the sofa", "pets"),
        ("User likes tea", "drinks"),
    )
    old = m.longterm.recall(["drinks"])[0].id
    assert m.apply("replace", ("User's dog is called Max", "pets")) == ["pets"]
    assert m.contents() == [
        "User likes tea",
        "User's cat sleeps on the sofa",
        "User's dog is called Max",
    ]
    assert m.longterm.get(old).content == "User likes tea"
    m.longterm.close()
    log = str(read(m.longterm.digest.path), "utf-8")
    assert "\tsupersede\tmem-1700000000-0001\tmem-1700000000-0001\n" in log


def test_replace_without_a_clear_candidate_forgets_nothing():
    m = _Memory("xunclear")
    m.store(
        ("User drinks coffee in the morning", "drinks"), ("User drinks coffee at night", "drinks")
    )
    m.apply("replace", ("User drinks tea", "drinks"))
    assert len(m.contents()) == 3
    # Nothing alike, or no label in common: nothing is superseded either.
    m.apply("replace", ("Grandmother brews beer", "drinks"))
    m.apply("replace", ("User drinks coffee at dawn", "habits"))
    assert len(m.contents()) == 5


def test_replace_in_chinese():
    m = _Memory("xchinese")
    m.store(("用户住在北京朝阳区", "住址"), ("用户的公司在深圳", "住址"))
    m.apply("replace", ("用户住在上海", "住址"))
    assert m.contents() == ["用户住在上海", "用户的公司在深圳"]


def test_a_correction_that_says_more_becomes_the_richer_text():
    m = _Memory("xricher")
    m.store(
        ("User likes green tea", "drinks"),
    )
    id = m.longterm.recall()[0].id
    m.apply("replace", ("User likes green tea with honey", "sweet"))
    item = m.longterm.get(id)
    assert item.content == "User likes green tea with honey" and item.tags == "drinks,sweet"
    assert m.longterm.count() == 1
