"""What directories need: finish what a cut left in one, make it, move it out of a file's place."""

from claw_memory import durable, platform
from claw_memory.platform import const

_TEMP = const(".tmp")


def recover(dir, own):
    """See durable.recover."""
    prefix = dir.rstrip("/") + "/"
    notices = []
    if not platform.isdir(dir):
        return notices
    durable._kinds.pop(prefix, None)
    if platform.isdir(prefix + durable._JOURNAL):
        aside(prefix + durable._JOURNAL, notices.append)
    try:
        if durable._replay(prefix):
            notices.append("Finished a change in %s that a power cut had interrupted." % dir)
        for name in platform.listed(prefix, lambda n: n.endswith(_TEMP)):
            if own is None or name.startswith("claw") or own(name[: -len(_TEMP)]):
                durable._unlink(prefix + name)
    except OSError as e:
        text = "An interrupted change in %s could not be finished (error %s): check the card."
        notices.append(text % (dir, e.errno))
    return notices


def make_dirs(path):
    """durable.make_dirs, without its exceptions."""
    at = 0
    while at >= 0:
        at = path.find("/", at + 1)
        part = path if at < 0 else path[:at]
        if part and not platform.isdir(part):
            durable._os.mkdir(part)
            if platform.on_fat(part):
                durable._reveal(part)


def aside(path, notice):
    """Call the folder at path, where a file belongs, PATH.bad, and give notice() a sentence.

    What stands in the way is no reason not to write, and somebody may want what is in it.
    """
    try:
        durable._os.rename(path, path + ".bad")
    except OSError:
        return  # the write that follows fails, and says why
    notice("A folder was in the place of %s: it is called %s.bad now." % (path, path))
