"""What users of ESP-Claw's sessions lost or could lose, and what happens here instead.

One test or more per weakness; each is named after the loss.
"""

import struct

from bothlib import raises, read, tmpdir, write

from claw_memory import durable, jsonio, limits, session_log
from claw_memory.errors import Blocked, ClawError, InvalidArg, NoSpace
from claw_memory.sessions import CALLS, FINAL, RESULT, USER, Sessions

CALL = '{"role":"assistant","content":"","tool_calls":[{"id":"c1","type":"function"}]}'
ANSWER = '[{"role":"tool","tool_call_id":"c1","content":"on"},{"role":"tool","content":"2"}]'
USE = '{"role":"assistant","content":[{"type":"tool_use","id":"k","name":"g","input":{}}]}'
USED = '[{"role":"user","content":[{"type":"tool_result","tool_use_id":"k","content":"on"}]}]'


def _same(file):
    return file


def make(name, backend=1):
    """A closed session of nine records: (root, path of its data, its records)."""
    root = tmpdir(name)
    s = Sessions(root, backend)
    call, answer = (CALL, ANSWER) if backend == 1 else (USE, USED)
    for i in range(2):
        s.persist("a", [(USER, "question %d" % i, None)])
        s.persist("a", [(CALLS, None, call), (RESULT, None, answer)])
        s.persist("a", [(FINAL, "\u7b54 %d" % i, None)], True)
    s.persist("a", [(USER, "bye", None)])
    s.close()
    return root, s.data_path("a"), list(s.records("a"))


def reopened(root, said=None, backend=1):
    notice = None if said is None else said.append
    s = Sessions(root, backend, notice=notice)
    return s, list(s.records("a"))


def simple(records):
    """Records without their format: text records do not tell it."""
    return [(kind, raw) for kind, _, raw in records]


def survives(root, path, records, backend=1):
    """Reading gives all records, and so does the next start, from an index that fits."""
    s, found = reopened(root, None, backend)
    assert simple(found) == simple(records), found
    s.close()
    size = (len(read(path + ".idx")) - 8) // 10
    assert size == len(records)
    again = Sessions(root, backend)
    assert simple(again.records("a")) == simple(records)
    assert len(list(again.history("a"))) >= len(records)
    return found


def test_lost_session_because_its_index_was_gone():
    for backend in (1, 2):
        root, path, records = make("d_noidx%d" % backend, backend)
        durable.remove(path + ".idx")
        found = survives(root, path, records, backend)
        told = [form for kind, form, _ in found if kind in (CALLS, RESULT)]
        assert told == [backend] * 4
        assert [form for kind, form, _ in found if kind in (USER, FINAL)] == [0] * 5


def test_lost_session_because_of_one_flipped_byte_in_the_index_header():
    root, path, records = make("d_header")
    good = read(path + ".idx")
    for at in range(8):
        write(path + ".idx", good[:at] + bytes((good[at] ^ 1,)) + good[at + 1 :])
        found = survives(root, path, records)
        # What fits of the old index is kept, formats included.
        assert found == records
        assert read(path + ".idx") == good


def test_lost_session_because_of_an_index_entry_that_was_cut():
    root, path, records = make("d_entry")
    good = read(path + ".idx")
    for size in range(len(good)):
        write(path + ".idx", good[:size])
        survives(root, path, records)


def test_lost_session_because_of_flipped_bytes_in_an_index_entry():
    root, path, records = make("d_flip")
    good = read(path + ".idx")
    for at in range(8, len(good), 3):
        write(path + ".idx", good[:at] + bytes((good[at] ^ 0x41,)) + good[at + 1 :])
        s, found = reopened(root)
        raws = [raw for _, _, raw in found]
        assert raws == [raw for _, _, raw in records], at
        s.close()


def test_lost_session_because_the_last_record_was_torn():
    root, path, records = make("d_torn")
    data = read(path)
    idx = read(path + ".idx")
    last = len(records[-1][2]) + 1
    for cut in range(1, last + 1):
        write(path, data[: len(data) - cut])
        write(path + ".idx", idx)
        said = []
        s, found = reopened(root, said)
        # Only its newline is missing: the value is complete, so it stays.
        want = records if cut == 1 else records[:-1]
        assert simple(found) == simple(want), cut
        if 1 < cut < last:
            assert len(said) == 1 and str(last - cut) in said[0], said
        s.persist("a", [(USER, "next", None)])
        assert [raw for _, _, raw in s.records("a")][-1] == b'{"role":"user","content":"next"}'
        s.close()
        _, found = reopened(root)
        assert len(found) == len(want) + 1


def test_lost_message_after_a_torn_one_that_swallowed_it():
    root, path, records = make("d_swallow")
    torn = b'{"role":"user","content":"tor'
    with open(path, "ab") as f:
        f.write(torn)
    s = Sessions(root)
    s.persist("a", [(USER, "after the tear", None)], True)
    s.close()
    want = simple(records) + [(USER, b'{"role":"user","content":"after the tear"}')]
    assert simple(reopened(root)[1]) == want
    durable.remove(path + ".idx")
    assert simple(reopened(root)[1]) == want


def test_lost_messages_that_esp_claw_wrote_right_behind_a_torn_one():
    for torn in (
        b'{"role":"user","content":"tor',
        b'[{"role":"tool","content":"x"}',
        b"\x00" * 700,
    ):
        root, path, records = make("d_behind")
        data = read(path)
        at = len(records[0][2]) + 1
        write(path, data[:at] + torn + data[at:])
        durable.remove(path + ".idx")
        said = []
        s, found = reopened(root, said)
        assert simple(found) == simple(records), torn
        assert str(len(torn)) in said[0]


def test_lost_message_whose_role_and_newline_are_damaged():
    root, path, records = make("d_role")
    data = read(path)
    first, second = [record[2] for record in records[:2]]
    odd = first.replace(b'"role":"user"', b'"role":"usEr"')
    assert odd != first and data.startswith(first + b"\n")
    write(path, odd + b"*" + data[len(first) + 1 :])
    durable.remove(path + ".idx")
    assert [record[1] for record in simple(reopened(root)[1])][:2] == [odd, second]


def test_lost_neighbours_of_a_sector_of_garbage():
    root, path, records = make("d_sector")
    data = read(path)
    idx = read(path + ".idx")
    start = 0
    for number in range(len(records)):
        size = len(records[number][2]) + 1
        for junk in (b"\0" * 64, b'"' * 64, b'"[' * 32, b'"' + b'{"role":' * 8):
            middle = start + size // 2
            write(path, data[:middle] + junk + data[middle + 1 :])
            durable.remove(path + ".idx")
            want = simple(records[:number] + records[number + 1 :])
            assert simple(reopened(root)[1]) == want, (number, junk)
            write(path + ".idx", idx)
            assert simple(reopened(root)[1]) == want, (number, junk)
        start += size


def test_lost_record_start_does_not_make_its_parts_records():
    root, path, records = make("d_start")
    data = read(path)
    skip = len(records[0][2]) + 1 + len(records[1][2]) + 1
    assert records[2][0] == RESULT
    for lost in (5, 30, 60):
        write(path, data[:skip] + b"\0" * lost + data[skip + lost :])
        durable.remove(path + ".idx")
        assert simple(reopened(root)[1]) == simple(records[:2] + records[3:]), lost


def test_lost_newline_between_two_records():
    root, path, records = make("d_newline")
    data = read(path)
    at = len(records[0][2])
    for filler in (b"", b"X"):
        write(path, data[:at] + filler + data[at + 1 :])
        durable.remove(path + ".idx")
        survives(root, path, records)
        if not filler:
            assert read(path) == data


def test_lost_session_because_its_index_was_that_of_another_session():
    root, path, records = make("d_swap")
    s = Sessions(root)
    for i in range(9):
        s.persist("b", [(USER, "other " * i, None), (FINAL, "x", None)], True)
    s.close()
    other = s.data_path("b")
    want = list(s.records("b"))
    s.close()
    mine, its = read(path + ".idx"), read(other + ".idx")
    write(path + ".idx", its)
    write(other + ".idx", mine)
    survives(root, path, records)
    assert simple(Sessions(root).records("b")) == simple(want)


def test_lost_types_because_another_index_fitted_by_its_lengths():
    root = tmpdir("d_lengths")
    s = Sessions(root)
    s.persist("a", [(USER, "12345678", None), (FINAL, "123", None)], True)
    s.close()
    path = s.data_path("a")
    data = read(path + ".idx")
    # Types exchanged, and the header broken so that the index is made anew.
    write(path + ".idx", b"X" + data[1:16] + b"\2" + data[17:26] + b"\1" + data[27:])
    assert [r[0] for r in reopened(root)[1]] == [USER, FINAL]


def test_lost_session_because_of_an_unknown_index_version():
    root, path, records = make("d_version")
    write(path + ".idx", b"CHDX\x02\x00\x0c\x00" + b"\x07" * 120)
    survives(root, path, records)


def test_lost_session_because_the_index_was_empty():
    root, path, records = make("d_empty")
    for left in (b"", b"CHDX\x01\x00\x0a\x00"):
        write(path + ".idx", left)
        survives(root, path, records)


def test_lost_session_because_the_model_sent_one_malformed_record():
    root, path, records = make("d_poison")
    s = Sessions(root)
    for bad in ('{"role":"assistant"', "not json", '{"a":1}{"b":2}', '{"a":1,}', '["x" "y"]', ""):
        raises(InvalidArg, s.persist, "a", [(USER, "kept out", None), (CALLS, None, bad)])
    assert simple(s.records("a")) == simple(records)
    s.close()
    # One that ESP-Claw wrote, with an entry of its own.
    bad = b'{"role":"assistant","content":"cut off\n'
    idx = read(path + ".idx")
    size = len(read(path))
    write(path + ".idx", idx + struct.pack("<IIBB", size, len(bad), 2, 1))
    with open(path, "ab") as f:
        f.write(bad)
    survives(root, path, records)


def test_lost_record_of_esp_claw_that_holds_newlines():
    root, path, records = make("d_pretty")
    pretty = (
        b'{\n  "role": "assistant",\n  "content": [\n    {\n      "type": "text"\n    }\n  ]\n}'
    )
    idx = read(path + ".idx")
    size = len(read(path))
    with open(path, "ab") as f:
        f.write(pretty + b"\n")
    want = records + [(FINAL, 2, pretty)]
    survives(root, path, want)
    write(path + ".idx", b"x" + idx[1:] + struct.pack("<IIBB", size, len(pretty) + 1, 2, 2))
    survives(root, path, want)
    durable.remove(path + ".idx")
    survives(root, path, want)


class Failing:
    """Stands in for open and os: from use number `left` on all fails."""

    def __init__(self, left, real_open, real_os):
        self.left = left
        self.real_open = real_open
        self.real_os = real_os

    def tick(self):
        self.left -= 1
        if self.left < 0:
            raise OSError(5)

    def open(self, path, mode):
        self.tick()
        return self.real_open(path, mode)

    def __getattr__(self, name):
        self.tick()
        return getattr(self.real_os, name)


def test_lost_session_because_it_was_compacted_while_the_power_failed():
    # Every write-side operation of the compaction fails in turn; after the restart the session
    # reads as before or as after it.
    real_open, real_os = durable._open, durable._os
    seen = set()
    step = 0
    done = False
    while not done:
        root, path, before = make("d_compact")
        s = Sessions(root)
        disk = Failing(step, real_open, real_os)
        saved = limits.SESSION_BYTES
        limits.SESSION_BYTES = 450
        durable._open, durable._os = disk.open, disk
        try:
            s.persist("a", [(FINAL, "end", None)], True)
            done = disk.left > 0
        except ClawError:
            pass
        finally:
            durable._open, durable._os = real_open, real_os
            limits.SESSION_BYTES = saved
        raws = [raw for _, _, raw in reopened(root)[1]]
        old = [raw for _, _, raw in before]
        new = [b'{"role":"assistant","content":"end"}']
        kept = old[:1] + old[3:]
        assert raws in (old, old + new, kept + new), (step, raws)
        seen.add(len(raws))
        step += 1
    assert step > 5 and len(seen) == 3, (step, seen)


def test_lost_message_on_a_full_disk_that_was_reported_as_stored():
    root, path, records = make("d_full")
    s = Sessions(root)
    assert simple(s.records("a")) == simple(records)

    class Full:
        def __init__(self, file):
            self.file = file
            self.seek, self.read = file.seek, file.read
            self.close, self.flush = file.close, file.flush

        def __enter__(self):
            return self

        def __exit__(self, *exc):
            self.file.close()

        def write(self, data):
            self.file.write(data[: len(data) // 2])
            raise OSError(28)

    kept = durable._open
    # Overwriting needs no room, appending does.
    durable._open = lambda path, mode: (Full if mode[0] == "a" else _same)(kept(path, mode))
    try:
        raises(NoSpace, s.persist, "a", [(USER, "first", None), (FINAL, "second", None)], True)
    finally:
        durable._open = kept
    assert simple(s.records("a")) == simple(records)
    s.persist("a", [(USER, "room again", None)], True)
    assert len(list(s.records("a"))) == len(records) + 1
    s.close()
    assert len(reopened(root)[1]) == len(records) + 1


def test_lost_access_to_a_session_that_cannot_be_repaired_on_a_full_disk():
    root, path, records = make("d_nospace")
    durable.remove(path + ".idx")

    def refuse(*args, **kwargs):
        raise NoSpace("full")

    kept = durable.replace
    durable.replace = refuse
    try:
        said = []
        s, found = reopened(root, said)
        assert simple(found) == simple(records)
        assert said == ["full"]
    finally:
        durable.replace = kept
    s.persist("a", [(FINAL, "x", None)], True)
    s.close()
    assert len(reopened(root)[1]) == len(records) + 1


def test_lost_chat_because_a_session_of_texts_stayed_blocked_for_good():
    s = Sessions(tmpdir("d_blocked"), summarise=lambda *args: "all of it")
    saved = limits.SESSION_BYTES
    limits.SESSION_BYTES = 2000
    try:
        for i in range(60):
            s.persist("a", [(USER, "question %d " % i * 9, None), (FINAL, "x", None)], True)
            s.gate("a")
    finally:
        limits.SESSION_BYTES = saved
    found = [m["content"] for m in s.history("a")]
    assert found[0].endswith("all of it") and found[-2].startswith("question 59")


def test_lost_advice_because_the_warning_was_cut():
    s = Sessions(tmpdir("d_advice"))
    saved = limits.SESSION_BYTES
    limits.SESSION_BYTES = 10
    try:
        s.persist("a", [(USER, "x", None), (FINAL, "x", None)], True)
    finally:
        limits.SESSION_BYTES = saved
    text = str(raises(Blocked, s.gate, "a"))
    assert text.endswith(".") and "/session new" in text and "/session delete" in text
    assert len(text) <= 191


def test_lost_speed_because_every_append_read_the_whole_index():
    s = Sessions(tmpdir("d_speed"))
    for _ in range(10):
        s.persist("a", [(USER, "x", None)] * 100)
    kept = session_log.SessionLog.block

    def refuse(*args):
        raise AssertionError("the index was read")

    session_log.SessionLog.block = refuse
    try:
        s.persist("a", [(USER, "x", None), (FINAL, "y", None)], True)
    finally:
        session_log.SessionLog.block = kept
    assert s.count("a") == 1002


def test_lost_ram_because_history_was_one_string():
    s = Sessions(tmpdir("d_ram"))
    for _ in range(50):
        s.persist("a", [(USER, "z" * 1000, None)])
    read_sizes = []
    kept = session_log.open if hasattr(session_log, "open") else open

    class Watched:
        def __init__(self, file):
            self.file = file
            self.seek = file.seek

        def read(self, size):
            read_sizes.append(size)
            return self.file.read(size)

        def __enter__(self):
            return self

        def __exit__(self, *exc):
            self.file.close()

    session_log.open = lambda path, mode: Watched(open(path, mode))
    try:
        found = s.messages_raw("a")
        next(found)
        assert sum(read_sizes) < 2000
        assert sum(1 for _ in found) == 49
    finally:
        session_log.open = kept
    assert max(read_sizes) < 1100


def test_lost_request_because_of_a_tool_call_without_its_result():
    root, path, records = make("d_call")
    s = Sessions(root)
    s.persist("a", [(CALLS, None, CALL)])
    s.persist("a", [(USER, "still there?", None)])
    roles = [jsonio.loads(m)["role"] for m in s.messages_raw("a")]
    assert roles[-2:] == ["user", "user"]
    assert len(list(s.history("a"))) == len(roles) + 1
