"""The console: lines from bytes, echo, editing, secrets, and what is shown of a reply."""

import asyncio

from bothlib import run

from claw_core import console
from claw_core.events import Inbox
from claw_memory import limits


class Agent:
    """Takes events and does nothing with them."""

    def __init__(self):
        self.inbox = Inbox()
        self.leaving = False
        self.stops = 0

    def interrupt(self):
        self.stops += 1
        return True


class Terminal:
    """A console with what it wrote and the events that it put."""

    def __init__(self):
        self.agent = Agent()
        self.shown = ""
        self.console = console.Console(self.agent, None, self._write)
        self.console._prompt()
        self.alive = True

    def _write(self, text):
        self.shown += text

    def type(self, data, reply=True, step=1):
        """Type data, step bytes at a time; with reply each line is answered at once.

        Returns the new lines.
        """
        lines = []
        for start in range(0, len(data), step):
            self.alive = self.console.feed(data[start : start + step]) and self.alive
            while len(self.agent.inbox):
                event = run(self.agent.inbox.get())
                assert (event.channel, event.chat_id) == ("serial", "0")
                lines.append(event.text)
                if reply:
                    self.console.emit("done", "")
        return lines


def test_lines_end_in_any_way():
    terminal = Terminal()
    typed = b"one\rtwo\nthree\r\nfour\r\n\r\nfive\n"
    assert terminal.type(typed) == ["one", "two", "three", "four", "five"]
    assert terminal.shown.startswith("you> one\nyou> two\nyou> three\n")
    assert terminal.shown.endswith("you> five\nyou> ")


def test_a_paste_is_the_same_as_typing():
    text = "first line\rzweite Zeile ü\r/config set model.key sk-123 4\r记忆 🐈\x7f!\rlast\r"
    text = text.encode()
    typed = Terminal()
    expected = typed.type(text)
    assert expected[2] == "/config set model.key sk-123 4" and "sk-1" not in typed.shown
    for step in (2, 3, 7, 1000):
        pasted = Terminal()
        lines = pasted.type(text, step=step)
        assert lines == expected, step
        assert "sk-1" not in pasted.shown


def test_utf8_arrives_and_bad_bytes_are_replaced_with_one_notice():
    terminal = Terminal()
    text = "grüße 记忆 🐈"
    assert terminal.type(text.encode() + b"\r") == [text]
    assert text in terminal.shown
    for bad in (b"a\xffb", b"a\xc3b", b"a\x80b", b"a\xc0b"):
        assert terminal.type(bad + b"\r") == ["a\ufffdb"], bad
    # a surrogate, a code beyond the last one, an overlong form
    typed = b"a\xed\xa0\x80b\xf4\x90\x80\x80c\xe0\x80\x80\r"
    assert terminal.type(typed) == ["a\ufffdb\ufffdc\ufffd"]
    assert terminal.type(b"end\xe8\xae\r") == ["end\ufffd"]
    assert terminal.shown.count("no UTF-8") == 6


def test_backspace_takes_whole_characters():
    terminal = Terminal()
    assert terminal.type("ab记🐈c".encode() + b"\x7f\x7f\x08\x7f\x7f\x7f\x7fok\r") == ["ok"]
    assert "\b\b  \b\b" in terminal.shown  # a wide character is two columns
    assert terminal.type("é".encode()[:1] + b"\x7fx\r") == ["x"]


def test_controls_are_dropped_and_empty_lines_ignored():
    terminal = Terminal()
    assert terminal.type(b"\x00a\x01\x07b\x1b[A\x1b[1;5Cc\x1bOP\td\r") == ["abc d"]
    assert terminal.type(b"\r\n   \r\x00\r") == []
    assert terminal.shown.endswith("you> ")


def test_a_line_over_the_limit_is_one_sentence():
    terminal = Terminal()
    assert terminal.type(b"before\r" + b"x" * 65536 + b"\rafter\r") == ["before", "after"]
    assert terminal.shown.count("longer than") == 1
    assert terminal.type(b"y" * limits.LINE_BYTES + b"\r") == ["y" * limits.LINE_BYTES]


def test_typed_during_a_reply_is_queued_and_shown_when_it_is_its_turn():
    terminal = Terminal()
    assert terminal.type(b"one\r", False) == ["one"]
    before = terminal.shown
    assert terminal.type(b"two\rthree\rfour\rfive\r", False) == []
    assert terminal.shown == before
    for expected in ("two", "three", "four", "five"):
        terminal.console.emit("done", "")
        assert terminal.shown.endswith("you> %s\n" % expected)
        assert run(terminal.agent.inbox.get()).text == expected
    terminal.type(b"half", False)
    terminal.console.emit("done", "")
    assert terminal.shown.endswith("you> half")
    assert terminal.type(b" done\r") == ["half done"]


def test_a_long_paste_goes_in_from_its_start_and_the_rest_is_named_once():
    terminal = Terminal()
    lines = ["line %d of a text that somebody pastes into the console" % n for n in range(200)]
    for _ in range(2):
        terminal.shown = ""
        data = "\r".join(lines).encode() + b"\r"
        taken = terminal.type(data[:5000], False) + terminal.type(data[5000:], False)
        while terminal.console._busy:
            terminal.console.emit("done", "")
            if len(terminal.agent.inbox):
                taken.append(run(terminal.agent.inbox.get()).text)
        assert len(taken) > 70 and taken == lines[: len(taken)]
        assert sum([len(line) for line in taken[1:]]) <= limits.AHEAD_CHARS
        assert terminal.shown.count("Too much waits") == 1
        assert lines[len(taken)] in terminal.shown
    terminal.type(b"first\r" + b"x" * 4097 + b"\r/config set model.key sk-987654\r", False)
    assert "Too much waits" in terminal.shown and "sk-987654" not in terminal.shown


def test_secrets_are_not_echoed():
    terminal = Terminal()
    assert terminal.type(b"/config set model.key\rsk-123\r") == ["/config set model.key sk-123"]
    assert terminal.type(b"/config set model.key sk-456\r") == ["/config set model.key sk-456"]
    assert terminal.type(b"/config set model.key\r\rhello\r") == ["hello"]
    for typed in (b"  /config set  model.key\tsk-1\r", b"/config  set model.key sk-2 3\r"):
        (line,) = terminal.type(typed)
        assert line.split()[:3] == ["/config", "set", "model.key"] and "sk-" in line
    assert terminal.type(b" /config  set  model.key \rsk-4\r") == ["/config set model.key sk-4"]
    terminal.type(b"busy\r", False)
    terminal.type(b"/config set wifi.password sk-789\rnext\r", False)
    terminal.console.emit("done", "")
    assert terminal.shown.endswith("you> /config set wifi.password ****\n")
    assert "sk-" not in terminal.shown
    assert "hello" in terminal.shown
    # not a secret: shown as it is typed
    assert Terminal().type(b"/config set model.name\r") == ["/config set model.name"]


def test_ctrl_c_stops_a_reply_and_leaves_at_the_prompt():
    terminal = Terminal()
    terminal.type(b"one\r", False)
    terminal.type(b"typed\x03", False)
    assert terminal.alive and terminal.agent.stops == 1
    terminal.console.emit("done", "")
    assert terminal.shown.endswith("you> ")
    terminal.type(b"abc\x03")
    assert not terminal.alive and terminal.agent.stops == 1
    terminal = Terminal()
    terminal.type(b"x\x04")
    assert terminal.alive
    terminal.type(b"\x7f\x04")
    assert not terminal.alive


def test_a_reply_is_shown_in_order():
    terminal = Terminal()
    terminal.type(b"hi\r", False)
    emit = terminal.console.emit
    emit("think", "hm ")
    emit("think", "yes")
    emit("tool", "memory_store")
    emit("text", "It ")
    emit("text", "is\x1b[2J done")
    emit("note", "Memory update: [cat]")
    emit("error", "Cut.")
    emit("done", "")
    assert terminal.shown == (
        "you> hi\n(thinking) hm yes\n[memory_store …]\nclaw> It is[2J done\n"
        "Memory update: [cat]\n! Cut.\nyou> "
    )


def test_a_notice_does_not_tear_the_line_being_typed():
    terminal = Terminal()
    terminal.type(b"half a li")
    terminal.console.emit("info", "[online]")
    assert terminal.shown.endswith("you> half a li\n[online]\nyou> half a li")
    assert terminal.type(b"ne\r") == ["half a line"]


def test_run_ends_with_the_input():
    agent = Agent()
    shown = []
    pieces = [b"hel", b"lo\r", b""]

    async def read():
        await asyncio.sleep(0)
        return pieces.pop(0)

    run(console.Console(agent, read, shown.append).run())
    assert run(agent.inbox.get()).text == "hello"
    assert "".join(shown) == "you> hello\n"


def asked(terminal, typed, hidden=False, step=1):
    """The answer to a question of a command that runs, while typed arrives piece by piece."""

    async def scene():
        task = asyncio.create_task(terminal.console.ask(hidden))
        await asyncio.sleep(0)
        for start in range(0, len(typed), step):
            terminal.alive = terminal.console.feed(typed[start : start + step]) and terminal.alive
            await asyncio.sleep(0)
        return await asyncio.wait_for(task, 1)

    return run(scene())


def test_a_question_gets_a_line_that_is_no_message():
    terminal = Terminal()
    terminal.type(b"/setup\r", False)
    assert asked(terminal, "grü\x7füße \r".encode()) == "grüße"
    assert terminal.shown.endswith("setup> grü\b \büße \n")
    assert asked(terminal, b"\r") == ""
    # what follows the answer waits, and is no answer to the next question
    assert asked(terminal, b"one\rtwo\rthree\r", step=99) == "one"
    assert asked(terminal, b"four\r") == "four"
    assert not len(terminal.agent.inbox)
    terminal.console.emit("done", "")
    assert terminal.shown.endswith("you> ")
    assert terminal.type(b"hello\r") == ["hello"]


def test_the_answer_to_a_hidden_question_is_not_shown():
    for step in (1, 99):
        terminal = Terminal()
        terminal.type(b"/setup\r", False)
        assert asked(terminal, b"sk-12\x7f3 4\r", True, step) == "sk-13 4"
        assert "sk" not in terminal.shown and terminal.shown.endswith("setup> \n")
        # nor when a notice comes in between, nor what was typed before the question
        terminal.type(b"pass", False)

        async def scene(console):
            task = asyncio.create_task(console.ask(True))
            await asyncio.sleep(0)
            console.feed(b"wo")
            console.emit("info", "[online]")
            console.feed(b"rd\r")
            return await task

        assert run(scene(terminal.console)) == "password"
        assert "pass" not in terminal.shown and "wo" not in terminal.shown
        assert terminal.shown.endswith("setup> \n[online]\nsetup> \n")
        # the next line is shown again
        assert asked(terminal, b"seen\r") == "seen" and terminal.shown.endswith("setup> seen\n")


def test_ctrl_c_at_a_question_stops_the_command():
    terminal = Terminal()
    terminal.type(b"/setup\r", False)

    async def scene():
        task = asyncio.create_task(terminal.console.ask(True))
        await asyncio.sleep(0)
        # Ctrl-D is no way out of a question
        terminal.alive = terminal.console.feed(b"\x04sk-1\x03")
        await asyncio.sleep(0)
        assert not task.done()
        task.cancel()

    run(scene())
    assert terminal.alive and terminal.agent.stops == 1 and "sk" not in terminal.shown
    terminal.console.emit("info", "[stopped]")
    terminal.console.emit("done", "")
    assert terminal.shown.endswith("setup> \n[stopped]\nyou> ")
    assert terminal.type(b"hello\r") == ["hello"]
    terminal.type(b"\x03")
    assert not terminal.alive


def offered():
    """A terminal on which the question of a first boot is shown."""
    terminal = Terminal()
    pieces = [b""]

    async def read():
        return pieces.pop(0)

    terminal.console = console.Console(terminal.agent, read, terminal._write, "Shall it ask?")
    terminal.shown = ""
    run(terminal.console.run())
    assert terminal.shown == "Shall it ask?\nyou> "
    return terminal


def test_an_offer_takes_yes_or_no_and_is_in_nobodys_way():
    for typed, expected in (
        (b"yes\r", "/setup next"),
        (b"Y\r", "/setup next"),
        (b"no\r", "/setup no"),
        (b"n\r", "/setup no"),
        (b"my name is Yes\r", "my name is Yes"),
    ):
        terminal = offered()
        assert terminal.type(typed) == [expected]
        # asked once
        assert terminal.type(b"yes\r\r") == ["yes"]
        assert terminal.shown.count("Shall") == 1
    # Enter shows it again: whoever came late has not seen it
    terminal = offered()
    assert terminal.type(b"\r\r") == []
    assert terminal.shown.endswith("\nShall it ask?\nyou> \nShall it ask?\nyou> ")
    assert terminal.type(b"yes\r") == ["/setup next"]
    terminal = offered()
    terminal.type(b"\r\x03")
    assert not terminal.alive


def test_a_line_for_which_there_is_no_memory_does_not_end_the_chat():
    shown = []
    pieces = [b"much too ", b"long\r", b"much too ", b"long ", b"by far\r"]
    pieces += [b"unread", b" and lost\r", b"fits\r", b""]

    class Short(console.Console):
        """Fails as a heap without room would."""

        def _add(self, text):
            if "long" in text:
                raise MemoryError
            console.Console._add(self, text)

    async def read():
        piece = pieces.pop(0)
        if piece == b"unread":
            raise MemoryError
        return bytearray(piece)  # as that of the board, where `13 in` is no question

    agent = Agent()
    terminal = Short(agent, read, shown.append)
    put = agent.inbox.put

    def relieved(event):
        # what the agent makes of an empty event
        if event.text:
            return put(event)
        assert agent.tight
        agent.tight = False
        terminal.emit("done", "")
        return True

    agent.inbox.put = relieved
    run(terminal.run())
    assert "".join(shown).count("no memory for a line") == 3, shown
    assert not agent.tight
    assert "".join(shown).endswith("you> fits\n"), shown
    assert run(agent.inbox.get()).text == "fits"
    assert not len(agent.inbox)
