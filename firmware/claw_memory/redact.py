"""What was forgotten leaves the other files for good, before a compaction drops its lines.

Until then those who show such files leave its lines out, see forgotten.py.
"""

from claw_memory import archive, forgotten


def forgotten_lines(lt):
    """Redact archive, notes and session archives of lt. Raises NoSpace or IOFailure."""
    archive.redact(lt)
    texts = forgotten.texts(lt)
    if not texts or lt.memory is None:
        return
    for name in ("notes", "session_archive"):
        try:
            module = __import__("claw_memory." + name, None, None, ("redact",))
        except ImportError:
            continue
        if hasattr(module, "redact"):
            module.redact(lt.memory, texts)
