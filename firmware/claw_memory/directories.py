"""What directories need: finish what a cut left in one, make it."""

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
        from claw_memory import refused

        refused.aside(prefix + durable._JOURNAL, notices.append)
    try:
        if durable._replay(prefix):
            from claw_memory import refused

            notices.append(refused.finished(dir))
        for name in platform.listed(prefix, lambda n: n.endswith(_TEMP)):
            if own is None or name.startswith("claw") or own(name[: -len(_TEMP)]):
                durable._unlink(prefix + name)
    except OSError as e:
        from claw_memory import refused

        notices.append(refused.unfinished(dir, e))
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
                from claw_memory import fatdir

                fatdir.show(part)
