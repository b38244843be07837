"""claw_memory.longterm: the store of items over memory_records.jsonl."""

import json
import os

from bothlib import Lowered, exists, listdir, raises, read, tmpdir, write

from claw_memory import durable, limits, pins
from claw_memory.errors import InvalidArg, InvalidState, IOFailure, NoSpace, NotFound
from claw_memory.longterm import LongTerm

_START = 1700000000


class _Store:
    """A store in a fresh directory, with a clock to set and a list of notices."""

    def __init__(self, name):
        self.dir = tmpdir(name)
        self.now = _START
        self.ms = 0
        self.notices = []
        self.open()

    def open(self):
        self.lt = LongTerm(self.dir, lambda: self.now, self.notices.append, lambda: self.ms)
        return self.lt

    def lines(self):
        return read(self.dir + "/memory_records.jsonl").split(b"\n")[:-1]

    def digest(self):
        try:
            return str(read(self.dir + "/memory_digest.log"), "utf-8")
        except OSError:
            return ""


def _contents(found):
    return [item.content for item in found]


# --- opening ---


def test_opening_writes_nothing():
    s = _Store("ltopen")
    assert listdir(s.dir) == []
    s.lt.store("User likes tea", "tea")
    s.lt.close()
    before = {name: read(s.dir + "/" + name) for name in listdir(s.dir)}
    lt = s.open()
    assert lt.count() == 1 and not lt.dirty
    lt.idle()
    lt.close()
    assert {name: read(s.dir + "/" + name) for name in listdir(s.dir)} == before


def test_a_change_is_one_appended_line():
    s = _Store("ltline")
    s.lt.store("User likes tea", "tea")
    assert listdir(s.dir) == ["memory_records.jsonl"]
    assert len(s.lines()) == 1
    s.lt.update("mem-1700000000-0001", content="User likes coffee")
    s.lt.forget("mem-1700000000-0001")
    assert len(s.lines()) == 3
    assert json.loads(s.lines()[2])["deleted"] is True


def test_the_last_line_of_an_id_counts_at_the_place_of_the_first():
    s = _Store("ltlast")
    a = s.lt.store("first fact of all")[1].id
    s.lt.store("second fact of all")
    s.lt.update(a, content="first fact, renewed")
    lt = s.open()
    assert lt.get(a).content == "first fact, renewed"
    lt.compact()
    assert [json.loads(line)["id"][-4:] for line in s.lines()] == ["0001", "0002"]


def test_records_that_are_gone_or_destroyed_are_told():
    s = _Store("ltlost")
    path = s.dir + "/memory_records.jsonl"
    lt = s.open()
    assert s.notices == []
    lt.store("User has a dog", "dog")
    pins.pin(lt, lt.store("User has a cat", "cat")[1].id, True)
    lt.close()
    files = {name: read(s.dir + "/" + name) for name in listdir(s.dir)}

    def told():
        del s.notices[:]
        kept = listdir(s.dir)
        lt = s.open()
        assert lt.count() == 0 and listdir(s.dir) == kept
        return s.notices[0] if s.notices else ""

    for destroyed in (b"\xff" * 700, b"garbage\nagain\n"):
        write(path, destroyed)
        assert told() == (
            "No line of %s can be read: the memories in it are lost, unless a backup has them."
            % path
        )
    write(path, b"")
    says = "%s is gone or empty, but %s tells of memories: they are lost, "
    says += "unless a backup has them."
    assert told() == says % (path, s.dir + "/MEMORY.md")
    os.remove(path)
    for name in ("MEMORY.md", "memory_index.json", "pins.json"):
        assert told() == says % (path, s.dir + "/" + name)
        os.remove(s.dir + "/" + name)
    assert told() == ""
    # what was forgotten is not lost, whatever still names it
    write(s.dir + "/pins.json", files["pins.json"])
    write(path, files["memory_records.jsonl"])
    lt = s.open()
    for item in list(lt.list()):
        lt.forget(item.id)
    lt.compact()
    lt.close()
    assert told() == ""


def test_missing_numbers_read_as_zero_and_unknown_keys_survive():
    s = _Store("ltother")
    write(
        s.dir + "/memory_records.jsonl",
        b'{"id":"a","content":"note of somebody","mood":{"x":[1,2.50]},"tags":"t"}\n'
        b'{"comment":"not an item"}\n\ngarbage\n{"id":"b","content":"other"}\n',
    )
    lt = s.open()
    assert len(s.notices) == 1 and "1 damaged line" in s.notices[0]
    item = lt.get("a")
    assert (item.created_at, item.updated_at, item.access_count) == (0, 0, 0)
    lt.update("a", tags="u")
    lt.compact()
    lt = s.open()
    assert lt.get("a").tags == "u"
    text = b"\n".join(s.lines())
    assert b'"mood":{"x":[1,2.50]}' in text
    assert b'{"comment":"not an item"}' in text
    assert b"garbage" not in text
    lt.compact()
    assert b'{"comment":"not an item"}' in b"\n".join(s.lines())


def test_lines_of_any_length_are_read():
    s = _Store("ltlong")
    long = "word " * 1000
    write(s.dir + "/memory_records.jsonl", json.dumps({"id": "a", "content": long}) + "\n")
    lt = s.open()
    assert lt.get("a").content == long
    lt.update("a", tags="kept")
    assert lt.get("a").content == long.strip()


def test_a_line_without_end_and_nuls_do_no_harm():
    s = _Store("ltnul")
    s.lt.store("User likes tea", "tea")
    good = read(s.dir + "/memory_records.jsonl")
    write(s.dir + "/memory_records.jsonl", good + b"\0" * 40000)
    lt = s.open()
    assert _contents(lt.list()) == ["User likes tea"]
    lt.store("User has a dog")
    assert len(list(s.open().list())) == 2


def test_directory_in_place_of_a_file_is_no_exception_at_opening():
    import os

    s = _Store("ltdir")
    os.mkdir(s.dir + "/memory_records.jsonl")
    lt = s.open()
    assert list(lt.list()) == [] and lt.recall() == []
    raises((IOFailure, NoSpace), lt.store, "User likes tea")


# --- storing ---


def test_store_normalises_and_numbers():
    s = _Store("ltstore")
    changed, item = s.lt.store("  User likes tea \n", "drinks , tea,tea", "green,tea")
    assert changed and item.id == "mem-1700000000-0001"
    assert (item.content, item.tags, item.keywords) == (
        "User likes tea",
        "drinks,tea",
        "tea,drinks",
    )
    assert item.source == "manual" and list(item.summary_ids) == [1, 2]
    assert s.lt.labels(item) == ["drinks", "tea"]
    raises(InvalidArg, s.lt.store, "  ")
    raises(InvalidArg, s.lt.store, "x", id="a\tb")
    # The refused ones took no number.
    assert s.lt.store("Another thing")[1].id == "mem-1700000000-0002"


def test_equal_wording_is_stored_once():
    s = _Store("ltequal")
    s.lt.store("User likes tea!")
    changed, item = s.lt.store("user LIKES   tea")
    assert not changed and item.content == "User likes tea!"
    assert len(s.lines()) == 1
    # A number was taken by the duplicate.
    assert s.lt.store("User has a dog")[1].id == "mem-1700000000-0003"


def test_texts_without_letters_are_equal_only_as_typed():
    s = _Store("ltpunct")
    assert s.lt.store("!!!")[0]
    assert s.lt.store("???")[0]
    assert not s.lt.store("!!!")[0]
    s.lt.compact()
    assert sorted(_contents(s.lt.list())) == ["!!!", "???"]


def test_short_texts_are_not_looked_for_inside_others():
    s = _Store("ltshort")
    s.lt.store("likes tea and more")
    assert s.lt.store("likes tea")[0]


def test_clock_unset_gives_unique_ids_and_keeps_facts_from_the_trim():
    s = _Store("ltclock")
    s.now = 0
    ids = [s.lt.store("offline fact %d" % n)[1].id for n in range(3)]
    assert ids == ["mem-0-0001", "mem-0-0002", "mem-0-0003"]
    lt = s.open()
    assert lt.store("offline fact again")[1].id == "mem-0-0004"
    assert [item.id for item in lt.list()] == ids + ["mem-0-0004"]
    with Lowered(ITEMS=5):
        s.now = _START
        for n in range(4):
            s.now += 3600
            lt.store("online fact %d" % n)
        # Eight items, five places: what was stored with the clock set and is older goes first.
        kept = _contents(lt.list())
        assert kept == [
            "online fact 3",
            "offline fact 0",
            "offline fact 1",
            "offline fact 2",
            "offline fact again",
        ]
        lt.compact()
        assert _contents(lt.list()) == kept
    lt.close()
    assert b"time=- access=0" in read(s.dir + "/MEMORY.md")


# --- updating and forgetting ---


def test_update_keeps_id_creation_and_accesses():
    s = _Store("ltupdate")
    id = s.lt.store("User likes tea", "tea")[1].id
    s.lt.recall()
    s.lt.compact()
    s.now += 100
    changed, item = s.lt.update(id, content="User likes coffee", tags="coffee")
    assert changed and item.id == id and item.created_at == _START
    assert item.updated_at == _START + 100 and item.access_count == 1
    assert s.lt.catalog() == ["coffee"] and list(item.summary_ids) == [2]
    assert s.lt.update(id, content="User likes coffee")[0] is False
    raises(NotFound, s.lt.update, "mem-1-0001", "x")
    raises(InvalidArg, s.lt.update, "", "x")
    raises(InvalidArg, s.lt.update, id, "  ")
    assert s.open().get(id).content == "User likes coffee"


def test_forget_returns_the_item_as_it_was():
    s = _Store("ltforget")
    id = s.lt.store("User likes tea", "tea")[1].id
    item = s.lt.forget(id)
    assert item.content == "User likes tea" and not item.deleted and list(item.summary_ids) == [1]
    raises(NotFound, s.lt.forget, id)
    raises(NotFound, s.lt.get, id)
    raises(InvalidArg, s.lt.forget, "")
    raises(InvalidArg, s.lt.store, "x again", id=id)
    assert s.lt.catalog() == [] and s.lt.count() == 0
    lt = s.open()
    raises(NotFound, lt.get, id)
    raises(InvalidArg, lt.store, "x again", id=id)


def test_a_forget_takes_memory_md_away_at_once():
    s = _Store("ltmd")
    id = s.lt.store("User likes tea", "tea")[1].id
    s.lt.derive()
    assert b"User likes tea" in read(s.dir + "/MEMORY.md")
    s.lt.forget(id)
    assert not exists(s.dir + "/MEMORY.md") and s.lt.dirty
    s.ms += 600001
    s.lt.idle()
    assert b"User likes tea" not in read(s.dir + "/MEMORY.md")


# --- recalling ---


def test_recall_by_labels_in_priority_order():
    s = _Store("ltrecall")
    for n in range(12):
        s.now += 1
        s.lt.store("fact number %d about tea" % n, "tea,even" if n % 2 == 0 else "tea")
    assert len(s.lt.recall(["tea"])) == 8
    assert len(s.lt.recall(["tea"], 0)) == 8 and len(s.lt.recall((), 20)) == 12
    assert _contents(s.lt.recall(["even"], 2)) == [
        "fact number 10 about tea",
        "fact number 8 about tea",
    ]
    assert s.lt.recall(["none"]) == []
    assert len(s.lt.recall(["none", "even"], 20)) == 6
    # Only the first three labels count.
    assert s.lt.recall(["a", "b", "c", "tea"]) == []


def test_a_recall_counts_at_the_next_compaction():
    s = _Store("ltcount")
    a = s.lt.store("first fact of all", "x")[1].id
    s.lt.store("second fact of all", "y")
    s.now += 50
    s.lt.recall(["x"])
    assert s.lt.get(a).access_count == 0
    s.lt.compact()
    item = s.lt.get(a)
    assert item.access_count == 1 and item.updated_at == _START + 50
    assert [i.id for i in s.lt.list()][0] == a
    s.lt.compact()
    assert s.open().get(a).access_count == 1


def test_the_lines_of_a_recall_are_one_append():
    s = _Store("ltbatch")
    for n in range(8):
        s.lt.store("fact number %d" % n)
    calls = []
    real = durable.append
    durable.append = lambda *args: calls.append(args) or real(*args)
    try:
        s.lt.recall()
    finally:
        durable.append = real
    assert len(calls) == 1
    assert calls[0][1].count(b"\trecall\t") == 8


def test_a_recall_works_on_a_full_disk_and_is_told_as_not_counted():
    s = _Store("ltfull")
    s.lt.store("User likes tea")

    def full(path, mode):
        if mode == "rb":
            return open(path, mode)
        raise OSError(28)

    durable._open = full
    try:
        assert _contents(s.lt.recall()) == ["User likes tea"]
        raises(NoSpace, s.lt.store, "User has a dog")
    finally:
        durable._open = open
    assert len(s.notices) == 1
    assert _contents(s.lt.list()) == ["User likes tea"]
    assert s.lt.store("User has a dog")[0]


def test_list_is_complete_and_ordered():
    s = _Store("ltlist")
    for n in range(40):
        s.lt.store("fact number %d" % n, id="id%02d" % ((n * 7) % 40))
    assert [item.id for item in s.lt.list()] == ["id%02d" % n for n in range(40)]
    walk = s.lt.list()
    next(walk)
    s.lt.compact()
    raises(InvalidState, list, walk)


def test_find_looks_for_words():
    s = _Store("ltfind")
    s.lt.store("User's dog is called Rex", "pets")
    s.lt.store("User likes green tea", "drinks")
    s.lt.store("用户喜欢喝龙井茶", "饮料")
    assert _contents(s.lt.find("What is my dog called?")) == ["User's dog is called Rex"]
    assert _contents(s.lt.find("teas or tea?")) == ["User likes green tea"]
    assert _contents(s.lt.find("我喜欢什么茶")) == ["用户喜欢喝龙井茶"]
    assert _contents(s.lt.find("drinks")) == ["User likes green tea"]
    assert s.lt.find("what is it?") == [] and s.lt.find("") == []
    assert len(s.lt.find("user likes dog 喜欢", 2)) == 2
    assert "recall" not in s.digest()


def test_label_ids_grow_until_reopened():
    s = _Store("ltlabels")
    a = s.lt.store("first fact of all", "a")[1]
    b = s.lt.store("second fact of all", "b,a")[1]
    assert (list(a.summary_ids), list(b.summary_ids)) == ([1], [2, 1])
    s.lt.forget(b.id)
    assert s.lt.catalog() == ["a"]
    assert list(s.lt.store("third fact of all", "c")[1].summary_ids) == [3]
    s.lt.forget(s.lt.recall(["c"])[0].id)
    assert list(s.open().store("fourth fact of all", "d")[1].summary_ids) == [2]


def test_catalog_by_creation_and_by_priority():
    s = _Store("ltcat")
    s.lt.store("first fact of all", "x,y")
    s.now += 5
    s.lt.store("second fact of all", "z,x")
    assert s.lt.catalog() == ["x", "y", "z"]
    assert s.lt.catalog(True) == ["z", "x", "y"]


# --- compaction ---


def test_compaction_starts_when_more_is_dead_than_alive():
    s = _Store("ltauto")
    id = s.lt.store("User likes tea number 0")[1].id
    sizes = []
    for n in range(60):
        s.lt.update(id, content="User likes tea number %d" % n)
        sizes.append(len(read(s.dir + "/memory_records.jsonl")))
    assert max(sizes) < limits.DEAD_BYTES + 600 and min(sizes[25:]) < 600
    assert s.lt.get(id).content == "User likes tea number 59"
    assert "\tcompact\t" in s.digest()


def test_items_beyond_the_limit_wait_and_are_left_out():
    s = _Store("ltbeyond")
    with Lowered(ITEMS=8):
        for n in range(11):
            s.now += 3600
            s.lt.store("fact number %d" % n, "tag%d" % n)
        assert s.lt.count() == 8 and len(s.lines()) == 11
        assert _contents(s.lt.list())[-1] == "fact number 3"
        assert s.lt.recall(["tag0"]) == [] and "tag0" not in s.lt.catalog()
        assert s.lt.find("fact number 0", 20) and len(s.lt.find("fact", 20)) == 8
        s.now += 3600
        # Storing what is on its way out brings it back, with an id of its own.
        changed, item = s.lt.store("fact number 0")
        assert changed and item.id.endswith("0012")
        assert _contents(s.lt.list())[0] == "fact number 0"
        s.lt.compact()
        assert len(s.lines()) == 8
        assert _contents(s.lt.list()) == ["fact number 0"] + [
            "fact number %d" % n for n in range(10, 3, -1)
        ]


def test_one_recall_weighs_as_much_as_three_hours():
    s = _Store("ltscore")
    s.now = 1700000000 // 3600 * 3600
    with Lowered(ITEMS=2):
        s.lt.store("recalled fact", "x")
        s.lt.recall(["x"])
        s.lt.compact()
        s.now += 7200
        s.lt.store("fact of two hours later")
        s.lt.store("another of two hours later")
        assert _contents(s.lt.list()) == ["recalled fact", "another of two hours later"]
        # Three hours later it is a tie, and the earlier one in the file goes.
        s.now += 3600
        s.lt.store("fact of three hours later")
        s.lt.store("another of three hours later")
        assert "recalled fact" not in _contents(s.lt.list())
        s.lt.compact()
        assert len(s.lines()) == 2


def test_compaction_merges_equal_contents():
    s = _Store("ltmerge")
    a = s.lt.store("User likes tea", "a", "tea")[1].id
    b = s.lt.store("something else here", "b")[1].id
    s.now += 10
    s.lt.update(b, content="user likes TEA.", tags="b")
    s.lt.compact()
    found = list(s.lt.list())
    assert len(found) == 1 and found[0].id == a
    assert (found[0].content, found[0].tags) == ("user likes TEA.", "b")
    assert found[0].keywords == "tea,a" and found[0].updated_at == _START + 10


def test_what_a_merged_item_is_worth_decides_whether_it_is_trimmed():
    with Lowered(ITEMS=2):
        s = _Store("ltworth")
        # The first item is old, but its twin, which ends in it, is the newest of all.
        a = s.lt.store("User likes tea", "a")[1].id
        b = s.lt.store("something else here", "b")[1].id
        s.now += 8 * 3600
        c = s.lt.store("a third thing", "c")[1].id
        s.lt.store("a fourth thing", "d")
        s.lt.forget(c)
        s.now += 8 * 3600
        e = s.lt.store("a fifth thing", "e")[1].id
        s.now += 3600
        s.lt.update(b, content="user likes TEA.")
        s.lt.compact()
        assert sorted([item.id for item in s.lt.list()]) == sorted([a, e])


def test_a_negative_limit_recalls_everything():
    s = _Store("ltall")
    for n in range(10):
        s.lt.store("fact %d" % n, "t")
    assert len(s.lt.recall(["t"], -1)) == 10 and len(s.lt.recall((), 0)) == 8


def test_compaction_keeps_index_and_log_in_step():
    s = _Store("ltstep")
    s.lt.store("User likes tea", "tea")
    s.lt.recall()
    s.lt.compact()
    index = json.loads(read(s.dir + "/memory_index.json"))
    assert index["last_compact_digest_size"] == len(s.digest())
    assert s.digest().endswith("\tcompact\t-\trebuild=index+markdown\tfolded\n")
    s.lt.recall()
    s.lt.derive()
    again = json.loads(read(s.dir + "/memory_index.json"))
    assert again["last_compact_digest_size"] == index["last_compact_digest_size"]


def test_a_failed_compaction_leaves_the_store_as_it_was():
    s = _Store("ltfail")
    id = s.lt.store("User likes tea", "tea")[1].id
    s.lt.recall()
    before = read(s.dir + "/memory_records.jsonl")

    def failing(path, mode):
        raise OSError(5)

    durable._open = failing
    try:
        raises(IOFailure, s.lt.compact)
    finally:
        durable._open = open
    assert read(s.dir + "/memory_records.jsonl") == before
    s.lt.compact()
    assert s.lt.get(id).access_count == 1


def test_a_change_counts_although_tidying_up_fails():
    s = _Store("lttidy")
    id = s.lt.store("User likes tea number 0")[1].id
    real = durable.replace_many

    def failing(files):
        raise NoSpace("full")

    durable.replace_many = failing
    try:
        for n in range(1, 40):
            assert s.lt.update(id, content="User likes tea number %d" % n)[0]
    finally:
        durable.replace_many = real
    # Told, but not tried again at every change.
    assert 1 <= len(s.notices) <= 3
    assert s.open().get(id).content == "User likes tea number 39"


# --- derived files ---


def test_index_has_the_form_of_a_compaction_of_espclaw():
    s = _Store("ltindex")
    s.lt.derive()
    assert read(s.dir + "/memory_index.json") == (
        b'{"version":3,"next_summary_id":1,"summaries":[],"keyword_index":{},'
        b'"last_compact_digest_size":0}'
    )
    s.lt.store("User likes Tea", "tea,drinks", "Tea")
    s.lt.store("User sells tea", "tea", "tea,sells")
    s.lt.derive()
    assert read(s.dir + "/memory_index.json") == (
        b'{"version":3,"summaries":[{"summary_id":1,"label":"tea","ref_count":2},'
        b'{"summary_id":2,"label":"drinks","ref_count":1}],"next_summary_id":3,'
        b'"keyword_index":{"Tea":["mem-1700000000-0001","mem-1700000000-0002"],'
        b'"drinks":["mem-1700000000-0001"],"sells":["mem-1700000000-0002"]},'
        b'"last_compact_digest_size":0}'
    )


def test_a_compaction_leaves_most_of_the_index_to_a_quiet_moment():
    s = _Store("ltshort")
    id = s.lt.store("User likes tea", "tea", "tea")[1].id
    s.lt.recall()
    s.lt.derive()
    n = 0
    while "\tcompact\t" not in s.digest():
        n += 1
        s.lt.update(id, content="User likes tea number %d" % n)
    short = read(s.dir + "/memory_index.json")
    assert short == (
        b'{"version":3,"next_summary_id":1,"summaries":[],"keyword_index":{},'
        b'"last_compact_digest_size":%d}' % len(s.digest())
    )
    # What was counted is not counted again, whichever of the two tells it.
    s.open().compact()
    assert s.lt.get(id).access_count == 1
    assert json.loads(read(s.dir + "/memory_index.json"))["keyword_index"] == {"tea": [id]}
    write(s.dir + "/memory_index.json", short)
    s.lt.update(id, content="User likes coffee")
    s.ms += 600000
    s.lt.idle()
    assert json.loads(read(s.dir + "/memory_index.json"))["summaries"][0]["label"] == "tea"


def test_a_compaction_that_is_asked_for_writes_the_index_at_any_time():
    s = _Store("ltasked")
    s.lt.derive()
    s.lt.store("User likes tea", "tea", "tea")
    s.lt.compact()
    assert b'"tea"' in read(s.dir + "/memory_index.json")
    assert b"tea" not in read(s.dir + "/MEMORY.md")  # this one waits
    s.ms += 600000
    s.lt.idle()
    assert b"tea" in read(s.dir + "/MEMORY.md")


def test_memory_md_lists_labels_and_items():
    s = _Store("ltmark")
    s.lt.derive()
    assert read(s.dir + "/MEMORY.md") == (
        b"# Long-term Memory\n\n(empty - Claw will write memories here as it learns)\n"
    )
    s.lt.store("User likes tea", "tea,drinks")
    s.lt.derive()
    assert str(read(s.dir + "/MEMORY.md"), "utf-8") == (
        "# Long-term Memory\n\n## Summary Labels\n\n- tea (refs=1)\n- drinks (refs=1)\n\n"
        "## Active Memories\n\n- `mem-1700000000-0001` User likes tea\n"
        '  time=2023-11-14 22:13:20 access=0 labels=["tea","drinks"]\n'
    )


def test_memory_md_is_derived_at_most_once_in_ten_minutes():
    s = _Store("ltidle")
    s.lt.store("User likes tea")
    s.lt.idle()
    first = read(s.dir + "/MEMORY.md")
    s.lt.store("User has a dog")
    s.ms += 599000
    s.lt.idle()
    assert read(s.dir + "/MEMORY.md") == first
    s.ms += 1001
    s.lt.idle()
    assert read(s.dir + "/MEMORY.md") != first


def test_a_deleted_index_and_memory_md_cost_nothing():
    import os

    s = _Store("ltgone")
    id = s.lt.store("User likes tea", "tea")[1].id
    s.lt.recall()
    s.lt.compact()
    s.lt.recall()
    for name in ("memory_index.json", "MEMORY.md"):
        os.remove(s.dir + "/" + name)
    lt = s.open()
    assert lt.catalog() == ["tea"] and lt.dirty
    lt.compact()
    assert lt.get(id).access_count == 2


def test_a_closed_store_takes_no_calls():
    s = _Store("ltclose")
    s.lt.store("User likes tea")
    s.lt.close()
    s.lt.close()
    s.lt.idle()
    for call in (s.lt.recall, s.lt.compact, s.lt.derive, s.lt.catalog):
        raises(InvalidState, call)
    raises(InvalidState, s.lt.store, "x y z")
    raises(InvalidState, s.lt.forget, "mem-1700000000-0001")


def test_dates_are_those_of_the_calendar():
    from claw_memory.derive import date_time

    for seconds, text in (
        (0, "-"),
        (951782399, "2000-02-28 23:59:59"),
        (951782400, "2000-02-29 00:00:00"),
        (1709251199, "2024-02-29 23:59:59"),
        (1735689600, "2025-01-01 00:00:00"),
        (4107542400, "2100-03-01 00:00:00"),
    ):
        assert date_time(seconds) == text, seconds
