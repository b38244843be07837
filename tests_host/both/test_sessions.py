"""sessions: what is on disk after each call, what comes back, limits, gate, messages."""

import os
import struct

from bothlib import exists, listdir, raises, read, tmpdir, write

from claw_memory import durable, jsonio, limits, session_log
from claw_memory.errors import Blocked, ClawError, InvalidArg, InvalidState, NotFound
from claw_memory.sessions import CALLS, FINAL, RESULT, USER, Sessions, file_name

CALL = '{"role":"assistant","content":"","tool_calls":[{"id":"c1","type":"function"}]}'
ANSWER = '[{"role":"tool","tool_call_id":"c1","content":"on"}]'
USE = '{"role":"assistant","content":[{"type":"tool_use","id":"k","name":"g","input":{}}]}'
USED = '[{"role":"user","content":[{"type":"tool_result","tool_use_id":"k","content":"on"}]}]'


def user(text):
    return (USER, text, None)


def final(text):
    return (FINAL, text, None)


def entries(path):
    data = read(path + ".idx")
    assert data[:8] == b"CHDX\x01\x00\x0a\x00"
    assert (len(data) - 8) % 10 == 0
    return [struct.unpack_from("<IIBB", data, i) for i in range(8, len(data), 10)]


def texts(sessions, session_id="a"):
    return [m["content"] for m in sessions.history(session_id)]


def with_limit(size, fn, *args):
    saved = limits.SESSION_BYTES
    limits.SESSION_BYTES = size
    try:
        return fn(*args)
    finally:
        limits.SESSION_BYTES = saved


def test_file_names():
    assert file_name("main") == "s_main_ea90e208.log"
    assert file_name("") == "s_default_811c9dc5.log"
    assert file_name("\u7528\u6237") == "s________1be4cbb9.log"
    assert file_name("z" * 40) == "s_zzzzzzzzzzzzzzzzzzzzzzzz_e1f92985.log"


def test_records_are_lines_and_entries_tell_type_and_format():
    root = tmpdir("s_bytes")
    s = Sessions(root)
    path = s.data_path("a")
    s.persist("a", [user('say "h\u00e9"\n')])
    first = b'{"role":"user","content":"say \\"h\xc3\xa9\\"\\n"}\n'
    assert read(path) == first
    # A session with data and no entry would be emptied by ESP-Claw.
    assert entries(path) == [(0, len(first), 1, 1)]
    s.persist("a", [(CALLS, None, CALL), (RESULT, None, ANSWER.encode())])
    assert len(entries(path)) == 1
    s.persist("a", [final("it is on")], True)
    rest = (CALL + "\n" + ANSWER + '\n{"role":"assistant","content":"it is on"}\n').encode()
    assert read(path) == first + rest
    assert [e[2:] for e in entries(path)] == [(1, 1), (3, 1), (4, 1), (2, 1)]
    assert entries(path)[-1][0] + entries(path)[-1][1] == len(first + rest)
    assert listdir(root) == [file_name("a"), file_name("a") + ".idx"]


def test_built_values_are_written_in_their_order():
    s = Sessions(tmpdir("s_value"))
    value = jsonio.obj("role", "assistant", "content", None, "tool_calls", [jsonio.obj("id", "x")])
    s.persist("a", [(CALLS, None, value), (RESULT, None, [])])
    want = b'{"role":"assistant","content":null,"tool_calls":[{"id":"x"}]}\n[]\n'
    assert read(s.data_path("a")) == want


def test_a_bad_batch_leaves_no_trace():
    root = tmpdir("s_bad")
    s = Sessions(root)
    good = user("x")
    for batch in (
        [],
        [good, (9, "x", None)],
        [good, (USER, None, None)],
        [good, (USER, 5, None)],
        [good, (CALLS, "text", None)],
        [good, (RESULT, "text", None)],
        [good, (FINAL, None, '{"role":')],
        [good, (FINAL, None, b"{} {}")],
        [good, (FINAL, None, "")],
        [good, (FINAL, None, '{"a":"line\nbreak"}')],
        [good, (FINAL, None, jsonio.obj("a", b"bytes"))],
    ):
        raises(InvalidArg, s.persist, "a", batch)
    raises(InvalidArg, s.persist, "", [good])
    assert listdir(root) == []
    raises(NotFound, s.history, "a")
    raises(NotFound, s.history, "")


def test_newlines_between_tokens_become_spaces():
    s = Sessions(tmpdir("s_line"))
    s.persist("a", [(FINAL, None, '{\n "role":"assistant",\r\n "content":"a\\nb"}\n')])
    assert read(s.data_path("a")) == b'{  "role":"assistant",   "content":"a\\nb"} \n'
    assert texts(s) == ["a\nb"]


def test_a_path_that_esp_claw_cannot_open_is_refused():
    s = Sessions(tmpdir("s_path"))
    saved = limits.PATH_BYTES
    limits.PATH_BYTES = len(s.data_path("a")) - 1
    try:
        raises(ClawError, s.persist, "a", [user("x")])
    finally:
        limits.PATH_BYTES = saved
    assert not exists(s.data_path("a"))


def test_text_is_cut_to_whole_characters():
    s = Sessions(tmpdir("s_cut"), max_message_chars=3)
    s.persist("a", [user("\u6c49\u5b57ab"), final(b"a\xffbcd")])
    assert texts(s) == ["\u6c49\u5b57a", "abc"]


def test_the_index_catches_up_at_the_end_of_a_turn_on_switch_and_on_close():
    root = tmpdir("s_index")
    s = Sessions(root)
    path = s.data_path("a")

    def state(want):
        assert len(entries(path)) == want

    s.persist("a", [user("1")])
    state(1)
    s.persist("a", [user("2")])
    state(1)
    s.persist("a", [final("3")], True)
    state(3)
    s.persist("a", [user("4")])
    s.persist("b", [user("x")])
    state(3)
    s.persist("c", [user("x")])
    state(4)
    s.persist("a", [user("5")])
    state(4)
    s.flush("a")
    state(5)
    s.persist("a", [user("6")])
    s.close()
    state(6)
    for i in range(200):
        s.persist("a", [user(str(i))])
    assert len(entries(path)) >= 140
    assert s.count("a") == 206


def test_a_restart_finds_records_that_the_index_does_not_know():
    root = tmpdir("s_tail")
    s = Sessions(root)
    s.persist("a", [user("1")])
    s.persist("a", [(CALLS, None, USE), (RESULT, None, ANSWER)])
    s.persist("a", [final("2")])
    s = Sessions(root, 2)
    assert [r[0] for r in s.records("a")] == [USER, CALLS, RESULT, FINAL]
    # The result takes over the format of its call.
    assert [r[1] for r in s.records("a")] == [1, 2, 2, 0]
    assert len(entries(s.data_path("a"))) == 1
    s.close()
    assert len(entries(s.data_path("a"))) == 4


def test_a_clean_open_and_reading_write_nothing():
    root = tmpdir("s_clean")
    s = Sessions(root)
    for i in range(5):
        s.persist("a", [user(str(i)), final("x")], True)
    s.close()

    def refuse(*args):
        raise AssertionError("a write: %s" % (args,))

    kept = durable._open
    durable._open = refuse
    try:
        s = Sessions(root)
        assert len(texts(s)) == 10
        assert s.info("a")[0] == 5
        s.close()
    finally:
        durable._open = kept


def test_degradation_between_backends():
    root = tmpdir("s_backend")
    s = Sessions(root, 2)
    blocks = '{"role":"assistant","content":[{"type":"text","text":"It is "},{"type":"x"},'
    blocks += '{"type":"text","text":"on."}]}'
    s.persist("a", [user("hi"), (CALLS, None, USE), (RESULT, None, USED)])
    s.persist("a", [(FINAL, None, blocks), final("plain")], True)
    s.persist("a", [(FINAL, None, '{"role":"assistant","content":[{"type":"image"}]}')], True)
    assert len(list(s.history("a"))) == 6
    s.close()
    s = Sessions(root, 1)
    assert texts(s) == ["hi", "It is on.", "plain"]
    want = b'{"role":"assistant","content":"It is on."}'
    assert list(s.messages_raw("a"))[1] == want
    s.close()
    # An unknown backend takes everything.
    assert len(list(Sessions(root, 0).history("a"))) == 6


def test_history_holds_whatever_value_a_record_has():
    s = Sessions(tmpdir("s_values"))
    for raw in ("null", "5", '["x",null]', "true"):
        s.persist("a", [(FINAL, None, raw)])
    s.persist("a", [(RESULT, None, "[null,2]")])
    assert list(s.history("a")) == [None, 5, ["x", None], True, None, 2]


def test_only_records_of_another_backend_is_not_found():
    root = tmpdir("s_none")
    s = Sessions(root, 2)
    s.persist("a", [(CALLS, None, USE), (RESULT, None, USED)], True)
    s.close()
    raises(NotFound, Sessions(root, 1).history, "a")


def test_raw_messages_are_spliced_and_leave_out_what_an_api_refuses():
    root = tmpdir("s_raw")
    s = Sessions(root)
    two = '[ {"role":"tool","n":1} ,{"role":"tool","n":[2]}]'
    s.persist("a", [user("1"), (CALLS, None, CALL), (RESULT, None, two), final("x")])
    s.persist("a", [(RESULT, None, ANSWER), user("2"), (CALLS, None, CALL), user("3")])
    s.persist("a", [(FINAL, None, "42"), (FINAL, None, '"text"'), (CALLS, None, CALL)])
    assert list(s.messages_raw("a")) == [
        b'{"role":"user","content":"1"}',
        CALL.encode(),
        b'{"role":"tool","n":1}',
        b'{"role":"tool","n":[2]}',
        b'{"role":"assistant","content":"x"}',
        b'{"role":"user","content":"2"}',
        b'{"role":"user","content":"3"}',
    ]
    assert list(s.messages_raw("a", 7))[0] == b'{"role":"user","content":"3"}'
    assert list(s.messages_raw("nothing")) == []


def test_raw_messages_are_valid_utf8_and_strict_json():
    root = tmpdir("s_utf8")
    s = Sessions(root)
    s.persist("a", [user(b"x\xc0\x80\xed\xa0\x80y"), user("\uac00\ud7a3")])
    s.close()
    with open(s.data_path("a"), "ab") as f:
        f.write(b'{"role":"assistant","content":"a\tb\xff"}\n')
    s = Sessions(root)
    got = list(s.messages_raw("a"))
    assert got[0] == '{"role":"user","content":"x\ufffd\ufffdy"}'.encode()
    assert got[1] == '{"role":"user","content":"\uac00\ud7a3"}'.encode()
    assert jsonio.loads(got[2]) == {"role": "assistant", "content": "a\tb"}
    assert texts(s)[2] == "a\tb"


def test_turn_start_counts_whole_turns():
    s = Sessions(tmpdir("s_turn"))
    assert s.turn_start("a", 100) == 0
    for _ in range(50):
        s.persist("a", [user("123456789"), final("1234")])
    turn = 38 + 38
    assert read(s.data_path("a"))[37:38] == b"\n"
    assert s.turn_start("a", turn) == 98
    assert s.turn_start("a", turn - 1) == 98
    assert s.turn_start("a", 2 * turn - 1) == 98
    assert s.turn_start("a", 2 * turn) == 96
    assert s.turn_start("a", 50 * turn) == 0
    assert s.turn_start("a", 49 * turn + 5) == 2
    s.persist("a", [user("open")])
    assert s.turn_start("a", 1) == 100
    assert s.turn_start("a", 34 + turn) == 98


def test_compaction_keeps_the_tools_of_the_last_completed_turn_only():
    s = Sessions(tmpdir("s_compact"))
    big = '[{"role":"tool","tool_call_id":"c1","content":"%s"}]' % ("y" * 600)

    def fill():
        for i in range(3):
            s.persist("a", [user("q%d" % i), (CALLS, None, CALL), (RESULT, None, big)])
            s.persist("a", [final("a%d" % i)], True)

    with_limit(1800, fill)
    assert [r[0] for r in s.records("a")] == [1, 2, 1, 2, 1, 3, 4, 2]
    assert [e[0] for e in entries(s.data_path("a"))][1:] == [
        sum(e[1] for e in entries(s.data_path("a"))[:i]) for i in range(1, 8)
    ]
    assert texts(s)[:4] == ["q0", "a0", "q1", "a1"]
    s.persist("a", [final("more")], True)
    assert texts(s)[-1] == "more"


def test_an_iterator_over_a_rewritten_session_says_so():
    s = Sessions(tmpdir("s_iter"))
    for i in range(4):
        s.persist("a", [user("q%d" % i), (CALLS, None, CALL), (RESULT, None, ANSWER), final("a")])
    found = s.records("a")
    next(found)
    with_limit(700, s.persist, "a", [final("x")], True)
    raises(InvalidState, next, found)
    found = s.records("a")
    next(found)
    s.persist("a", [user("appending is fine")])
    assert len(list(found)) == s.count("a") - 2


def test_a_session_of_texts_over_the_limit_is_blocked_until_deleted():
    root = tmpdir("s_blocked")
    said = []
    s = Sessions(root, notice=said.append)
    with_limit(100, s.persist, "a", [user("x" * 80), final("y" * 80)], True)
    size = len(read(s.data_path("a")))
    e = raises(Blocked, s.gate, "a")
    assert "/session new" in str(e) and "/session delete" in str(e)
    assert said == [str(e)]
    raises(Blocked, s.persist, "a", [user("more")])
    assert read(s.data_path("a") + ".blocked") == b""
    assert len(read(s.data_path("a"))) == size
    s.close()
    s = Sessions(root)
    raises(Blocked, s.gate, "a")
    assert len(texts(s)) == 2
    s.gate("")
    s.gate("b")
    assert s.delete("a") is True
    s.gate("a")
    assert listdir(root) == []
    assert s.delete("a") is False
    s.persist("a", [user("anew")])
    assert texts(s) == ["anew"]


def test_what_a_cut_deletion_leaves_does_not_come_back():
    root = tmpdir("s_left")
    s = Sessions(root)
    s.persist("a", [user("old"), final("old")], True)
    s.close()
    path = s.data_path("a")
    old = read(path + ".idx")
    s.delete("a")
    write(path + ".idx", old)
    write(path + ".blocked", b"")
    s = Sessions(root)
    raises(NotFound, s.history, "a")
    assert s.count("a") == 0
    s.persist("a", [user("new")])
    assert texts(s) == ["new"]
    assert len(entries(path)) == 1
    assert not exists(path + ".blocked")


def test_summary_takes_the_place_of_the_oldest_turns():
    root = tmpdir("s_summary")
    asked = []

    def summarise(session_id, first, last):
        asked.append((session_id, first, last))
        return "SHORT"

    s = Sessions(root, summarise=summarise)
    for i in range(4):
        s.persist("a", [user("q%d" % i + "x" * 90), final("a%d" % i)], True)
    with_limit(500, s.persist, "a", [user("now"), final("done")], True)
    assert asked == [("a", 0, 6)]
    got = texts(s)
    assert got[0].endswith("SHORT") and got[1][:2] == "q3" and got[2:] == ["a3", "now", "done"]
    s.gate("a")
    s.close()
    assert texts(Sessions(root)) == got


def test_a_summary_may_come_later():
    s = Sessions(tmpdir("s_later"), summarise=lambda *args: True)

    def run():
        s.persist("a", [user("q" + "x" * 200), final("a")], True)
        s.persist("a", [user("now"), final("done")], True)
        s.persist("a", [user("goes on")])
        raises(InvalidState, s.put_summary, "b", "SHORT")
        raises(InvalidState, s.put_summary, "a", "SHORT")
        s.persist("a", [final("ok")], True)
        s.put_summary("a", "SHORT")

    with_limit(310, run)
    got = texts(s)
    assert got[0].endswith("SHORT") and got[1:] == ["now", "done", "goes on", "ok"]


def test_no_summary_blocks_and_a_later_one_opens_again():
    def fail(*args):
        raise OSError(110)

    said = []
    s = Sessions(tmpdir("s_fail"), summarise=fail, notice=said.append)
    for _ in range(2):
        s.persist("a", [user("q" + "x" * 200), final("a")], True)
    with_limit(400, s.persist, "a", [final("b")], True)
    with_limit(400, raises, Blocked, s.gate, "a")
    assert "failed" in said[0]
    s.summarise = lambda *args: "SHORT"
    with_limit(400, s.gate, "a")
    s.persist("a", [user("again")])
    assert texts(s)[0].endswith("SHORT")


def test_one_turn_of_endless_tool_output_becomes_a_summary_too():
    s = Sessions(tmpdir("s_huge"), summarise=lambda *args: "SHORT")
    s.persist("a", [user("q"), (CALLS, None, CALL), (RESULT, None, '["%s"]' % ("x" * 900))])
    with_limit(500, s.persist, "a", [final("done")], True)
    assert len(texts(s)) == 1 and texts(s)[0].endswith("SHORT")


def test_info():
    s = Sessions(tmpdir("s_info"))
    assert s.info("a") == (0, 0, 0)
    s.persist("a", [user("1"), final("2")], True)
    s.persist("a", [user("3")])
    turns, size, last = s.info("a")
    assert turns == 2 and size == len(read(s.data_path("a"))) and last >= 0


class Counting:
    """Stands in for open() and counts the bytes that are read."""

    def __init__(self):
        self.bytes = 0

    def open(self, path, mode="r"):
        return CountingFile(open(path, mode), self)


class CountingFile:
    def __init__(self, file, count):
        self.file = file
        self.count = count
        self.seek = file.seek
        self.write = file.write
        self.close = file.close
        self.flush = file.flush
        if hasattr(file, "fileno"):
            self.fileno = file.fileno

    def read(self, size=-1):
        data = self.file.read(size)
        self.count.bytes += len(data)
        return data

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.file.close()


def count_reads(fn, *args):
    counting = Counting()
    kept = durable._open
    durable._open = session_log.open = counting.open
    try:
        fn(*args)
    finally:
        durable._open = kept
        session_log.open = open
    return counting.bytes


def test_an_append_reads_at_most_64_bytes_at_1000_records():
    s = Sessions(tmpdir("s_reads"))
    for _ in range(50):
        s.persist("a", [user("hello"), final("world")] * 10)
    assert s.count("a") == 1000
    assert count_reads(s.persist, "a", [user("one more")]) <= 64
    assert count_reads(s.persist, "a", [final("and done")], True) <= 64


def test_the_last_messages_of_a_long_session_read_the_same_bytes_as_of_a_short_one():
    root = tmpdir("s_last")
    s = Sessions(root)
    for name, turns in (("short", 20), ("long", 500)):
        for _ in range(turns // 10):
            s.persist(name, [user("hello"), final("world")] * 10)
    s.close()

    def last(name):
        again = Sessions(root)
        assert len(list(again.messages_raw(name, again.turn_start(name, 800)))) == 20

    assert count_reads(last, "long") == count_reads(last, "short")


def test_memory_that_runs_out_around_a_write_neither_loses_nor_doubles_a_record():
    notices = []
    s = Sessions(tmpdir("s_short"), notice=notices.append)
    s.persist("a", [(USER, "one", None)])
    log = s.log("a")
    fails = []

    def short(*_):
        fails.append(1)
        raise MemoryError

    log.add = short  # the record is in the file by then
    s.persist("a", [(FINAL, "two", None)])
    assert fails and s.count("a") == 2
    from claw_memory import session_compact  # others have it leave the heap

    shrink, session_compact.shrink = session_compact.shrink, short
    before = limits.SESSION_BYTES
    limits.SESSION_BYTES = 50
    try:
        s.persist("a", [(USER, "three", None), (FINAL, "four", None)], True)
        assert len(fails) == 2 and s.untidy == "a" and not notices
        s.tidy()  # with no more memory than the turn had
    finally:
        limits.SESSION_BYTES = before
        session_compact.shrink = shrink
    assert len(fails) == 3 and "not enough memory" in notices[-1] and not s.untidy
    assert [m["content"] for m in s.history("a")] == ["one", "two", "three", "four"]
    # before anything is written it is a failure
    append = durable.append
    durable.append = short
    try:
        raises(MemoryError, s.persist, "a", [(USER, "five", None)])
    finally:
        durable.append = append
    assert s.count("a") == 4


def test_a_session_that_is_destroyed_or_gone_is_told():
    root = tmpdir("s_lost")
    told = []
    s = Sessions(root, notice=told.append)
    s.persist("a", [user("hello"), final("hi")], True)
    s.persist("b", [user("hello"), final("hi")], True)
    s.close()
    path = s.data_path("a")
    index = read(path + ".idx")
    write(path, b"\xff" * 3000)
    assert s.count("a") == 0
    assert told == [
        "Session file %s: no record in its 3000 bytes can be read; what was said in it is lost, "
        "unless a backup has it." % path
    ]
    os.remove(path)
    write(path + ".idx", index)
    del told[:]
    s = Sessions(root, notice=told.append)
    assert s.count("a") == 0 and s.count("b") == 2
    assert told == [
        "Session file %s is gone or empty, but not its index: unless you deleted it, "
        "what was said in it is lost, or in a backup." % path
    ]
    s.persist("a", [user("anew")], True)
    s = Sessions(root, notice=told.append)
    assert texts(s) == ["anew"] and len(told) == 1
    s.delete("a")
    assert Sessions(root, notice=told.append).count("a") == 0 and len(told) == 1
