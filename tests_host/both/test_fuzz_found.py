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
