"""The console channel: reads lines from the serial port, echoes, and shows what the agent does."""

import asyncio

from micropython import const

from claw_core.events import Event
from claw_core.typed import clean, masked
from claw_memory import limits

_PROMPT = const("you> ")
_CTRL_C = const(3)
_CTRL_D = const(4)
_BAD = const("\ufffd")
# what the line under the cursor shows
_AT_START = const(0)
_AT_PROMPT = const(1)
_IN_TEXT = const(2)
_IN_THOUGHT = const(3)
_FORMS = {"tool": "[%s …]", "error": "! %s"}
_ASK = const("setup> ")


class Console:
    """A chat over one serial line.

    agent: gets the events. read: coroutine function that returns the next bytes, b"" at the end
    of input. write: function that shows a str and never blocks for long. Ctrl-C stops a reply, at
    the prompt run() ends. offer: a question, shown until yes, no or another line is typed.
    """

    name = "serial"

    def __init__(self, agent, read, write, offer=""):
        self._agent = agent
        self._offer = offer
        self._read = read
        self._write_out = write
        self._echo = ""  # typed and not shown yet
        self._line = bytearray()
        self._char = bytearray()  # the bytes so far of a character of several bytes
        self._escape = 0  # 1 after ESC, 2 within its sequence
        self._too_long = self._replaced = self._after_cr = False
        self._hidden = ""  # the secret setting whose value is being typed
        self._queue = []  # typed during a reply, not handed over yet
        self._ahead = 0  # characters of these lines, those handed over meanwhile included
        self._busy = False
        self._asked = None  # event set by the answer to ask()
        self._lead = _ASK
        self._answer = ""
        self._unseen = False  # that answer is a secret
        self._at = _AT_START

    async def run(self):
        """Read until Ctrl-C or Ctrl-D at the prompt, or the end of input."""
        if self._offer:
            self._say(self._offer)
        self._prompt()
        while True:
            data = b"?"
            try:
                data = await self._read()
                if not data or not self.feed(data):
                    return
            except MemoryError:
                self._line, self._char, self._echo = bytearray(), bytearray(), ""
                self._too_long = data[-1] not in b"\r\n"  # the rest of that line is none either
                self._say("! There is no memory for a line of that length: send it in parts.")
                if self._asked and self._at != _AT_PROMPT:
                    self._prompt()
                elif not self._asked and not self._busy:
                    self._busy = self._agent.tight = True
                    self._agent.inbox.put(Event(self.name, "0", ""))

    async def ask(self, hidden=False, lead=_ASK):
        """Wait for a line for the command that runs, and return it stripped.

        hidden: it is not shown. Whole lines typed before the question are no answer to it.
        """
        self._queue, self._lead = [], lead
        self._busy, self._unseen = False, hidden
        self._asked = asked = asyncio.Event()
        self._begin(_AT_START, "")
        self._prompt()
        await asked.wait()
        return self._answer

    def _close(self):
        self._asked = None
        self._unseen = False
        self._busy = True

    def emit(self, kind, text):
        """Show a piece of output: see claw_core.agent for the kinds."""
        if kind == "text":
            self._begin(_IN_TEXT, "claw> ")
            self._write(clean(text))
        elif kind == "think":
            self._begin(_IN_THOUGHT, "(thinking) ")
            self._write(clean(text))
        elif kind == "done":
            self._begin(_AT_START, "")
            self._busy = False
            if not self._agent.leaving:
                self._next(True)
        else:
            self._say(_FORMS.get(kind, "%s") % text)

    def _begin(self, at, lead):
        if self._at != at:
            self._write(("" if self._at == _AT_START else "\n") + lead)
            self._at = at

    def _say(self, text):
        waiting = self._at == _AT_PROMPT  # somebody may be typing
        self._begin(_AT_START, "")
        self._write(clean(text) + "\n")
        if waiting:
            self._prompt()

    def _prompt(self):
        self._at = _AT_PROMPT
        typed = "" if self._secret() else str(self._line, "utf-8")
        self._write((self._lead if self._asked else _PROMPT) + typed)

    def _write(self, text):
        if self._echo:
            text = self._echo + text
            self._echo = ""
        self._write_out(text)

    def feed(self, data):
        """Take typed bytes; False when the chat is to be left."""
        start = 0
        stay = True
        while stay and start < len(data):
            end = self._plain(data, start)
            if end > start:
                self._after_cr = False
                self._add(str(bytes(data[start:end]), "utf-8"))
                start = end
            else:
                stay = self._byte(data[start])
                start += 1
        if self._echo:
            self._write("")
        return stay

    def _plain(self, data, start):
        # End of the run of printable ASCII that needs no look at each of its bytes.
        end = start
        if not (self._escape or self._char or self._hidden):
            if (self._line[0] if self._line else data[start]) not in b"/ ":
                while end < len(data) and 32 <= data[end] < 127:
                    end += 1
        return end

    def _byte(self, byte):
        # False when the chat is to be left.
        if byte == _CTRL_C:
            return self._interrupt()
        if byte == _CTRL_D and not (self._line or self._busy or self._asked):
            return False
        if byte in (13, 10):
            if not (byte == 10 and self._after_cr):
                self._enter()
            self._after_cr = byte == 13
            return True
        self._after_cr = False
        if self._escape:
            # ESC [ parameters letter: an arrow key or the like
            if self._escape == 1:
                self._escape = 2 if byte in (0x5B, 0x4F) else 0
            elif 0x40 <= byte <= 0x7E:
                self._escape = 0
        elif byte in (8, 127):
            self._backspace()
        elif byte == 27:
            self._escape = 1
        elif byte == 9:
            self._add(" ")
        elif byte >= 32:
            self._decode(byte)
        return True

    def _decode(self, byte):
        if self._char and byte & 0xC0 != 0x80:
            self._broken()
        if byte < 128:
            self._add(chr(byte))
            return
        from claw_core.typed_wide import character

        self._char.append(byte)
        char = character(self._char)
        if char:
            self._char = bytearray()
            self._add(char)
        elif char is not None:
            self._broken()

    def _broken(self):
        self._char = bytearray()
        self._replaced = True
        self._add(_BAD)

    def _add(self, text):
        data = text.encode()
        if len(self._line) + len(data) > limits.LINE_BYTES:
            self._too_long = True
        if not self._too_long:
            self._line.extend(data)
            if not self._busy and not self._secret():
                self._echo += text

    def _backspace(self):
        if self._char:
            self._char = bytearray()
        elif self._line and not self._too_long:
            text = str(self._line, "utf-8")
            if not self._busy and not self._secret():
                from claw_core.typed_wide import width

                wide = width(text[-1:])
                self._write("\b" * wide + " " * wide + "\b" * wide)
            self._line = bytearray(text[:-1].encode())

    def _secret(self):
        # True while what is typed must not be seen.
        if self._hidden or self._unseen:
            return True
        return self._line[:1] in (b"/", b" ") and masked(str(self._line, "utf-8")) != ""

    def _enter(self):
        if self._char:
            self._broken()
        text = str(self._line, "utf-8").strip()
        if not self._busy:
            self._begin(_AT_START, "")
        if self._too_long or self._replaced:
            from claw_core.typed_lost import damaged

            text = damaged(text, self._too_long, self._say)
        self._line = bytearray()
        self._too_long = self._replaced = False
        if self._asked:
            self._answer = text
            self._asked.set()
            self._close()
            return
        if self._offer and text:
            from claw_core.typed_lost import accepted

            text = accepted(text)
            self._offer = ""
        elif self._offer:
            self._say(self._offer)
        if self._hidden or text[:7] == "/config":
            from claw_core.typed_lost import secret

            self._hidden, text = secret(self._hidden, text, self._say)
        if text and self._queue and self._ahead + len(text) > limits.AHEAD_CHARS:
            from claw_core.typed_lost import dropped

            self._ahead = dropped(text, self._ahead, self._say)
        elif text:
            self._queue.append(text)
            self._ahead += len(text)
        if not self._busy:
            self._next(False)

    def _next(self, unseen):
        # Hand over the next line, shown first when it was typed unseen; a prompt without one.
        if not self._queue:
            self._prompt()
            return
        text = self._queue.pop(0)
        self._ahead = self._ahead if self._queue else 0
        if unseen:
            self._write(_PROMPT + (masked(text) or text) + "\n")
        self._busy = True
        self._agent.inbox.put(Event(self.name, "0", text))

    def _interrupt(self):
        self._line, self._char = bytearray(), bytearray()
        self._too_long = self._replaced = False
        self._hidden = ""
        if not self._busy:
            self._begin(_AT_START, "")
            if not self._asked:
                return False
            self._close()
        self._agent.interrupt()
        return True
