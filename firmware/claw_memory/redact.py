"""What was forgotten leaves the other files for good, before a compaction drops its lines.

Until then those who show such files leave its lines out, see forgotten.py. Each kind of file is a
stage of its own, whose modules leave the heap before the next one.
"""

from claw_memory import platform


def forgotten_lines(lt):
    """Redact archive, notes and session archives of lt. Raises NoSpace or IOFailure."""
    from claw_memory import forgotten

    texts = forgotten.texts(lt, True)
    from claw_memory import archive

    archive.redact(lt)
    archive = None
    platform.over("archive")
    if not texts or lt.memory is None:
        return
    from claw_memory import session_archive

    session_archive.redact(lt.memory.sessions, lambda line: forgotten.hides(texts, line))
    session_archive = None
    platform.over("session_archive session_state")
    from claw_memory import notes_more

    notes_more.redact(lt.memory, texts)
