"""What was forgotten leaves the other files for good, before a compaction drops its lines.

Until then those who show such files leave its lines out, see forgotten.py. Each user's files lose
what that user forgot and what the owner forgot for everybody, no more. Each kind of file is a
stage of its own, whose modules leave the heap before the next one.
"""

from array import array

from claw_memory import platform
from claw_memory.platform import const

_STAGES = const(
    "forgotten_texts marks item_texts itemodd wording origin anew changes history history_kept"
    " archive session_archive session_state chats notes_more notes bootstrap"
    " rewrite"
)
_LEAST = const(4)  # forgotten items whose words a board must be able to hold at once


def forgotten_lines(lt):
    """Redact archive, notes and session archives of lt. Raises NoSpace or IOFailure.

    Where RAM does not suffice for the words of all that was forgotten, it is done in parts.
    Returns what history_kept.look() tells: the history is replaced by the compaction itself.
    """
    rows = lt.table
    graves = [row for row in range(len(rows)) if rows.deleted(row)]
    at = 0
    step = len(graves)
    told = None
    while at < len(graves):
        try:
            told = _part(lt, graves[at : at + step], told)
            at += step
        except MemoryError:
            if step <= _LEAST:
                raise
            step = (step + 1) // 2
        finally:
            lt.memo = {}  # it holds a part only
        platform.over(_STAGES)
    return told


def _part(lt, graves, told):
    from claw_memory import forgotten

    texts = forgotten.part(lt, graves)
    from claw_memory import archive

    archive.redact(lt)
    archive = None
    platform.over(_STAGES)
    if texts and lt.memory is not None:
        sessions = _archives(lt.memory, texts)
        platform.over(_STAGES)
        from claw_memory import notes_more

        notes_more.redact(lt.memory, texts, sessions)
        notes_more = None
        platform.over(_STAGES)
    from claw_memory import history_kept

    return history_kept.look(lt, texts, told)


def _archives(memory, texts):
    # Redact the archives of sessions; {user: ends of ids for notes_more.redact()}.
    from claw_memory import chats, forgotten, scope, session_archive, text

    scoped = forgotten.sessions_of(texts)
    found = {}
    done = array("I")  # the hashes that end the names of the archives

    def known():
        try:
            for user, ids in chats.users(memory):
                for id in ids:
                    yield user, id
        except OSError:
            pass  # what is not reached is of an unknown user

    for user, id in known():
        done.append(text.fnv1a(id.encode()))
        end = b".s" + scope.number(id).encode()
        if end in scoped:
            found.setdefault(user, []).append(end)
        mine = forgotten.of(texts, user, (end,))
        path = memory.sessions.data_path(id) + ".archive"
        session_archive.redact_one(path, _hides(mine, id))

    # Of whom the others are nobody knows: that what was forgotten is gone weighs more there.
    session_archive.redact(memory.sessions, _hides(texts), lambda name: not _ends_in(name, done))
    return found


def _hides(texts, session_id=""):
    from claw_memory import forgotten

    return lambda line, turn: forgotten.hides(texts, line, None, (session_id, turn))


def _ends_in(name, hashes):
    # name: s_<safe>_<hash>.log.archive
    end = name.split(".")[0][-8:]
    try:
        number = int(end, 16)
    except ValueError:
        return False
    return any(one == number for one in hashes)  # an array has no `in` on a board
