"""Defects that the fuzzer found, each with the smallest damage that showed it."""

from bothlib import tmpdir, write
from claw_memory.longterm import LongTerm


def _items(lines):
    root = tmpdir("found")
    write(root + "/memory_records.jsonl", lines)
    return LongTerm(root, lambda: 1780000000)


def test_a_key_that_is_no_text_costs_no_item():
    memory = _items(b'{"id":"a","content":"one","t\xefgs":""}\n{"id":"b","content":"two"}\n')
    assert sorted(item.content for item in memory.list()) == ["one", "two"]
    memory.compact()
    assert memory.get("a").content == "one"


def test_a_line_with_a_damaged_number_or_truth_value_does_not_stop_the_list():
    lines = b""
    for number, (created, deleted) in enumerate(
        ((b"5", b"false"), (b"1 0", b"false"), (b"1\x100", b"false"), (b"5", b"fa\xecse"))
    ):
        lines += (
            b'{"id":"i%d","source":"manual","content":"c","tags":"","keywords":"",'
            b'"created_at":%s,"updated_at":5,"access_count":0,"deleted":%s,"summary_ids":[]}\n'
            % (number, created, deleted)
        )
    assert [item.id for item in _items(lines).list()] == ["i0"]


def test_two_items_on_one_line_are_both_there():
    lines = b'{"id":"a","content":"one"}*{"id":"b","content":"two"}{"id":"c","content":"three"}\n'
    memory = _items(lines + b'{"id":"d","content":"four"}\n')
    for _ in range(2):
        contents = sorted(item.content for item in memory.list())
        assert contents == ["four", "one", "three", "two"], contents
        memory.compact()
    memory.update("b", "zwei")
    assert memory.get("a").content == "one"
