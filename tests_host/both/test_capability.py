"""Capabilities: the check of arguments, results, errors, and the list for the model."""

from bothlib import run

from claw_core.capability import Capabilities, fits
from claw_core.misused import problem as problem_of
from claw_memory import jsonio
from claw_memory.errors import NotFound

SCHEMA = (
    '{"type":"object","properties":{"s":{"type":"string"},"i":{"type":"integer"},'
    '"n":{"type":"number"},"b":{"type":"boolean"},"a":{"type":"array","items":{"type":"string"}},'
    '"t":{"type":["string","array"]},"e":{"enum":["x","y"]}},"required":["s"]}'
)


def problem(text):
    value, schema = jsonio.loads(text), jsonio.loads(SCHEMA)
    found = problem_of(value, schema, "arguments")
    assert fits(value, schema) == (not found), text
    return found


def test_arguments_that_fit():
    for text in (
        '{"s":"x"}',
        '{"s":"","i":3,"n":1.5,"b":true,"a":["p"],"t":"q","e":"y"}',
        '{"s":"x","i":3.0,"n":2,"t":["q"],"a":[],"unknown":{}}',
        '{"s":"x","i":null}',
    ):
        assert problem(text) == "", text


def test_arguments_that_do_not_fit_are_named():
    for text, name in (
        ("{}", "s"),
        ('{"s":null}', "s"),
        ('{"s":1}', "s"),
        ('{"s":"x","i":"3"}', "i"),
        ('{"s":"x","i":1.5}', "i"),
        ('{"s":"x","i":true}', "i"),
        ('{"s":"x","n":false}', "n"),
        ('{"s":"x","b":1}', "b"),
        ('{"s":"x","a":"p"}', "a"),
        ('{"s":"x","a":["p",1]}', "a"),
        ('{"s":"x","t":{}}', "t"),
        ('{"s":"x","e":"z"}', "e"),
        ("[]", "arguments"),
    ):
        assert name in problem(text), (text, problem(text))


def test_calls():
    caps = Capabilities()
    seen = []

    def plain(args, ctx):
        seen.append((args, ctx))
        return '{"ok":true}'

    async def slow(args, ctx):
        return "later"

    def missing(args, ctx):
        raise NotFound("there is no such thing")

    def refused(args, ctx):
        return '{"ok":false,"error":"no"}'

    def wrong(args, ctx):
        return {}["key"]

    for fn in (plain, slow, missing, refused, wrong):
        caps.add(fn.__name__, "Does it.", "{}", fn, fn is slow)
    assert caps.names() == ["plain", "slow", "missing", "refused", "wrong"]
    assert caps.exempt("slow") and not caps.exempt("plain") and not caps.exempt("other")
    assert run(caps.call("plain", '{"a":1}', "ctx")) == ('{"ok":true}', False)
    assert run(caps.call("plain", " ", "ctx")) == ('{"ok":true}', False)
    assert run(caps.call("plain", {"b": 2}, "ctx")) == ('{"ok":true}', False)
    assert seen == [({"a": 1}, "ctx"), ({}, "ctx"), ({"b": 2}, "ctx")]
    assert run(caps.call("slow", "{}", None)) == ("later", False)
    assert run(caps.call("refused", "{}", None)) == ('{"ok":false,"error":"no"}', True)
    for name, args, code, word in (
        ("missing", "{}", "not_found", "no such thing"),
        ("wrong", "{}", "failed", "KeyError"),
        ("other", "{}", "unknown_tool", "plain, slow"),
        ("plain", "{", "invalid_json", "JSON"),
        ("plain", '{"a":1,}', "invalid_json", "JSON"),
    ):
        text, failed = run(caps.call(name, args, None))
        value = jsonio.loads(text)
        assert failed and value["ok"] is False and value["error"] == code, text
        assert word in value["message"], text


def test_the_list_for_the_model():
    caps = Capabilities()
    assert b"".join(caps.tools_chunks()) == b""
    caps.add("one", 'Says "hi" ü', SCHEMA, None)
    caps.add("two", "Other", "{}", None)
    caps.add("one", "Replaced ü", SCHEMA, None)
    tools = jsonio.loads(b"".join(caps.tools_chunks()))
    assert [t["function"]["name"] for t in tools] == ["two", "one"]
    assert tools[1]["type"] == "function"
    assert tools[1]["function"]["description"] == "Replaced ü"
    assert tools[1]["function"]["parameters"] == jsonio.loads(SCHEMA)
    assert [row[0] for row in caps.rows()] == ["two", "one"]
