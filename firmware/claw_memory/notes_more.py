"""Daily notes: which there are, reading one, adding what is new, taking out what was forgotten."""

from claw_memory import durable, limits, notes, platform, text
from claw_memory.errors import InvalidArg, NoSpace
from claw_memory.platform import const

_UNDATED = notes.UNDATED + ".md"
_ROOM = const(503)  # bytes of text in a line: limits.NOTE_BYTES less dash, time and newline

# Words without which a note says the same.
_FILLING = (b"the", b"a", b"an", b"user", b"users", b"also", b"that")


def add(memory, words, scope=None):
    """Note words (str) now; False when today's or yesterday's notes say that already.

    Long texts take several lines. Raises InvalidArg when there is nothing to note, NoSpace when
    the day's file or the medium is full, IOFailure.
    """
    parts = list(_split(_one_line(words)))
    if not parts:
        raise InvalidArg("a note needs a text")
    at = notes.folder(memory, scope)
    today = notes.day(memory)
    path = at + today + ".md"
    lead = b"- "
    earlier = None
    if today != notes.UNDATED:
        lead = b"- %02d:%02d " % platform.date(memory.local_time())[3:5]
        earlier = at + notes.day(memory, 1) + ".md"
    lt = memory.seen_by(scope).longterm
    hidden = ()
    if lt is not None and lt.table.graves():
        from claw_memory import forgotten

        hidden = forgotten.texts(lt)
    paths = (path, earlier) if earlier else (path,)
    if all([any([_known(part, path, hidden) for path in paths]) for part in parts]):
        return False
    data = b"".join([lead + part + b"\n" for part in parts])
    if max(0, platform.size(path)) + len(data) > limits.NOTE_DAY_BYTES:
        if earlier or len(data) > limits.NOTE_DAY_BYTES // 2:
            raise NoSpace(
                "The notes of %s are full (%d bytes): shorten the file or wait for the next day."
                % (today, limits.NOTE_DAY_BYTES)
            )
        # without a clock there is no next day
        _rewrite(memory, path, notes.lines(path, platform.size(path) // 2))
    if hidden:
        from claw_memory import anew

        anew.noted(lt, hidden, [lead + part for part in parts])
    durable.make_dirs(at[:-1])
    durable.append(path, data)
    memory.noted[:] = (today,)
    return True


def _one_line(words):
    # words as bytes, all that separates or controls being one space
    for mark in ("\u0085", "\u2028", "\u2029"):
        words = words.replace(mark, " ")
    data = bytearray(text.to_bytes(words))
    for i in range(len(data)):
        if data[i] < 32 or data[i] == 127:
            data[i] = 32
    return b" ".join([word for word in text.clean_bytes(bytes(data)).encode().split(b" ") if word])


def _split(data):
    # Yield data in parts of at most _ROOM bytes, if possible between two words.
    while len(data) > _ROOM:
        part = text.cut(data, _ROOM)
        space = part.rfind(b" ")
        if space > _ROOM // 2:
            part = part[:space]
        yield part
        data = data[len(part) :].lstrip(b" ")
    if data:
        yield data


def _words(line):
    # What two notes must share to say the same: their words in order, without case, punctuation,
    # endings in s and words that only fill. Bytes, since .lower() differs for str.
    found = []
    for word in line.lower().split():
        word = text.normalize(word)
        if len(word) > 3 and word[-1:] == b"s" and word[-2:] != b"ss":
            word = word[:-1]
        if word and word not in _FILLING:
            found.append(word)
    return found


def _probe(line):
    # Bytes that a line must have to say the same as this one: comparing words is slow.
    best = b""
    for word in _words(line):
        if len(word) > len(best) and word in line.lower():
            best = word
    return best[:2] if best and best[0] >= 0x80 else best


def _known(part, path, hidden):
    # hidden: forgotten.texts(); a line that they hide is not known
    wanted = _words(part)
    probe = _probe(part)
    for whole in notes.lines(path):
        line = bare(whole).encode()
        if line == part or wanted and probe in line.lower() and _words(line) == wanted:
            if not (hidden and _hides(hidden, whole)):
                return True
    return False


def _hides(texts, line):
    from claw_memory import forgotten

    return forgotten.hides(texts, line)


def bare(line):
    """A line of a note without its dash and time."""
    if line[:2] == "- ":
        line = line[2:]
        if line[2:3] == ":" and line[5:6] == " " and (line[:2] + line[3:5]).isdigit():
            line = line[6:]
    return line


def redact(memory, texts, sessions=None):
    """Take the lines that forgotten.hides(texts, line) out of all notes, for good.

    texts: forgotten.texts() of everybody, of which each user's are for the user's own notes.
    sessions: {user: ends of the ids of items that belong to the user's sessions}.
    For the compaction after which nobody knows any more what was forgotten. What was done stays
    when it fails half-way. Raises NoSpace or IOFailure.
    """
    from claw_memory import forgotten

    top = memory.memory_dir + "/"
    users = platform.listed(top, lambda name: name[:2] == "u_" and platform.isdir(top + name))
    for user in [""] + [name[2:] for name in users]:
        mine = forgotten.of(texts, user, (sessions or {}).get(user, ()))
        at = top + "u_" + user + "/" if user else top
        names = platform.listed(at, lambda name: _is_note(name) or name == _UNDATED)
        for name in names:
            if any(forgotten.hides(mine, line) for line in notes.lines(at + name)):
                kept = notes.lines(at + name)
                kept = (line for line in kept if not forgotten.hides(mine, line))
                _rewrite(memory, at + name, kept)


def _rewrite(memory, path, kept):
    chunks = (line.encode() + b"\n" for line in kept)
    try:
        durable.replace(path, chunks)
    finally:
        chunks.close()
    del memory.notes_shown[:]


def days(memory, scope=None):
    """Yield the names of all notes, the newest first; notes.UNDATED is the last."""
    at = notes.folder(memory, scope)
    found = []  # small numbers take less RAM than names

    def wanted(name):
        number = _number(name)
        if number:
            found.append(number)

    if platform.isdir(at[:-1]):
        platform.listed(at, wanted)
    found.sort()
    while found:
        number = found.pop()
        yield "%04d-%02d-%02d" % (number // 10000, number // 100 % 100, number % 100)
    if platform.size(at + _UNDATED) > 0:
        yield notes.UNDATED


def _number(name):
    # 20261129 for "2026-11-29.md", 0 for every other name
    digits = name[:4] + name[5:7] + name[8:10]
    return int(digits) if len(digits) == 8 and digits.isdigit() and _is_note(name) else 0


def _is_note(name):
    return len(name) == 13 and name[4] == name[7] == "-" and name.endswith(".md")


def read(memory, day, scope=None):
    """Yield the lines (str) of the note of a day that were not forgotten; none for no note."""
    if day != notes.UNDATED and not _number(day + ".md"):
        return iter(())
    return notes.visible(memory.seen_by(scope), notes.folder(memory, scope) + day + ".md")
