"""What search looks at: items, archived items, daily notes, archived turns.

Each source is a generator that offers texts to a pool (search_rank.Pool) and yields between
steps. who: the Scope that asks. roomy: there is RAM for an index; all but the items are streamed,
one line in RAM at a time.
"""

from claw_memory import notes
from claw_memory.platform import const

_ARCHIVED = 0.7  # weight of archived items
_TURN = 0.6  # weight of archived turns
_HALF = const(30)  # days after which a note counts half


def _items(memory, pool, who, roomy):
    from claw_memory import search_items

    return search_items.look(memory.view(who), pool, roomy)


def _archived(memory, pool, who, roomy):
    from claw_memory import archive, search_items

    lt = memory.view(who)
    if archive.exists(lt):
        for number, item in enumerate(archive.stream(lt)):
            pool.drop(item.id)
            search_items.offer(pool, item, number, False, "archive", _ARCHIVED)
            yield


def _notes(memory, pool, who, roomy):
    from claw_memory import notes_more

    now = memory.clock()
    at = notes.folder(memory, who)
    hides = notes.hider(memory.seen_by(who))
    line = ""

    def hidden(_):
        return hides(line)

    for day in notes.days(memory, who):
        date = "unknown" if day == notes.UNDATED else day
        weight = 1
        if now and date == day:
            weight = 0.5 ** (max(0, now // 86400 - _days(day)) / _HALF)
        for number, line in enumerate(notes.lines(at + day + ".md")):
            said = notes_more.bare(line)
            pool.offer("note", day, date, said, "", weight, number, False, hides and hidden)
            yield


def _days(day):
    # Days since 1970-01-01 of "2026-11-29".
    year, month, date = [int(part) for part in day.split("-")]
    if month < 3:
        year -= 1
        month += 12
    days = 365 * year + year // 4 - year // 100 + year // 400
    return days + (153 * month - 457) // 5 + date - 719469


def _turns(memory, pool, who, roomy):
    from claw_memory import chats, search_items, session_archive

    lt = memory.view(who)
    outdated = notes.superseded(lt) if lt is not None else None
    forgotten = None
    turn = 0

    def hidden(content):
        return (forgotten and forgotten(content, turn)) or (outdated and outdated(content))

    for session_id in chats.sessions(memory, who):
        forgotten = session_archive.hider(lt, session_id)
        for turn, _, content, at in session_archive.entries(
            memory.sessions, session_id, 0, pool.may_match
        ):
            id = "%s#%d" % (session_id, turn + 1)
            day = search_items.day(at)
            pool.offer("turn", id, day, content, "", _TURN, turn, False, hidden)
            yield


SOURCES = (_items, _archived, _notes, _turns)
