"""What a user of ESP-Claw's memory would have lost, and does not lose here.

One test per defect of the long-term part of its component, named after the loss.
"""

import json

from bothlib import exists, listdir, raises, read, tmpdir, write

from claw_memory import durable, extract, limits, tools
from claw_memory.errors import InvalidArg, IOFailure, NoSpace
from claw_memory.longterm import LongTerm
from claw_memory.stage import Stage


class _Memory:
    def __init__(self, name, now=1700000000):
        self.dir = tmpdir(name)
        self.now = now
        self.stage = Stage()
        self.open()

    def open(self):
        self.longterm = LongTerm(self.dir, lambda: self.now)
        return self.longterm

    def call(self, name, args):
        return json.loads(tools.call(self, name, args))

    def correct(self, content, tags):
        """What happens when a model finds that the user corrected a fact."""
        answer = {"intent": "replace", "memories": [{"content": content, "tags": [tags]}]}
        extract.apply(self, "s", *extract.parse(json.dumps(answer)))

    def contents(self):
        return sorted([item.content for item in self.longterm.list()])


class _Failing:
    """A file system that refuses every write with an error number."""

    def __init__(self, code):
        self.code = code

    def open(self, path, mode):
        raise OSError(self.code)


def test_long_memories_survive_every_boot_and_compaction():
    # There: records of more than 512 bytes on average cut the file at a compaction.
    m = _Memory("dlong")
    stored = []
    for n in range(20):
        stored.append("%02d " % n + '"' * 248)
        assert m.longterm.store(stored[-1], "t" * 90 + ",%d" % n)[0]
    for _ in range(3):
        m.longterm.compact()
        m.open()
    assert m.contents() == sorted(stored)


def test_memories_full_of_escapes_are_read_back():
    # There: a line over 1023 bytes is stored with success and never read again.
    m = _Memory("descape")
    for n in range(3):
        content = "%d" % n + "\x01" * 250
        _, item = m.longterm.store(content, "\x02" * 90, "\x02" * 120)
        assert item.truncated
    for line in read(m.dir + "/memory_records.jsonl").split(b"\n"):
        assert len(line) < limits.RECORD_BYTES
    assert m.open().count() == 3
    m.longterm.compact()
    for line in read(m.dir + "/memory_records.jsonl").split(b"\n"):
        assert len(line) < limits.RECORD_BYTES
    assert m.open().count() == 3


def test_a_memory_survives_a_change_of_its_tags():
    # There: at the fifth change, an update of tags alone deletes the memory.
    m = _Memory("dtags")
    id = m.longterm.store("User likes tea", "t0")[1].id
    for n in range(1, 60):
        changed, item = m.longterm.update(id, tags="t%d" % n)
        assert changed and item.id == id
        assert m.longterm.get(id).tags == "t%d" % n
    assert m.open().get(id).content == "User likes tea"


def test_facts_that_begin_alike_are_all_kept():
    # There: what is equal in its first 36 bytes is one fact.
    m = _Memory("dprefix")
    stored = []
    for name in ("Anna", "Berta", "Carla"):
        for text in (
            "The password of the wireless network at home is known to ",
            "我家里的无线网络密码只有我的好朋友知道：",
        ):
            stored.append(text + name)
            assert m.longterm.store(stored[-1])[0]
    m.longterm.compact()
    m.open()
    assert m.contents() == sorted(stored)


def test_facts_alike_in_159_bytes_are_all_kept():
    m = _Memory("dalike")
    for end in ("tea", "soup"):
        assert m.longterm.store("w" * 170 + " likes " + end)[0]
    m.longterm.compact()
    assert m.open().count() == 2


def test_richer_facts_replace_poorer_ones():
    # There: a text that contains an existing one is dropped as a duplicate.
    m = _Memory("dricher")
    id = m.longterm.store("User likes green tea", "tea", "green")[1].id
    changed, item = m.longterm.store("User likes green tea with honey", "honey", "honey")
    assert changed and item.id == id
    assert item.content == "User likes green tea with honey"
    assert (item.tags, item.keywords) == ("tea,honey", "green,tea,honey")
    # And what is said already is not stored again.
    assert m.longterm.store("likes green tea")[0] is False
    assert m.open().count() == 1


def test_york_is_not_lost_in_yorkshire():
    m = _Memory("dyork")
    assert m.longterm.store("User lives in Yorkshire")[0]
    changed, item = m.longterm.store("User lives in York")
    assert changed
    assert m.contents() == ["User lives in York", "User lives in Yorkshire"]


def test_a_correction_that_contains_the_old_text_is_applied():
    # There: with the intent "replace" such a correction is ignored.
    m = _Memory("dcorrect")
    m.longterm.store("User works at the bakery", "work")
    m.correct("User works at the bakery in Oslo", "work")
    assert m.contents() == ["User works at the bakery in Oslo"]


def test_a_correction_leaves_other_facts_with_the_same_tag():
    # There: everything that shares one tag is forgotten.
    m = _Memory("dshared")
    for content in (
        "User's dog is called Rex",
        "User's cat sleeps a lot",
        "Fish swim in the tank",
    ):
        m.longterm.store(content, "pets")
    m.correct("User's dog is called Max", "pets")
    assert m.contents() == [
        "Fish swim in the tank",
        "User's cat sleeps a lot",
        "User's dog is called Max",
    ]


def test_facts_stored_without_a_clock_do_not_overwrite_each_other():
    # There: after a restart with the clock unset the same ids are given out again.
    m = _Memory("dclock", now=0)
    for n in range(4):
        assert m.longterm.store("offline fact number %d" % n)[0]
        m.open()
    assert len(m.contents()) == 4
    m = _Memory("dsecond")
    for n in range(3):
        m.longterm.store("fact number %d" % n)
        m.open()
    assert len(m.contents()) == 3


def test_an_id_given_twice_does_not_overwrite_silently():
    # There: an existing id is overwritten, a forgotten one comes back.
    m = _Memory("dids")
    m.longterm.store("User likes tea", "tea", id="my-id")
    changed, item = m.longterm.store("User likes coffee", id="my-id")
    assert changed and (item.content, item.tags) == ("User likes coffee", "tea")
    assert item.created_at == 1700000000 and m.longterm.count() == 1
    m.longterm.forget("my-id")
    raises(InvalidArg, m.longterm.store, "User likes milk", id="my-id")
    assert m.contents() == []


def test_a_memory_stored_after_a_power_cut_is_kept():
    # There: a torn last line swallows the next record.
    m = _Memory("dtorn")
    m.longterm.store("User likes tea")
    path = m.dir + "/memory_records.jsonl"
    whole = read(path)
    for size in (1, 20, len(whole) - 2, len(whole) - 1):
        write(path, whole + whole[:size])
        m.open()
        m.longterm.store("User has a dog")
        m.open()
        assert m.contents() == ["User has a dog", "User likes tea"], size


def test_a_record_that_espclaw_wrote_behind_a_torn_one_is_found():
    m = _Memory("dswallow")
    good = b'{"id":"mem-1-0002","content":"User has a dog","tags":"dog"}\n'
    write(m.dir + "/memory_records.jsonl", b'{"id":"mem-1-0001","source":"man' + good)
    m.open()
    assert m.contents() == ["User has a dog"]
    m.longterm.compact()
    assert m.open().catalog() == ["dog"]


def test_a_full_disk_is_told_and_nothing_is_lost():
    # There: the store says ok with nothing stored, and a compaction cuts the file.
    m = _Memory("dfull")
    id = m.longterm.store("User likes tea", "tea")[1].id
    m.longterm.derive()
    before = {name: read(m.dir + "/" + name) for name in listdir(m.dir)}
    for code, error in ((28, NoSpace), (5, IOFailure)):
        durable._open = _Failing(code).open
        try:
            raises(error, m.longterm.store, "User has a dog")
            raises(error, m.longterm.update, id, "User likes soup")
            raises(error, m.longterm.compact)
            out = m.call("memory_store", {"content": "User has a cat"})
            assert out["ok"] is False and out["code"] == error.code
        finally:
            durable._open = open
        assert {name: read(m.dir + "/" + name) for name in listdir(m.dir)} == before
        assert m.contents() == ["User likes tea"]
    assert m.longterm.store("User has a dog")[0]
    assert m.open().count() == 2


def test_memories_survive_a_damaged_index():
    # There: a corrupt index turns memory off for good.
    m = _Memory("dindex")
    id = m.longterm.store("User likes tea", "tea")[1].id
    m.longterm.close()
    for damage in (b"", b"{", b"[]", b"\xff" * 3000, b'{"version":3,"summaries":5}'):
        write(m.dir + "/memory_index.json", damage)
        m.open()
        assert m.longterm.catalog()[0] == "tea"
        assert len(m.longterm.recall(["tea"])) == 1
        m.longterm.store("User has a dog %d" % len(damage), "dog")
        m.longterm.derive()
        assert "tea" in json.loads(read(m.dir + "/memory_index.json"))["keyword_index"]
    assert m.longterm.forget(id).content == "User likes tea"


def test_no_text_ends_in_half_a_character():
    # There: cuts at 255, 95 and 127 bytes split characters.
    m = _Memory("dhalf")
    m.longterm.store("a" + "汉" * 100, "b" + "字" * 40 + ",茶", "c" + "字" * 60)
    m.longterm.derive()
    for name in ("memory_records.jsonl", "memory_index.json", "MEMORY.md"):
        str(read(m.dir + "/" + name), "utf-8")
    item = list(m.longterm.list())[0]
    assert item.content == "a" + "汉" * 84 and item.tags == "茶"
    out = tools.call(m, "memory_list")
    assert "�" not in out


def test_half_characters_of_espclaw_are_dropped_not_the_memory():
    m = _Memory("dhalfc")
    write(
        m.dir + "/memory_records.jsonl",
        b'{"id":"a","source":"manual","content":"tea \xe6\xb1","tags":"x\xe6\xb1,y",'
        b'"keywords":"\xe6","created_at":1,"updated_at":1,"access_count":0,"deleted":false,'
        b'"summary_ids":[1,2]}\n',
    )
    m.open()
    item = m.longterm.get("a")
    assert (item.content, item.tags, item.keywords) == ("tea ", "x,y", "")
    assert m.longterm.catalog() == ["x", "y"]
    m.longterm.compact()
    str(read(m.dir + "/memory_records.jsonl"), "utf-8")


def test_labels_that_begin_alike_stay_apart():
    # There: labels are cut at 8 characters, so that these two are one.
    m = _Memory("dlabel")
    m.longterm.store("User jogs each morning", "daily_routine")
    m.longterm.store("User cooks on Mondays", "daily_rota")
    assert m.longterm.catalog() == ["daily_routine", "daily_rota"]
    assert len(m.longterm.recall(["daily_rota"])) == 1


def test_an_unknown_label_is_named_in_the_answer():
    # There: it is read from memory that was freed.
    m = _Memory("dfreed")
    out = m.call("memory_recall", {"summary_labels": ["no such label"]})
    assert out["invalid_label"] == "no such label"
    assert m.call("memory_forget", {"memory_id": ""})["error"] == "memory_id is required"


def test_memory_md_holds_every_memory_whole():
    # There: it is cut where its buffer ends.
    m = _Memory("dmarkdown")
    for n in range(100):
        m.longterm.store("%03d " % n + "long text " * 24, "label number %d" % n)
    m.longterm.derive()
    text = str(read(m.dir + "/MEMORY.md"), "utf-8")
    for item in m.longterm.list():
        assert "- `%s` %s\n" % (item.id, item.content) in text


def test_the_list_tool_stays_valid_json_with_128_memories():
    # There: the output is cut at 32 KB.
    m = _Memory("dlist")
    for n in range(128):
        m.now += 1
        m.longterm.store("%03d " % n + "w" * 200)
    out = m.call("memory_list", None)
    assert out["more"] is True and len(out["items"]) > 10
    assert m.call("memory_recall", {})["items"][0]["content"].startswith("127 ")


def test_a_forgotten_fact_is_gone_from_every_file_for_people_and_models():
    # Here the file for people is derived late: a forget must not wait for that.
    m = _Memory("dforgot")
    id = m.longterm.store("User's secret is 4711", "secret")[1].id
    m.longterm.close()
    m.open()
    m.longterm.forget(id)
    assert not exists(m.dir + "/MEMORY.md")
    m.longterm.compact()
    m.longterm.derive()
    for name in ("memory_records.jsonl", "memory_index.json", "MEMORY.md"):
        assert b"4711" not in read(m.dir + "/" + name)


def test_the_fact_stored_last_is_not_lost_at_the_cap():
    # An item that waits for the trim does not shadow the same fact told anew.
    m = _Memory("dcap")
    saved = limits.ITEMS
    limits.ITEMS = 8
    try:
        for n in range(12):
            m.now += 3600
            m.longterm.store("fact number %d" % n)
        m.now += 3600
        changed, item = m.longterm.store("fact number 0")
        assert changed and m.longterm.recall((), 1)[0].id == item.id
        m.longterm.compact()
        assert m.longterm.get(item.id).content == "fact number 0"
    finally:
        limits.ITEMS = saved


def test_a_boot_rewrites_nothing():
    # There: every start writes records, index and MEMORY.md anew.
    m = _Memory("dboot")
    for n in range(20):
        m.longterm.store("fact number %d" % n, "t%d" % n)
    m.longterm.close()

    def refused(*args):
        raise AssertionError("a clean start wrote something")

    durable._open = refused
    try:
        lt = m.open()
        assert lt.count() == 20
        lt.idle()
        lt.close()
    finally:
        durable._open = open
