"""The methods of Sessions that no turn needs; each function takes the Sessions first."""

from claw_memory import durable, limits, platform
from claw_memory.errors import Blocked, ClawError, InvalidArg, InvalidState, NotFound
from claw_memory.session_log import SessionLog

_REFUSALS = {
    "none": "A session id and at least one record are needed.",
    "type": "There is no such type of record.",
    "words": "A record needs JSON, or text if it is a user or final record.",
    "json": "A record must be one complete JSON value.",
}


def refusal(sessions, what):
    """The InvalidArg for records that persist() does not take."""
    return InvalidArg(_REFUSALS[what])


def stale(rewritten):
    """The InvalidState for a session of which records have other numbers than when it was read."""
    if rewritten:
        return InvalidState("The session was rewritten while it was read.")
    return InvalidState("The index of this session changed on disk: restart.")


def admit(sessions, session_id, log):
    """Raise Blocked when the session takes no more records, ClawError when its path is too long.

    log: its SessionLog, beside whose file there is one that ends in .blocked unless it has a path
    too long.
    """
    if len(log.path.encode()) > limits.PATH_BYTES:
        raise ClawError("The path %s is too long: use a shorter root." % log.path)
    if not log.size:
        # Left over from a deletion that was cut short.
        durable.remove(log.path + ".blocked")
        return
    from claw_memory import session_compact

    if not sessions.summarise or not session_compact.shrink(sessions, session_id, log):
        raise Blocked(session_compact.FULL)


def gate(sessions, session_id):
    """Raise Blocked, with what to do, when the session takes no more records."""
    if session_id:
        log = sessions.log(session_id)
        if not log.open and platform.size(log.path + ".blocked") >= 0:
            admit(sessions, session_id, log)
        log.open = True


def tidy(sessions):
    """Between two turns: make the session smaller for which the last one had no RAM."""
    session_id, sessions.untidy = sessions.untidy, ""
    if session_id and not sessions._completed(session_id):
        sessions.notice("The session could not be tidied up: there is not enough memory.")


def put_summary(sessions, session_id, summary):
    """Install the summary (str) that summarise() promised; None or "" blocks the session.

    Raises InvalidState when none is waited for or the session was rewritten since.
    """
    from claw_memory import session_compact

    session_compact.put_summary(sessions, session_id, sessions.log(session_id), summary)


def history(sessions, session_id):
    """Iterator of the messages of a session, parsed, as the current backend takes them.

    Raises NotFound when there are none.
    """
    from claw_memory import session_degrade

    found = session_degrade.parsed(sessions.records(session_id), sessions.format)
    for message in found:
        return _chain(message, found)
    raise NotFound("There is no such session.")


def _chain(first, rest):
    yield first
    yield from rest


def count(sessions, session_id):
    """Number of records."""
    return sessions.log(session_id).count()


def condensing(sessions, session_id):
    """The Condensing of a session (see there): what could leave it."""
    from claw_memory import session_condense

    return session_condense.Condensing(sessions.log(session_id))


def info(sessions, session_id):
    """(turns, bytes of the data file, unix seconds of the last change or 0)."""
    path = sessions.data_path(session_id)
    # For a look at a session that is not in use: leaves the open ones alone.
    found = [log for log in sessions._logs if log.path == path]
    log = found[0] if found else SessionLog(path, sessions.notice)
    return log.before() + log.turns(), max(0, platform.size(path)), platform.mtime(path)


def delete(sessions, session_id):
    """Remove all files of a session; True when there were any. Raises IOFailure, NoSpace."""
    path = sessions.data_path(session_id)
    sessions._forget(path)
    if session_id in sessions.waiting:
        sessions.waiting = ()  # a session that begins anew is not the one to be summed up
    names = [path + end for end in ("", ".idx", ".blocked", ".state", ".archive")]
    found = [(name, None) for name in names if platform.size(name) >= 0]
    if found:
        durable.replace_many(found)
    return bool(found)


def flush(sessions, session_id=None):
    """Let the index of one session, or of all open ones, catch up with its log."""
    for log in sessions._logs:
        if session_id is None or log.path == sessions.data_path(session_id):
            log.flush()


def close(sessions):
    """Write what is pending; the object may be used again."""
    flush(sessions)
    sessions._logs = []
