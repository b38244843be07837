"""What was forgotten leaves the other files for good, before a compaction drops its lines.

Until then those who show such files leave its lines out, see forgotten.py.
"""

from claw_memory import archive, forgotten, notes_more, session_archive


def forgotten_lines(lt):
    """Redact archive, notes and session archives of lt. Raises NoSpace or IOFailure."""
    archive.redact(lt)
    texts = forgotten.texts(lt, True)
    if not texts or lt.memory is None:
        return
    session_archive.redact(lt.memory.sessions, lambda line: forgotten.hides(texts, line))
    notes_more.redact(lt.memory, texts)
