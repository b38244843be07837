"""A chat with a model server on the simulated board: tools, sessions, streams, failures, keys."""

import re
import socket
import time

import pytest
from tests_host.boardlib import REPL, Board

from tests_host.model_server import ModelServer, calls, error, plain, text

KEY = "sk-board-0123456789abcdef"
FACT = {"content": "the cat is called Pixel", "tags": ["pet"], "keywords": ["cat", "Pixel"]}


def board(server, **options):
    """A board whose settings name the server, and which does not learn in the background."""
    options.setdefault("files", {})["/config.json"] = '{"extract.enabled":false}'
    env = {"CLAW_BASE_URL": server.url, "CLAW_MODEL": "scripted", "CLAW_API_KEY": KEY}
    return Board(firmware=True, env=env, **options)


def said(request):
    """The conversation of a request as [(role, content)], without the system prompt."""
    return [(m["role"], m["content"]) for m in request.json["messages"][1:]]


def system(request):
    """The system prompt of a request."""
    first = request.json["messages"][0]
    assert first["role"] == "system"
    assert [m["role"] for m in request.json["messages"]].count("system") == 1
    return first["content"]


@pytest.mark.parametrize("fs", ["lfs2", "fat"])
def test_a_memory_is_stored_and_recalled_after_a_reset(fs):
    script = [
        calls(("memory_store", FACT), content="Let me keep that."),
        text("I will remember Pixel."),
        calls(("memory_recall", {"summary_labels": ["pet"]})),
        text("Your cat is called Pixel."),
    ]
    with ModelServer(script) as server, board(server, fs=fs) as b:
        b.prompt()
        shown = b.ask("my cat is called Pixel")
        assert "claw> Let me keep that.\r\n[memory_store …]\r\nclaw> I will remember" in shown
        assert "Memory update: [pet]" in shown
        b.send_line("/reset")
        b.prompt()
        assert "Your cat is called Pixel." in b.ask("what is my cat called?")
        first, second, third, fourth = server.requests
        assert said(first) == [("user", "my cat is called Pixel")]
        assert said(second)[0] == ("user", "my cat is called Pixel")
        assert [role for role, _ in said(second)] == ["user", "assistant", "tool"]
        assert '"ok":true' in said(second)[2][1]
        # the history exactly once, in order, with the current message last
        assert [role for role, _ in said(third)] == "user assistant tool assistant user".split()
        assert said(third)[3:] == [
            ("assistant", "I will remember Pixel."),
            ("user", "what is my cat called?"),
        ]
        assert "the cat is called Pixel" in said(fourth)[-1][1]
        # profile, then catalog, each once
        for request in server.requests:
            prompt = system(request)
            assert prompt.count("User Profile (") == prompt.count("Agent Soul (") == 1
            labels = "Labels of what you remember:"
            assert prompt.count(labels) == 1
            assert prompt.index("Agent Identity Card (") < prompt.index(labels)
        assert "\n> pet\n" not in system(first) and "\n> pet\n" in system(second)
        assert system(third).count("\n> pet\n") == 1
        names = [t["function"]["name"] for t in first.json["tools"]]
        assert names.count("memory_store") == 1 and len(names) == len(set(names))
        assert KEY.encode() not in b.log


def test_a_session_is_switched_and_switched_back():
    with ModelServer([text(word) for word in ("one", "two", "three")]) as server:
        with board(server) as b:
            b.prompt()
            b.ask("first session")
            assert "work" in b.ask("/session new work")
            b.ask("second session")
            assert "default_01" in b.ask("/session switch default_01")
            b.ask("back again")
        assert said(server.requests[1]) == [("user", "second session")]
        assert said(server.requests[2]) == [
            ("user", "first session"),
            ("assistant", "one"),
            ("user", "back again"),
        ]


def test_a_profile_file_edited_by_the_model_is_in_the_next_request():
    edit = {"path": "soul.md", "content": "# Soul\n\nYou always rhyme.\n"}
    with ModelServer([calls(("files_edit", edit)), text("Done."), text("Fun.")]) as server:
        with board(server) as b:
            b.prompt()
            b.ask("rhyme from now on")
            b.ask("hello")
        assert "always rhyme" not in system(server.requests[0])
        # the second round of the same message knows it already
        assert system(server.requests[1]).count("You always rhyme.") == 1
        assert system(server.requests[2]).count("You always rhyme.") == 1


def test_a_reply_of_200_kilobytes_in_a_small_heap():
    long = "".join(["%06d " % i for i in range(29258)])
    with ModelServer([text(long, piece=120), text("after")]) as server:
        with board(server, heap="256K") as b:
            b.prompt()
            shown = b.ask("talk a lot", timeout=120)
            assert long.strip() in shown
            assert "after" in b.ask("and now?")
            assert "last error: none" in b.ask("/status")
        kept = said(server.requests[1])[1][1]
        assert kept.startswith("000000 000001 ") and len(kept) <= 4096
        assert kept.endswith("[… cut: the answer had %d characters]" % len(long))


def test_answers_without_words_and_calls_for_ever():
    script = [text(""), plain(None)]
    script += [calls(("memory_list", {}))] * 3
    script += [calls(("files_read", {"path": "soul.md", "offset": i})) for i in range(11)]
    with ModelServer(script) as server, board(server) as b:
        b.prompt()
        assert "claw> The model gave an empty answer" in b.ask("one")
        assert "claw> The model gave an empty answer" in b.ask("two")
        assert "memory_list was called 3 times" in b.ask("three")
        assert "after 10 rounds" in b.ask("four", timeout=60)
        assert len(server.requests) == 16


def test_a_lost_server_is_named_and_tried_again():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    env = {"CLAW_BASE_URL": "http://127.0.0.1:%d/v1" % port, "CLAW_MODEL": "m"}
    with Board(firmware=True, env=env) as b:
        b.prompt()
        shown = b.ask("remember that my bike is red")
        assert "! Nothing answers at 127.0.0.1:%d" % port in shown
        assert "offline" in shown and "bike" in shown
        shown = b.ask("hello")
        assert "! Nothing answers at" in shown and "offline" in shown
        b.send_line("/exit")
        b.expect(REPL)
    with ModelServer([error(401, "bad key " + KEY), text("online")]) as server:
        with board(server) as b:
            b.prompt()
            shown = b.ask("hello")
            assert "HTTP 401" in shown and "model.key" in shown and "offline" in shown
            assert "claw> online" in b.ask("hello")
            assert KEY.encode() not in b.log


def test_the_offline_model_steps_in_where_the_heap_is_small():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    env = {"CLAW_BASE_URL": "http://127.0.0.1:%d/v1" % port, "CLAW_MODEL": "m"}
    with Board(firmware=True, env=env, heap="256K") as b:
        b.prompt()
        for said, answer in (
            ("my cat is called Pixel", "Remembered: my cat"),
            ("我叫李雷", "已记住"),
            ("what is my cat called?", "- my cat is called Pixel"),
        ):
            shown = b.ask(said, timeout=60)
            assert "! Nothing answers at" in shown and answer in shown, shown
            assert "model: openai" in b.ask("/status")


def test_settings_typed_at_the_console_are_kept_and_the_key_is_not_seen():
    with ModelServer([text("hi"), text("hi again")]) as server:
        with Board(firmware=True) as b:
            b.prompt()
            b.ask("/config set model.base_url " + server.url)
            b.ask("/config set model.name scripted")
            b.ask("/config set extract.enabled false")
            b.ask("/config set model.key")
            assert "model.key is now ****" in b.ask(KEY)
            assert "claw> hi" in b.ask("hello")
            b.send_line("/reset")
            b.prompt()
            assert "claw> hi again" in b.ask("hello")
            assert "model.key = ****" in b.ask("/config show")
            b.send_line("/exit")
            b.expect(REPL)
            b.repl("import os")
            b.repl("d = '/sessions/'")
            b.repl("s = b''.join(open(d + n, 'rb').read() for n in os.listdir(d) if n[0] == 's')")
            assert "True" in b.repl("b'hello' in s")
            assert "True" in b.repl("b'sk-' not in s")
            assert KEY.encode() not in b.log and b"0123456789" not in b.log
        assert server.requests[1].headers["authorization"] == "Bearer " + KEY
        assert all(KEY not in str(said(r)) for r in server.requests)


def test_a_stopped_reply_keeps_what_came_and_the_chat_goes_on():
    slow = text("word " * 100, piece=5, pause=0.05)
    with ModelServer([slow, text("next")]) as server, board(server) as b:
        b.prompt()
        b.send_line("talk")
        b.expect("word word word ")
        b.send("\x03")
        assert "[stopped]" in b.prompt()
        assert "claw> next" in b.ask("go on")
        kept = said(server.requests[1])[1][1]
        assert re.match(r"(word )+.*\[stopped by the user\]$", kept)
        b.send("\x03")
        b.expect(REPL)
        assert "2" in b.repl("1 + 1")


def test_mpremote_takes_over_at_the_prompt():
    with ModelServer([text("hello")]) as server, board(server) as b:
        b.prompt()
        b.ask("hi")
        b.disconnect()
        assert "user.md" in b.mpremote("fs", "ls", "/memory")
        assert "42" in b.mpremote("exec", "print(6 * 7)")


def test_mpremote_takes_over_during_a_reply_and_what_came_is_kept():
    slow = text("word " * 400, piece=5, pause=0.05)
    with ModelServer([slow, text("next")]) as server, board(server) as b:
        b.prompt()
        b.send_line("talk")
        b.expect("word word word ")
        b.disconnect()
        assert "42" in b.mpremote("exec", "print(6 * 7)")
        b.connect()
        b.send("\r\x03\x02\r")
        b.expect(REPL)
        b.send_line("import main; main.main()")
        b.prompt()
        assert "claw> next" in b.ask("go on")
        kept = said(server.requests[1])[1][1]
        assert re.match(r"(word )+.*\[stopped by the user\]$", kept)


def test_the_chat_can_be_left_and_started_again_and_again():
    with ModelServer([text("word " * 100, pause=0.05)] + [text("fine")] * 3) as server:
        with board(server) as b:
            b.prompt()
            b.send_line("talk")
            b.expect("word word ")
            b.send("\x03")
            b.prompt()
            for leave in ("\x03", "/exit\r", "\x04"):
                b.send(leave)
                b.expect(REPL)
                # nothing of the chat is left that would take characters away
                assert "ABCDEFGHIJ" in b.repl("print('abcdefghij'.upper())")
                b.send_line("main()")
                b.prompt()
                assert "claw> fine" in b.ask("hello")


def test_the_console_lives_while_the_server_stalls():
    answer = text("finally")
    answer.stall_at, answer.stall = 0, 3
    with ModelServer([answer, text("second"), text("third")]) as server, board(server) as b:
        b.prompt()
        b.send_line("one")
        time.sleep(0.5)
        b.send_line("two")
        b.send_line("three")
        shown = b.expect(re.compile(rb"claw> third\r\nyou> $"))
        assert "claw> finally\r\nyou> two\r\nclaw> second\r\nyou> three\r\nclaw> third" in shown
        assert [r.json["messages"][-1]["content"] for r in server.requests] == [
            "one",
            "two",
            "three",
        ]


def test_a_cut_stream_is_shown_marked_and_stored():
    answer = text("The answer is that " * 20)
    answer.cut_at = answer.size() // 2
    with ModelServer([answer, text("fine")]) as server, board(server) as b:
        b.prompt()
        shown = b.ask("hello")
        assert "claw> The answer is that" in shown and "broke off" in shown
        b.ask("again")
        assert "[cut: 127.0.0.1:%d broke off" % server.port in said(server.requests[1])[1][1]
