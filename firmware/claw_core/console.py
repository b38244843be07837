"""The console channel: reads lines from the serial port, echoes, and shows what the agent does."""

from micropython import const

from claw_core.config import is_secret
from claw_core.events import Event
from claw_memory import limits

_PROMPT = "you> "
_CTRL_C = const(3)
_CTRL_D = const(4)
_BAD = "\ufffd"
# what the line under the cursor shows
_AT_START = const(0)
_AT_PROMPT = const(1)
_IN_TEXT = const(2)
_IN_THOUGHT = const(3)
_SET_SECRET = "/config set "


class Console:
    """A chat over one serial line.

    agent: gets the events. read: coroutine function that returns the next bytes, b"" at the end
    of input. write: function that shows a str and never blocks for long. The console takes over
    Ctrl-C: during a reply it stops the reply, at the prompt run() ends.
    """

    name = "serial"

    def __init__(self, agent, read, write):
        self._agent = agent
        self._read = read
        self._write_out = write
        self._echo = ""  # typed and not shown yet
        self._line = bytearray()
        self._char = bytearray()  # the bytes so far of a character of several bytes
        self._escape = 0  # 1 after ESC, 2 within its sequence
        self._too_long = False
        self._replaced = False
        self._after_cr = False
        self._hidden = ""  # the secret setting whose value is being typed
        self._queue = []  # typed during a reply, not handed over yet
        self._busy = False
        self._at = _AT_START

    async def run(self):
        """Read until Ctrl-C or Ctrl-D at the prompt, or the end of input."""
        self._prompt()
        while True:
            data = await self._read()
            if not data or not self.feed(data):
                return

    # what the agent shows

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
        elif kind == "tool":
            self._say("[%s …]" % text)
        elif kind == "error":
            self._say("! " + text)
        else:
            self._say(text)

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
        self._write(_PROMPT + ("" if self._secret() else self._text()))

    def _write(self, text):
        if self._echo:
            text = self._echo + text
            self._echo = ""
        self._write_out(text)

    # what the user types

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
        if byte == _CTRL_D and not self._line and not self._busy:
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
            self._char = bytearray()
            self._broken()
        if byte < 128:
            self._add(chr(byte))
            return
        self._char.append(byte)
        lead = self._char[0]
        size = 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4
        if lead < 0xC2 or lead > 0xF4:
            self._char = bytearray()
            self._broken()
        elif len(self._char) == size:
            char = character(self._char)
            self._char = bytearray()
            if char:
                self._add(char)
            else:
                self._broken()

    def _broken(self):
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
            text = self._text()
            if not self._busy and not self._secret():
                self._write(("\b" * width(text[-1])) + " " * width(text[-1]))
                self._write("\b" * width(text[-1]))
            self._line = bytearray(text[:-1].encode())

    def _text(self):
        return bytes(self._line).decode()

    def _secret(self):
        # True while what is typed must not be seen.
        if self._hidden:
            return True
        return self._line[:1] in (b"/", b" ") and masked(self._text()) != ""

    def _enter(self):
        if self._char:
            self._char = bytearray()
            self._broken()
        text = self._text().strip()
        if not self._busy:
            self._begin(_AT_START, "")
        if self._too_long:
            self._say(
                "! That line is longer than %d bytes and was not sent; send it in parts."
                % limits.LINE_BYTES
            )
            text = ""
        elif self._replaced and text:
            self._say("[bytes that are no UTF-8 were replaced by %s]" % _BAD)
        self._line = bytearray()
        self._too_long = self._replaced = False
        if self._hidden:
            if text:
                text = _SET_SECRET + self._hidden + " " + text
            else:
                self._say("[nothing changed]")
            self._hidden = ""
        elif len(text.split()) == 3 and masked(text + " x"):
            self._hidden = text.split()[2]
            self._say("Type %s; it is not shown." % self._hidden)
            text = ""
        if text and len(self._queue) < limits.INBOX:
            self._queue.append(text)
        elif text:
            self._say("! Too many lines wait already; this one was dropped.")
        if not self._busy:
            self._next(False)

    def _next(self, unseen):
        # Hand over the next line, shown first when it was typed unseen; a prompt without one.
        if not self._queue:
            self._prompt()
            return
        text = self._queue.pop(0)
        if unseen:
            self._write(_PROMPT + (masked(text) or text) + "\n")
        self._busy = True
        self._agent.inbox.put(Event(self.name, "0", text))

    def _interrupt(self):
        self._line = bytearray()
        self._char = bytearray()
        self._too_long = self._replaced = False
        self._hidden = ""
        if not self._busy:
            self._begin(_AT_START, "")
            return False
        self._agent.interrupt()
        return True


def masked(text):
    """A command that sets a secret without the value in it; "" for any other text."""
    words = text.split()
    if len(words) > 3 and words[0] == "/config" and words[1] == "set" and is_secret(words[2]):
        return " ".join(words[:3]) + " ****"
    return ""


def character(data):
    """The character that 2 to 4 bytes of UTF-8 stand for, "" when they are malformed."""
    code = data[0] & (0x3F >> (len(data) - 1))
    for byte in data[1:]:
        code = code << 6 | byte & 0x3F
    least = (0x80, 0x800, 0x10000)[len(data) - 2]
    if code < least or 0xD800 <= code < 0xE000 or code > 0x10FFFF:
        return ""
    return chr(code)


def width(char):
    """Columns that a character takes on a terminal."""
    code = ord(char)
    wide = 0x1100 <= code < 0x1160 or 0x2E80 <= code < 0xA4D0 or 0xAC00 <= code < 0xD7A4
    wide = wide or 0xF900 <= code < 0xFB00 or 0xFE30 <= code < 0xFE70
    return 2 if wide or 0xFF00 <= code < 0xFF61 or 0x1F300 <= code < 0x1FB00 else 1


def clean(text):
    """text without the control characters that could steer a terminal."""
    if text and (min(text) < " " or "\x7f" in text or "\x9b" in text):
        return "".join([c for c in text if c >= " " and c not in "\x7f\x9b" or c in "\n\t"])
    return text
