"""Sentences about files of which nothing is left, or not all of it, or not all is used."""

from claw_memory import platform
from claw_memory.platform import const

_PIECE = const(512)  # bytes read in one go
# What the files beside the records hold when there are memories. The first file that is there
# decides: pins.json may name memories that were forgotten since.
_SIGNS = (
    ("/MEMORY.md", b"## Active Memories"),
    ("/memory_index.json", b'"ref_count":'),
    ("/pins.json", b'"mem-'),
)


def lines(path, count, rest):
    """The sentence about count unreadable lines of the records at path; rest: others are there."""
    if rest:
        return "%d damaged line(s) in %s were skipped; all others are in use." % (count, path)
    said = "No line of %s can be read: the memories in it are lost, unless a backup has them."
    return said % path


def end(path, error):
    """The sentence about records at path that an OSError made end early."""
    return "%s cannot be read to its end (error %s)." % (path, error.errno)


def records(dir, path):
    """The sentence when the records at path are gone that the files in dir tell of, else ""."""
    for name, sign in _SIGNS:
        if platform.size(dir + name) > 0:
            if not _holds(dir + name, sign):
                break
            said = "%s is gone or empty, but %s tells of memories: they are lost, "
            return (said + "unless a backup has them.") % (path, dir + name)
    return ""


def guidance(name):
    """The sentence when there is no file for the model about its memory."""
    return "%s is missing: the model is not told how to use its memory." % name


def profile(path, limit):
    """The sentence for the user about a file over limit bytes of the prompt."""
    return "Only the first %d bytes of %s go to the model: shorten it." % (limit, path)


def mark(limit):
    """The line for the model behind such a file."""
    return "\n[cut: only the first %d bytes of this file are shown]" % limit


def session(log):
    """Tell that log (a SessionLog), of which there is an index, has no data."""
    if not platform.isdir(log.path):
        said = "Session file %s is gone or empty, but not its index: unless you deleted it, "
        log.notice((said + "what was said in it is lost, or in a backup.") % log.path)


def _holds(path, sign):
    # In flat RAM: the index is one line.
    try:
        with open(path, "rb") as f:
            before = b""
            while True:
                piece = f.read(_PIECE)
                if not piece:
                    return False
                if sign in before + piece:
                    return True
                before = piece[-len(sign) :]
    except OSError:
        return False
