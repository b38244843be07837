"""Reasoning that a server puts into the text, as <think>…</think> before the answer."""


class Thought:
    """Takes the text of an answer that may begin so, and gives both parts to sink."""

    def __init__(self, sink):
        self._sink = sink
        self._held = ""  # the last characters, while they may be part of a mark
        self._inside = None  # None: not known yet

    def text(self, piece):
        """Take the next piece (str)."""
        if self._inside is False:
            self._sink.text(piece)
            return
        self._held += piece
        mark = "</think>" if self._inside else "<think>"
        if self._inside is None:
            text = self._held.lstrip()
            if text.startswith(mark):
                self._inside = True
                self._held = ""
                self.text(text[len(mark) :])
            elif not mark.startswith(text):
                self._inside = False
                self._sink.text(self._held)
            return
        thought, end, rest = self._held.partition(mark)
        if end:
            self._inside = False
            self._sink.think(thought)
            self._sink.text(rest.lstrip())
            return
        hold = len(mark) - 1  # the mark may be arriving
        self._sink.think(self._held[:-hold])
        self._held = self._held[-hold:]

    def finish(self):
        """There is no more text."""
        if self._inside is None:
            self._sink.text(self._held)
        elif self._inside:
            self._sink.think(self._held)
