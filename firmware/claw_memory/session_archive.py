"""Turns that were dropped from a session: kept as they were said beside its log, up to a size."""

from claw_memory import durable, jsonio, limits, platform
from claw_memory.lines import read_lines
from claw_memory.session_log import FINAL, USER
from claw_memory.session_degrade import parse
from claw_memory.session_state import State


def dropped(sessions, session_id, first=0, longterm=None):
    """Iterate (turn, role, content, at) of the archived turns from number first on.

    Oldest first, one line in RAM at a time. at: unix seconds of the archiving, 0 unknown. What
    was forgotten is left out, as longterm tells (a LongTerm or view, None: the owner's).
    """
    hidden = hider(longterm or sessions.longterm, session_id)
    for entry in entries(sessions, session_id, first):
        if not (hidden and hidden(entry[2], entry[0])):
            yield entry


def entries(sessions, session_id, first=0, wanted=None):
    """Iterate what dropped() does, and what was forgotten, for which see hider().

    wanted: function that tells for a line (bytes) whether it is taken apart at all.
    """
    path = sessions.data_path(session_id)
    if platform.size(path) <= 0 or platform.size(path + ".archive") <= 0:
        return
    for _, line in read_lines(path + ".archive"):
        entry = _entry(line) if not wanted or wanted(line) else None
        if entry and entry[0] >= first:
            yield entry


def said(sessions, session_id, first=0, longterm=None):
    """Iterate (turn, role, content) of all turns from number first on, archived or in the log."""
    for turn, role, content, _ in dropped(sessions, session_id, first, longterm):
        yield turn, role, content
    log = sessions.log(session_id)
    for turn, kind, content in turns(log, log.state() or State(), log.count()):
        if turn >= first:
            yield turn, _role(kind), content


def _role(kind):
    return "user" if kind == USER else "assistant"


def hider(longterm, session_id):
    """Function that tells for a text and its turn whether it was forgotten; None: nothing was.

    longterm: a LongTerm, a view, or None.
    """
    if longterm is None or not longterm.table.graves():
        return None
    from claw_memory import forgotten

    texts = forgotten.texts(longterm)
    return lambda text, turn: forgotten.hides(texts, text, None, (session_id, turn))


def _entry(line):
    try:
        value = jsonio.loads(line)
        turn, role, content, at = [value[name] for name in ("turn", "role", "content", "at")]
    except (ValueError, KeyError, TypeError):
        return None
    if isinstance(turn, int) and isinstance(role, str) and isinstance(content, str):
        return turn, role, content, at if isinstance(at, int) else 0
    return None


def redact(sessions, hidden, wanted=None):
    """Take out of all archives the lines for which hidden(text, number of the turn) is true.

    wanted: function that tells which archives, by the names of their files. Raises NoSpace or
    IOFailure; archives that were not reached are as they were.
    """
    folder = sessions.dir.rstrip("/") + "/"
    for name in list(platform.listed(folder, lambda n: n.endswith(".archive"))):
        if not wanted or wanted(name):
            redact_one(folder + name, hidden)


def redact_one(path, hidden):
    """As redact(), of the archive at path, which need not exist."""
    for _, line in read_lines(path):
        entry = _entry(line)
        if entry and hidden(entry[2], entry[0]):
            durable.replace(path, _without(path, hidden))
            break


def _without(path, hidden):
    for _, line in read_lines(path):
        entry = _entry(line)
        if not (entry and hidden(entry[2], entry[0])):
            yield line


def words_of(raw):
    """The text of a user or final record (JSON bytes); "" when it has none."""
    try:
        value = parse(raw)
    except ValueError:
        return ""
    content = jsonio.get(value, "content") if isinstance(value, dict) else None
    if isinstance(content, list):
        parts = [jsonio.get(block, "text") for block in content if isinstance(block, dict)]
        return "".join([part for part in parts if isinstance(part, str)])
    return content if isinstance(content, str) else ""


def turns(log, state, last):
    """Iterate (turn, kind, text) of the user and final records before record number last."""
    turn = state.dropped - 1
    for kind, _, raw in log.records(1 if state.summary else 0, last):
        turn += kind == USER
        if kind in (USER, FINAL):
            yield max(turn, state.dropped), kind, words_of(raw)


def _lines(log, state, last, gone):
    now = platform.unix_time()
    for turn, kind, words in turns(log, state, last):
        if gone and gone(words, turn):
            continue
        value = jsonio.obj("turn", turn, "role", _role(kind), "content", words, "at", now)
        yield jsonio.dumps(value).encode() + b"\n"


def chunks(log, state, last, gone=None):
    """The archive with the turns before record last of log (a SessionLog) added, in lines.

    gone: function that tells for a text and its turn whether it was forgotten, see
    outdated.gone(), or None.
    """
    size = sum([len(line) for line in _lines(log, state, last, gone)])
    over = size + max(0, platform.size(log.path + ".archive")) - limits.SESSION_ARCHIVE_BYTES
    for line in _old_and_new(log, state, last, gone):
        if over > 0:
            over -= len(line)
        else:
            yield line


def _old_and_new(log, state, last, gone):
    for _, line in read_lines(log.path + ".archive"):
        yield line if line[-1:] == b"\n" else line + b"\n"
    yield from _lines(log, state, last, gone)
