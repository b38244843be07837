"""What follows when a file cannot be used: an append is undone, and the error told."""

from claw_memory import durable, platform
from claw_memory.errors import Corrupt, IOFailure, NoSpace
from claw_memory.platform import const

_EACCES = const(13)  # what FAT says when a directory cannot grow
_ENOSPC = const(28)


def failure(path, error):
    """The NoSpace or IOFailure for the OSError error that writing path met."""
    code = error.args[0] if error.args else 0  # CPython leaves errno empty in OSError(28)
    if code == _EACCES and platform.on_fat(path) and not platform.isdir(path):
        code = _ENOSPC
    if code == _ENOSPC:
        return NoSpace("No space left to write %s: delete something and try again." % path)
    if platform.isdir(path):
        return IOFailure("%s is a folder, but has to be a file: give it another name." % path)
    return IOFailure("Cannot write %s (error %s): check the card or the flash." % (path, code))


def unread(path, error):
    """The IOFailure for the OSError error that reading path met."""
    return IOFailure("Cannot read %s (error %s)." % (path, error.errno))


def changed(path):
    """The Corrupt for records that are not where this firmware has left them."""
    return Corrupt("%s was changed by somebody else: restart to read it" % path)


def undo(path, size, line):
    """Undo an append to the file at path, which had size bytes (-1: none); line: see append."""
    # FAT keeps what it could write: whole lines among it must not be read as appended.
    try:
        if size <= 0:
            durable._unlink(path)  # an empty file counts as none
            return
        grown = platform.size(path) - size
        if line and grown > 0:
            with durable._open(path, "r+b") as file:
                file.seek(size)
                for _ in range(grown):
                    file.write(b"\n")
    except OSError:
        pass


def finished(dir):
    """What to tell of a change in the directory dir that a cut had interrupted."""
    return "Finished a change in %s that a power cut had interrupted." % dir


def unfinished(dir, e):
    """What to tell of a change in the directory dir that a cut interrupted and e (OSError) too."""
    text = "An interrupted change in %s could not be finished (error %s): check the card."
    return text % (dir, e.errno)


def aside(path, notice):
    """Call the folder at path, where a file belongs, PATH.bad, and give notice() a sentence.

    What stands in the way is no reason not to write, and somebody may want what is in it.
    """
    try:
        durable._os.rename(path, path + ".bad")
    except OSError:
        return  # the write that follows fails, and says why
    notice("A folder was in the place of %s: it is called %s.bad now." % (path, path))
