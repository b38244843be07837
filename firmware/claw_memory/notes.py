"""Daily notes, memory/YYYY-MM-DD.md: what of them is shown to the model.

A day begins at midnight of the user's time zone; what was noted while the clock was unset is in
memory/undated.md. add(), read(), days() and redact() are in notes_more.py, loaded when called.
"""

from claw_memory import limits, platform, quote, text
from claw_memory.errors import ClawError

UNDATED = "undated"


def day(memory, back=0):
    """Name of today's note, or of the one `back` days ago: "2026-11-29"; UNDATED without clock."""
    now = memory.local_time()
    return "%04d-%02d-%02d" % platform.date(now - back * 86400)[:3] if now else UNDATED


def folder(memory, scope=None):
    """The folder that holds the notes of a scope (None: that of memory), with its slash."""
    scope = scope or memory.scope
    return (scope.folder(memory.memory_dir) if scope else memory.memory_dir) + "/"


def visible(memory, path, start=0, end=1 << 30):
    """Yield what lines() does, save what was forgotten or is outdated; nothing if unknown."""
    try:
        hidden = hider(memory)
    except ClawError:
        return
    for line in lines(path, start, end):
        if not (hidden and hidden(line)):
            yield line


def hider(memory):
    """Function that tells for a line whether it was forgotten or is outdated; None: none is.

    Raises IOFailure.
    """
    if memory.longterm is None:
        return None
    texts = ()
    hides = None
    outdated = superseded(memory.longterm)
    if memory.longterm.table.graves():
        from claw_memory import forgotten

        hides = forgotten.hides
        texts = forgotten.texts(memory.longterm)
    if not texts and not outdated:
        return None
    return lambda line: (texts and hides(texts, line)) or (outdated and outdated(line))


def superseded(lt):
    """outdated.superseded() of lt (LongTerm or view), imported where something may be."""
    whole = lt.whole()
    if whole.size <= whole.table.live_bytes + whole.foreign:
        if platform.size(whole.dir + "/history.jsonl") <= 0:
            return None
    from claw_memory import outdated

    return outdated.superseded(lt)


def lines(path, start=0, end=1 << 30):
    """Yield the lines (str, without their ends) between two bytes of a file.

    The line that start lies in is left out. What is longer than limits.NOTE_BYTES comes in parts,
    bytes that are no UTF-8 are dropped, and a file that cannot be read gives nothing.
    """
    try:
        with open(path, "rb") as file:
            at = max(0, start - 1)
            file.seek(at)
            skip = start > 0
            while at < end:
                data = file.readline(limits.NOTE_BYTES + 1)
                if not data:
                    return
                whole = data[-1:] == b"\n"
                if not whole and len(data) > limits.NOTE_BYTES:
                    data = text.cut(data, limits.NOTE_BYTES) or data
                    file.seek(at + len(data))
                at += len(data)
                if not skip:
                    yield text.clean_bytes(data.rstrip(b"\r\n"))
                skip = skip and not whole
    except OSError:
        return


def injected(memory, scope=None, session_id=""):
    """Yield the prompt's text (str) with today's and yesterday's notes, quoted, in pieces.

    They are shown as they stood at the session's first request of the day: what is noted later
    stands in the conversation itself, and a prompt that stays the same is cheaper for a server.
    At most limits.NOTES_SHOWN bytes, the latest ones.
    """
    at = folder(memory, scope)
    today = day(memory)
    for name, size, shown in _marks(memory, at, session_id, today):
        head = "Notes of %s%s:\n" % (name, " (today)" if name == today != UNDATED else "")
        if shown < size:
            head += "[older notes of this day are left out]\n"
        for line in visible(memory.seen_by(scope), at + name + ".md", size - shown, size):
            if line:
                yield head + quote.quoted(line) + "\n"
                head = ""
        if not head:
            yield "\n"


def _marks(memory, at, session_id, today):
    # [(name, bytes of the file that count, bytes shown)], as they were at the first request
    for mark in memory.notes_shown:
        if mark[0] == (at, session_id, today):
            return mark[1]
    found = []
    room = limits.NOTES_SHOWN
    for name in (today,) if today == UNDATED else (today, day(memory, 1)):
        size = max(0, platform.size(at + name + ".md"))
        shown = min(room, size)
        room -= shown
        if shown:
            found.insert(0, (name, size, shown))
    memory.notes_shown.append(((at, session_id, today), found))
    del memory.notes_shown[: -limits.NOTE_SESSIONS]
    return found


def __getattr__(name):
    if name not in ("add", "read", "days", "redact"):
        raise AttributeError(name)
    from claw_memory import notes_more

    return getattr(notes_more, name)
