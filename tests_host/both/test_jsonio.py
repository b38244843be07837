"""jsonio and jsonscan: the JSON dialect of the files, strict and lenient reading."""

from bothlib import raises
from claw_memory import jsonio, jsonscan
from claw_memory.errors import InvalidArg


def test_dumps_is_compact_ordered_and_escapes_as_the_format_says():
    value = jsonio.obj("b", 1, "a", [True, False, None, "x"], "c", jsonio.obj(), "d", [], "e", -2)
    assert jsonio.dumps(value) == '{"b":1,"a":[true,false,null,"x"],"c":{},"d":[],"e":-2}'
    text = 'q" b\\ /\b\f\n\r\t\x00\x01\x1f\x7f \u00e9\u6c49\U0001f600'
    want = '"q\\" b\\\\ /\\b\\f\\n\\r\\t\\u0000\\u0001\\u001f\x7f \u00e9\u6c49\U0001f600"'
    assert jsonio.literal(text) == want
    assert jsonio.dumps(text) == want
    assert jsonio.loads(want) == text
    assert jsonio.literal_bytes(b'\xff"\x02') == b'"\xff\\"\\u0002"'


def test_dumps_numbers():
    for value, want in ((3, "3"), (-0.5, "-0.5"), (0.1, "0.1"), (2.0, "2"), (1e15, "1e+15")):
        assert jsonio.dumps(value) == want, want
    assert jsonio.dumps(2.0**31) == "2147483648"
    assert float(jsonio.dumps(1 / 3)) == 1 / 3


def test_dumps_refuses_what_is_not_json():
    for value in (b"x", float("nan"), float("inf"), {1: 2}, {"a": {1, 2}}, object()):
        raises(InvalidArg, jsonio.dumps, value)


GOOD = (
    b"{}",
    b"[]",
    b'""',
    b"0",
    b"-1.5e+3",
    b"true",
    b" null ",
    b'{"a":[1,{"b":"\\u00e9\\"\\\\"}]}',
    b"[1 , 2\n]",
    b'{"a" : "x"\r\n}',
    b'"\xe6\xb1\x89"',
    b"[[[]],{}]",
    b"1E5",
    b"0.10",
)
BAD = (
    b"",
    b" ",
    b"{",
    b"[1 2]",
    b"[1,]",
    b"[,1]",
    b'{"a":1,}',
    b'{"a"}',
    b"{a:1}",
    b'{"a":1 "b":2}',
    b"01",
    b"1.",
    b".5",
    b"-",
    b"+1",
    b"1e",
    b"tru",
    b"nul",
    b"True",
    b"NaN",
    b"Infinity",
    b"'a'",
    b'"a',
    b'"a\\x"',
    b'"\\u12g4"',
    b'"\\u123"',
    b'"a\nb"',
    b'"a\x01"',
    b'"a\x00"',
    b"[}",
    b"{]",
    b"}",
    b"]",
    b"[1]]",
    b"{} {}",
    b"1 2",
    b'"a"b',
    b'{"a":1}x',
    b"[1\x00]",
    b":",
    b",",
    b"[1:2]",
    b'{"a",1}',
    b"{1:2}",
    b"{{}}",
    b"\xef\xbb\xbf1",
    b"/1",
    b"[1/2]",
    b"1-2",
    b'{"a":"b":"c"}',
)


def test_loads_is_strict_on_both_runtimes():
    for data in GOOD:
        assert jsonscan.is_value(data), data
        jsonio.loads(data)
    for data in BAD:
        assert not jsonscan.is_value(data), data
        raises(ValueError, jsonio.loads, data)


def test_value_end_stops_after_the_first_value():
    assert jsonio.value_end(b'xx{"a":"}"}yy', 2) == 11
    assert jsonio.value_end(b" 12,") == 3
    assert jsonio.value_end(b"12") == 2
    assert jsonio.value_end(b'{"a":1') == -1
    assert jsonio.value_end(b'"a\nb"') == -1
    assert jsonio.value_end(b'"a\nb"', 0, False) == 5


def scan_in_pieces(data, step):
    state = [jsonscan.VALUE]
    kept = b""
    at = 0
    while at < len(data):
        kept += data[at : at + step]
        at += step
        done = jsonscan.scan(kept, 0, state, False, at >= len(data))
        if state[0] >= jsonscan.DONE:
            return state[0], min(at, len(data)) - len(kept) + done
        kept = kept[done:]
    return state[0], at


def test_scan_goes_on_across_reads_of_any_size():
    data = b'{"role":"user","n":[-1.5e3,true,null],"t":"a\\"b\\u00e9\\\\ \xe6\xb1\x89"}'
    for step in range(1, 30):
        mode, end = scan_in_pieces(data + b"\nrest", step)
        assert mode == jsonscan.DONE and end == len(data), step
        assert scan_in_pieces(data[:-1], step)[0] < jsonscan.DONE, step
        assert scan_in_pieces(data[:-2] + b"x", step)[0] != jsonscan.DONE, step
        assert scan_in_pieces(b'{"a":tru}', step)[0] == jsonscan.BAD, step
    assert scan_in_pieces(b"123", 1) == (jsonscan.DONE, 3)


def test_surrogate_pairs_become_one_character_and_lone_ones_the_replacement():
    assert jsonio.loads('"\\ud83d\\ude00"') == "\U0001f600"
    assert jsonio.loads('"a\\uD83D\\uDE00b"') == "a\U0001f600b"
    assert jsonio.loads('"\\ud83dx"') == "\ufffdx"
    assert jsonio.loads('"\\ud83d\\u0041"') == "\ufffdA"
    assert jsonio.loads('"\\ude00"') == "\ufffd"
    assert jsonio.loads('"\\\\ud83d"') == "\\ud83d"
    assert jsonio.loads('"\\ud83d\\ude00"').encode() == b"\xf0\x9f\x98\x80"


def test_loads_prefix_reads_as_esp_claw_does():
    assert jsonio.loads_prefix(b'\xef\xbb\xbf \x01{"a":1} trailing') == {"a": 1}
    assert jsonio.loads_prefix(b'"a\tb"') == "a\tb"
    raises(ValueError, jsonio.loads_prefix, b'{"a":')
    raises(ValueError, jsonio.loads_prefix, b"")


def test_get_prefers_the_exact_key():
    assert jsonio.get({"Role": 1, "role": 2}, "role") == 2
    assert jsonio.get({"ROLE": 1}, "role") == 1
    assert jsonio.get({}, "role", 5) == 5


def test_one_line():
    assert jsonio.one_line(b'{\n "a":1,\r\n "b":"\\n"}\n') == b'{  "a":1,   "b":"\\n"} '


def test_long_strings_full_of_escapes_stay_linear():
    from claw_memory.platform import ticks_diff, ticks_ms

    def cost(n):
        data = b'"' + b"\\n" * n + b'"'
        begin = ticks_ms()
        for _ in range(3):
            assert jsonio.value_end(data) == len(data)
        return ticks_diff(ticks_ms(), begin) + 2

    cost(1000)
    assert cost(40000) < 12 * cost(10000)


def test_nesting_is_bounded_as_in_esp_claw():
    deep = b"[" * 1000 + b"]" * 1000
    assert jsonscan.value_end(deep) == 2000
    assert jsonscan.value_end(b"[" + deep + b"]") == -1
    assert jsonscan.value_end(b'{"a":' * 1001 + b"1" + b"}" * 1001) == -1
    raises(ValueError, jsonio.loads, b"[" * 3000 + b"]" * 3000)
