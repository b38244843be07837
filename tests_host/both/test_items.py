"""claw_memory.items, itemline and wording: fields, lines and when two texts say the same."""

import json

from bothlib import raises, tmpdir, write

from claw_memory import itemline, item_texts, items, likeness, limits, wording
from claw_memory.errors import InvalidArg


def _item(content, tags="", keywords="", source="manual"):
    item = items.Item()
    item_texts.set_texts(item, content, tags, keywords, source)
    item.id = "mem-1700000000-0001"
    return item


def test_keywords_must_occur_in_content_or_tags():
    assert item_texts.metadata("User likes Tea", "drinks", "tea,green,DRINKS") == (
        "drinks",
        "tea,DRINKS,drinks",
        False,
    )


def test_tags_fill_up_keywords_without_repetition():
    assert item_texts.metadata("x", "a,b,a,c,d", "a") == ("a,b,c", "a,b,c", False)
    assert item_texts.metadata("x", " , ;", "x") == ("", "x", False)


def test_full_width_separators_part_terms():
    assert item_texts.metadata("x", "茶，饮料、水；酒", "")[0] == "茶,饮料,水"
    assert items.labels("茶，饮料") == ["茶", "饮料"]


def test_labels_keep_39_bytes_and_whole_characters():
    assert items.labels("dietary_preferences") == ["dietary_preferences"]
    assert items.labels("x" * 50) == ["x" * 39]
    assert items.labels("汉" * 20) == ["汉" * 13]
    assert items.labels("daily_routine,daily_rota") == ["daily_routine", "daily_rota"]
    # Alike in their first 39 bytes: one label.
    assert items.labels("y" * 40 + "," + "y" * 41) == ["y" * 39]


def test_labels_as_bytes_agree_with_labels():
    for tags in (
        "a,b,c",
        "a,a",
        "a;b",
        " a , b",
        "茶,水",
        "茶，水",
        "x" * 60,
        "a,b,c,d",
        "カ、タ",
    ):
        expected = [label.encode() for label in items.labels(tags)]
        assert items.label_words(tags) == expected, tags
        assert items.label_words(tags.encode()) == expected, tags
    assert items.label_words(b"a\xe6\xb1,b") == [b"a", b"b"]


def test_terms_that_do_not_fit_are_left_out_whole():
    tags, keywords, left = item_texts.metadata("x", "a" * 60 + "," + "b" * 60 + ",c", "")
    assert tags == "a" * 60 + ",c"
    assert keywords == tags and left
    assert item_texts.metadata("x", "q" * 120, "")[0] == ""


def test_fields_are_cut_on_characters():
    item = _item("汉" * 100, source="车" * 9)
    assert item.content == "汉" * 85 and item.truncated
    assert item.source == "车" * 5
    assert not _item("short").truncated


def test_nul_ends_a_field_and_blank_content_is_refused():
    assert _item("a\0b").content == "a"
    raises(InvalidArg, _item, " \t\n")
    raises(InvalidArg, _item, "\0x")
    raises(InvalidArg, _item, 5)
    raises(InvalidArg, _item, "x", ["a"])


def test_a_line_stays_readable_for_espclaw():
    for content in ("\x01" * 255, '"' * 255, "\\" * 255, "a\x02" * 127):
        item = _item(content, "\x03" * 30 + ",b", "\x03" * 30)
        line = items.record(item)
        assert item.truncated and item.content and content.startswith(item.content)
        item.access_count = 65535
        item.updated_at = item.created_at = 4294967295
        item.summary_ids = [65535, 65535, 65535]
        assert len(items.record(item, True)) <= limits.RECORD_BYTES
        assert json.loads(line)["content"] == item.content


def test_record_has_espclaw_key_order():
    item = _item('say "hi"\n汉', "tea", "tea")
    item.summary_ids = [3]
    assert (
        items.record(item)
        == (
            '{"id":"mem-1700000000-0001","source":"manual","content":"say \\"hi\\"\\n汉",'
            '"tags":"tea","keywords":"tea","created_at":0,"updated_at":0,"access_count":0,"deleted":false,'
            '"summary_ids":[3]}\n'
        ).encode()
    )
    assert items.record(item, True).endswith(b'"summary_ids":[3],"summary_labels":[]}\n')


def test_split_reads_own_lines_and_refuses_others():
    item = _item("User likes tea", "tea")
    for line in (items.record(item), items.record(item, True), items.record(item)[:-1]):
        assert itemline.split(line)[2] == b"User likes tea"
        back = itemline.from_line(line)
        assert (back.content, back.tags, back.extra) == ("User likes tea", "tea", b"")
    good = items.record(item)
    for odd in (
        good[:-3],
        good[1:],
        good.replace(b"tea", b'te"a'),
        good.replace(b"tea", b"te\\u0061"),
        good.replace(b"false", b'false,"x":1'),
        b"",
        b"{}",
    ):
        assert itemline.split(odd) is None, odd


def test_from_line_takes_what_other_writers_write():
    line = (
        b'{"Id":"a","CONTENT":"x","updated_at":1.5e3,"access_count":99999,"deleted":1,'
        b'"n":{"m":[1]}}'
    )
    item = itemline.from_line(line)
    assert (item.id, item.content, item.updated_at) == ("a", "x", 1500)
    assert item.access_count == 65535 and item.created_at == 0 and not item.deleted
    assert item.extra == b',"n":{"m":[1]}'
    assert itemline.from_line(b'{"content":"x"}') is None
    assert itemline.from_line(b"[1]") is None
    assert itemline.from_line(b'{"id":""}') is None
    assert itemline.from_line(b'{"id":"a"} rest').id == "a"
    assert itemline.from_line(b'\xef\xbb\xbf{"id":"a"}').id == "a"
    assert itemline.from_line(b'{"id":"a","content":"x\xe6\xb1"}').content == "x"
    assert itemline.from_line(b'{"id":"a","updated_at":1e999}').updated_at == 0


def test_numbers_beyond_their_capacity_are_held_to_it():
    from claw_memory import records_scan, table

    good = str(items.record(_item("User likes tea", "tea")), "utf-8")
    for key, value, seen in (
        ("created_at", "-5", 0),
        ("updated_at", "99999999999", 4294967295),
        ("access_count", "-1", 0),
        ("access_count", "70000", 65535),
        ("updated_at", '"soon"', 0),
    ):
        line = good.replace('"%s":0' % key, '"%s":%s' % (key, value)).encode()
        assert getattr(itemline.from_line(line), key) == seen, line
        path = tmpdir("inum") + "/r"
        for ids in (b"[]", b"[-1]", b"[70000]", b'["x"]'):
            write(path, line.replace(b"[]", ids))
            rows = table.Table()
            assert records_scan.Scan(path, rows).damage == ""
            assert len(rows) == 1 and list(rows.labels.ids) == [1]


def test_a_record_behind_a_torn_one_is_found():
    line = b'{"id":"mem-1-0001","source":"man{"id":"mem-1-0002","content":"kept"}'
    assert itemline.from_line(line).content == "kept"


def test_containment_needs_word_boundaries():
    def part(whole, text):
        return wording.contains(whole, items.norm(text))

    assert part("User lives in York since May", "lives in York")
    assert not part("User lives in Yorkshire", "lives in York")
    assert not part("User relives in York", "lives in York")
    assert part("User's dog: Rex-the-Great!", "Rex the great")
    assert not part("Number 42", "number 4")
    assert part("Number 4, not 2", "number 4")
    assert part("用户住在北京市朝阳区", "住在北京")
    assert part("我用Rust写程序", "用Rust")
    assert not part("Café au lait", "Caf")
    assert part("Café au lait", "café au")
    assert part("lives in York😀", "lives in york")
    assert part("York Yorkshire", "york")


def test_words_leave_out_what_says_nothing():
    assert wording.words("What is the name of my dog?") == [b"name", b"dog"]
    assert wording.words("用户喜欢") == ["用户".encode(), "户喜".encode(), "喜欢".encode()]
    assert wording.words("喝 Tea 茶水") == [b"tea", "茶水".encode()]
    assert wording.words("") == []


def test_likeness_goes_from_0_to_100():
    a = wording.words("User lives in Paris")
    assert likeness.likeness(a, a) == 100
    assert likeness.likeness(a, wording.words("User lives in Rome")) == 50
    assert likeness.likeness(a, wording.words("beer")) == 0
    assert likeness.likeness([], []) == 0
