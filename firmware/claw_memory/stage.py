"""What a request has to say about memory when its answer is out: the stage note."""

from claw_memory import text
from claw_memory.platform import const

_LINE_BYTES = const(255)
# Requests that never reach their note must not pile up: the oldest are let go.
_WAITING = const(8)


class Stage:
    """Labels changed by tools, per session, and which requests wrote memory by hand."""

    def __init__(self):
        self._pending = []
        self._manual = []

    def changed(self, session_id, request_id, labels):
        """Remember that a tool changed an item with `labels` (list of str) in this request."""
        if request_id and request_id not in self._manual:
            self._manual.append(request_id)
            del self._manual[:-_WAITING]
        if not session_id:
            return
        for entry in self._pending:
            if entry[0] == session_id:
                entry[1].extend(labels)
                return
        self._pending.append((session_id, list(labels)))
        del self._pending[:-_WAITING]

    def wrote_by_hand(self, request_id):
        """True when a tool of this request changed memory; asking clears the flag.

        Facts extracted from the same message are then not applied: the model already did it.
        """
        if request_id in self._manual:
            self._manual.remove(request_id)
            return True
        return False

    def note(self, session_id, extracted=()):
        """`Memory update: [a;b]` for what changed since the last note of the session, or "".

        `extracted`: labels of facts that were extracted from the user's message.
        """
        if not session_id:
            return ""
        labels = []
        for entry in self._pending:
            if entry[0] == session_id:
                labels = entry[1]
                self._pending.remove(entry)
                break
        lines = []
        for label in list(labels) + list(extracted):
            line = text.cut(label, _LINE_BYTES)
            if line and line not in lines:
                lines.append(line)
        return "Memory update: [" + ";".join(lines) + "]" if lines else ""
