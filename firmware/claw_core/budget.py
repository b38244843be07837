"""What of a long conversation fits: old tool results get short, then whole old turns stay out."""

from claw_core.model import ModelError
from claw_core.tokens import message
from claw_memory import limits
from claw_memory.session_log import RESULT, USER

_TAIL = 4  # the part of a shortened text that is its end


class Shape:
    """Makes of a session's records those that are sent: a function from iterator to iterator.

    lead: records sent before them. current: number of the record that begins the latest turn.
    most: bytes kept of a text in one of its tool results, 0 for all.
    """

    def __init__(self, first, lead, current, most=0):
        self._first = first
        self._lead = lead
        self._current = current
        self._most = most

    def __call__(self, records):
        yield from self._lead
        at = self._first
        for kind, form, raw in records:
            if kind == RESULT:
                most = limits.OLD_RESULT_BYTES if at < self._current else self._most
                raw = shortened(raw, most) if most else raw
            at += 1
            yield kind, form, raw


def choose(request):
    """(first record, Shape, tokens, True when no turn is left out) for a Request.

    The turn itself always fits: its own tool results are shortened for that if need be, or
    ModelError "context" is raised. Older turns are taken whole, from the newest backwards.
    """
    sessions = request.memory.sessions
    session_id = request.session_id
    start = sessions.prompt_start(session_id)
    current = sessions.turn_start(session_id, 0)
    lead = _lead(sessions.log(session_id), current)
    start = max(start, len(lead))
    # results that get short make room for more turns, within reason
    begin = max(start, sessions.turn_start(session_id, 2 * request.budget))
    turns = _turns(sessions, session_id, begin, Shape(begin, (), current))
    room = request.window - request.fixed
    size, used, _ = turns.pop(), turns.pop(), turns.pop()
    most = 0
    if used > room:
        used, most = _squeezed(sessions, session_id, current, room)
    first = current
    # the summary counts more than any turn
    led = sum([message(raw) for _, _, raw in lead])
    if used + led > room:
        lead = ()
        led = 0
    used += led
    while turns:
        length, tokens, at = turns[-1], turns[-2], turns[-3]
        if used + tokens > room or size + length > request.budget:
            break
        first = at
        used += tokens
        size += length
        del turns[-3:]
    shape = Shape(first, lead, current, most)
    return first, shape, request.fixed + used, begin == start and not turns


def _lead(log, current):
    # The summary of what left the log, as a record.
    state = log.state()
    return tuple(log.records(0, 1)) if current and state and state.summary else ()


def _turns(sessions, session_id, start, shape):
    # First record, tokens and bytes of each turn, the oldest first, one after the other.
    turns = []
    at = start
    for kind, _, raw in shape(sessions.records(session_id, start)):
        if kind == USER or not turns:
            turns += (at, 0, 0)
        turns[-2] += message(raw)
        turns[-1] += len(raw) + 1
        at += 1
    return turns or [start, 0, 0]


def _squeezed(sessions, session_id, current, room):
    # (tokens, bytes kept of a result) for the latest turn, so that it fits.
    used = 0
    for most in limits.RESULT_BYTES:
        shape = Shape(current, (), current, most)
        used = 0
        for _, _, raw in shape(sessions.records(session_id, current)):
            used += message(raw)
        if used <= room:
            return used, most
    raise ModelError(
        "This message and the tool calls for it take about %d tokens where %d fit; raise "
        "context.window, lower context.reserve, or put it more briefly." % (used, max(0, room)),
        "context",
    )


def shortened(raw, most):
    """JSON bytes with every text in it cut to about most bytes, its start and its end kept."""
    out = []
    at = done = 0
    while len(raw) - done > most:
        at = raw.find(b'"', at)
        if at < 0:
            break
        end = _closing(raw, at + 1)
        if end - at > most:
            head = _whole(raw, at + 1, at + most - most // _TAIL)
            tail = _whole(raw, head, end - most // _TAIL)
            if tail > head:
                out.append(raw[done:head])
                out.append(b" [\xe2\x80\xa6 %d bytes left out \xe2\x80\xa6] " % (tail - head))
                done = tail
        at = end + 1
    out.append(raw[done:])
    return b"".join(out)


def _closing(raw, at):
    # Index of the quote that ends the text which begins at `at`.
    while True:
        at = raw.find(b'"', at)
        if at < 0:
            return len(raw)
        back = at
        while raw[back - 1] == 92:
            back -= 1
        if (at - back) % 2 == 0:
            return at
        at += 1


def _whole(raw, least, at):
    # The last place up to `at` that is within no escape, no pair of them and no character.
    while at > least and raw[at] & 0xC0 == 0x80:
        at -= 1
    mark = raw.rfind(b"\\", max(least, at - 6), at)
    if mark >= 0:
        back = mark
        while back > least and raw[back - 1] == 92:
            back -= 1
        size = 6 if raw[mark + 1 : mark + 2] == b"u" else 2
        if (mark - back) % 2 == 0 and at < mark + size:
            at = mark
    if raw[at : at + 3].lower() == b"\\ud" and raw[at + 3] > 57 and raw[at + 3] not in b"abAB":
        at -= 6  # the second half of a pair
    return max(least, at)
