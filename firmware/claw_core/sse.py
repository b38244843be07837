"""Server-sent events: the data of each event, from bytes that arrive in any pieces.

Format: https://html.spec.whatwg.org/multipage/server-sent-events.html, without lone CR as a
line end, which no model server uses. Names and ids of events are not needed here.
"""

from claw_memory import limits


class Events:
    """Takes the pieces of a body and gives the events that they complete.

    An event whose data is longer than limits.EVENT_BYTES is left out and counted in `skipped`.
    """

    def __init__(self):
        self._line = bytearray()
        self._data = None
        self._too_long = False
        self.skipped = 0

    def feed(self, piece):
        """Yield the data (bytes) of every event that ends in piece."""
        start = 0
        while True:
            end = piece.find(b"\n", start)
            if end < 0:
                self._keep(piece[start:])
                return
            self._keep(piece[start:end])
            start = end + 1
            data = self._end_of_line()
            if data is not None:
                yield data

    def finish(self):
        """The data of an event that the end of the body left without its blank line, or None."""
        self._end_of_line()
        return self._event()

    def _keep(self, part):
        if len(self._line) + len(part) > limits.EVENT_BYTES:
            self._too_long = True
            self._line = bytearray()
        if not self._too_long:
            self._line.extend(part)

    def _end_of_line(self):
        line = bytes(self._line)
        self._line = bytearray()
        if line.endswith(b"\r"):
            line = line[:-1]
        if self._too_long:
            self._too_long = False
            self.skipped += 1
        elif not line:
            return self._event()
        elif line.startswith(b"data:"):
            part = line[6:] if line[5:6] == b" " else line[5:]
            self._data = part if self._data is None else self._data + b"\n" + part
        return None

    def _event(self):
        data = self._data
        self._data = None
        return data
