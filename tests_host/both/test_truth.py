"""What was forgotten is hidden; where memories came from, what they were before, and undo."""

from bothlib import tmpdir

from claw_memory import forgotten
from claw_memory.longterm import LongTerm

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
