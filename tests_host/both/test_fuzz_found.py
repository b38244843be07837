"""Defects that the fuzzer found, each with the smallest damage that showed it."""

from bothlib import raises, read, tmpdir, write
from claw_memory.errors import InvalidArg
from claw_memory.longterm import LongTerm
from claw_memory.session_names import Names
from claw_memory.sessions import USER, Sessions


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


def test_a_damaged_session_name_does_not_stop_the_others():
    root = tmpdir("names")
    chat = "chat:serial:0"
    names = Names(root)
    names.new(chat, "work")
    names.new(chat, "home")
    path = names.path("chat_map", "chat", chat)
    write(path, read(path).replace(b"home", b"h\xc3\xa9 \x7fe"))
    sessions = Sessions(root)
    sessions.persist(chat + ":work", [(USER, "hello", None)])
    names = Names(root)
    damaged = names.list(chat)[1]
    assert damaged == "h\u00e9 \x7fe" and names.current(chat) == chat + ":" + damaged
    names.delete(chat, "work", sessions)
    assert names.list(chat) == ([damaged], damaged)
    names.new(chat, "next")
    names.switch(chat, damaged)
    names.switch(chat, "next")
    raises(InvalidArg, names.new, chat, damaged + "x")
    names.delete(chat, damaged, sessions)
    assert Names(root).list(chat) == (["next"], "next")
