"""One conversation with servers of both formats, and where the secrets of a board may be seen."""

import json

import pytest
from tests_host.boardlib import REPL, Board

from tests_host import anthropic_script as claude
from tests_host.model_server import ModelServer, calls, error, text

KEY = "sk-switch-0123456789abcdef"
PASSWORD = "wifi-secret-77"
FACT = {"content": "the cat is called Pixel", "tags": ["pet"], "keywords": ["cat", "Pixel"]}


def settings(server, **more):
    values = {"model.base_url": server.url, "model.name": "scripted", "model.key": KEY}
    values.update({"extract.enabled": False, "model.provider": "openai"})
    values.update({name.replace("_", "."): value for name, value in more.items()})
    return {"/config.json": json.dumps(values)}


@pytest.mark.parametrize("fs", ["lfs2", "fat"])
def test_the_conversation_goes_on_with_the_other_format(fs):
    script = [
        calls(("memory_store", FACT)),
        text("Noted: Pixel."),
        claude.calls(("memory_recall", {"summary_labels": ["pet"]})),
        claude.text("Pixel, by Anthropic."),
        text("Still Pixel."),
    ]
    with ModelServer(script) as server:
        with Board(firmware=True, fs=fs, files=settings(server)) as b:
            b.prompt()
            assert "claw> Noted: Pixel." in b.ask("my cat is called Pixel")
            b.ask("/config set model.provider anthropic")
            assert "claw> Pixel, by Anthropic." in b.ask("what is my cat called?")
            b.ask("/config set model.provider openai")
            b.send_line("/reset")
            b.prompt()
            assert "claw> Still Pixel." in b.ask("and now?")
    paths = [request.path for request in server.requests]
    assert paths == ["/v1/chat/completions"] * 2 + ["/v1/messages"] * 2 + ["/v1/chat/completions"]
    third, fourth, fifth = [request.json["messages"] for request in server.requests[2:]]
    words = json.dumps(third)
    # what OpenAI's turn said and did is there, in a form that Anthropic's API takes
    for part in ("my cat is called Pixel", "Noted: Pixel.", "what is my cat called?"):
        assert words.count(part) == 1, (part, words)
    assert {m["role"] for m in third} == {"user", "assistant"} and "tool_calls" not in words
    roles = [m["role"] for m in fourth]
    assert roles[0] == "user" and all(a != b for a, b in zip(roles, roles[1:], strict=False))
    uses = [block for m in fourth if isinstance(m["content"], list) for block in m["content"]]
    assert [u["type"] for u in uses][-2:] == ["tool_use", "tool_result"]
    words = json.dumps(fifth)
    for part in ("Noted: Pixel.", "what is my cat called?", "Pixel, by Anthropic.", "and now?"):
        assert words.count(part) == 1, (part, words)
    assert "tool_use" not in words
    answered = [m["tool_call_id"] for m in fifth if m["role"] == "tool"]
    asked = [c["id"] for m in fifth for c in m.get("tool_calls", ())]
    assert answered == asked


def test_no_secret_is_printed_or_stored_outside_of_the_settings():
    echo = "you sent Authorization: Bearer %s and %s" % (KEY, KEY[:-4])
    script = [error(status, echo) for status in (400, 401, 404, 418)]
    script += [error(500, echo)] * 3
    script += [text("half", done=False, cut_at=400), text("half", done=False, cut_at=400)]
    script += [text("half", done=False, cut_at=400), text("fine")]
    with ModelServer(script) as server:
        more = {"wifi.ssid": "ClawNet", "wifi.password": PASSWORD}
        files = settings(server, **more)
        with Board(firmware=True, files=files) as b:
            b.prompt()
            for n in range(6):
                b.ask("message %d" % n, timeout=60)
                b.ask("/status")
            b.ask("/config show")
            b.ask("/config set model.key")
            b.ask(KEY + "2")
            b.ask("/config set wifi.password")
            b.ask(PASSWORD)
            b.send_line("/exit")
            b.expect(REPL)
            assert PASSWORD.encode() not in b.log and KEY[:-4].encode() not in b.log
            b.repl("import os; found = []")
            walk = [
                "for p in ('/sessions/', '/memory/', '/'):",
                "  for e in os.ilistdir(p):",
                "    if e[1] == 0x8000:",
                "      found.append((p + e[0], open(p + e[0], 'rb').read()))",
            ]
            b.repl("exec(%r)" % "\n".join(walk))
            names = b.repl("print(sorted([n for n, d in found]))")
            for name in ("/main.py", "/config.json", "/memory/user.md"):
                assert name in names, names
            assert names.count("/sessions/") >= 2, names
            for secret in (KEY[:-4], PASSWORD):
                holders = b.repl("print([n for n, d in found if b'%s' in d])" % secret)
                assert holders.strip() == "['/config.json']", holders
