"""Forgetting for good: a memory, all that tells it, and what is left of both on the medium.

It has no undo. Texts go first, then free space and directories are overwritten; a job file makes
sure that both get done, whenever the power fails. See docs/durability.md.
"""

from claw_memory import chats, erase_files, erase_job, scope
from claw_memory.errors import ClawError, Corrupt, InvalidState

PLACES = erase_files.PLACES

# What nothing else needs: platform.unload() takes them out of the RAM again.
MODULES = (
    "erase_files erase_flash erase_job erase_own erase_records erase_tells erase_texts overwrite"
    " chats erase"
)


class Preview:
    """What would go with one memory; iterate it to the end, then read it.

    Attributes: `id`, `tells` (Tells, which run() takes), `content`, `words` (distinctive ones),
    `messages` {name of a session: number}, `lines` {path: number} of notes, archives and former
    texts, `places` {such a name or path: first turns from 0, or lines from 1}, `others` ids of
    memories that tell the same and stay, `own` [(path, line)] of the user's own texts, which stay,
    `names` of files and sessions that tell it and stay, `bytes` and `seconds` of the overwriting.
    """

    def __init__(self, memory, id):
        _check(memory)
        self._memory = memory
        self.id = id
        self.tells, self.words, self.content = erase_job.learn(memory, id)
        self.messages = {}
        self.places = {}
        self.lines = self.own = self.names = self.others = ()
        self.bytes = self.seconds = 0

    def __iter__(self):
        """Steps; each takes a moment."""
        from claw_memory import erase_flash, erase_own, erase_records

        memory = self._memory
        tells = self.tells
        found = erase_files.Found()
        memory.sessions.flush()
        yield from _look(memory, tells, found, False)
        yield from erase_records.dead(memory, tells, found)
        yield from erase_own.own(memory, tells, found)
        names = _names(memory)
        for path in found.messages:
            self.messages[names.get(path, path)] = found.messages[path]
            self.places[names.get(path, path)] = found.places[path]
        for path in found.lines:
            self.places[path] = found.places[path]
        self.lines = found.lines
        self.own = found.own
        self.names = found.names + [name for name in names.values() if tells(name)]
        self.others = [
            item.id
            for item in erase_job.others(memory, tells)
            if tells(item.content) and scope.visible(item.id, memory.scope)
        ]
        self.bytes, self.seconds = erase_flash.estimate(memory)


def summed(found):
    """How much found (Preview or Found) is together, for people."""
    said = []
    for counts, what in ((found.messages, "message"), (found.lines, "line")):
        count = sum(counts.values())
        if count:
            said.append("%d %s%s" % (count, what, "" if count == 1 else "s"))
    return " and ".join(said) or "nothing"


def preview(memory, id):
    """The Preview of what erasing the memory id takes along.

    Raises InvalidArg, NotFound, and InvalidState in lightweight mode or while another one is not
    finished.
    """
    return Preview(memory, id)


def run(memory, id, say, tells=None):
    """Steps that erase the memory id. say: function that gets a sentence now and then.

    tells: that of a Preview, so that what goes is what was shown. Close the generator when it is
    not carried to its end; what it began is finished by resume(). Raises as preview does, and
    NoSpace or IOFailure: then, too, it can be resumed.
    """
    _check(memory)
    tells = tells or erase_job.learn(memory, id)[0]
    erase_job.save(memory, erase_job.TEXTS, tells)
    yield
    yield from resume(memory, say)


def pending(memory):
    """The phase of an erasure that is not finished: "texts", "flash", or "". Raises Corrupt."""
    return erase_job.load(memory)[0]


def resume(memory, say):
    """Steps that finish what run() began; nothing when there is nothing to finish."""
    phase, tells = erase_job.load(memory)
    if tells is not None:
        found = yield from _texts(memory, tells)
        say("Removed, besides the memory itself: %s." % summed(found))
        phase = erase_job.FLASH
    if phase:
        from claw_memory import erase_flash

        yield from erase_flash.steps(memory, say)
        erase_job.save(memory, "")


def boot(memory, notice):
    """At the start: finish removing texts, which is quick, and offer to go on with the rest."""
    try:
        phase, tells = erase_job.load(memory)
        if tells is not None:
            for _ in _texts(memory, tells):
                pass
            notice("What was to be forgotten for good is removed; a restart had interrupted that.")
        from claw_memory import erase_flash

        erase_flash.sweep(memory)
        notice("Its traces are not overwritten yet: /memory forget --hard goes on with it.")
    except Corrupt as e:
        erase_job.save(memory, "")
        notice(str(e))
    except ClawError as e:
        notice("Something that was to be forgotten for good is still there: %s" % e)


def _check(memory):
    if memory.scope and memory.scope.user:
        raise InvalidState("Only the owner of the device has something erased for good.")
    if memory.longterm is None:
        raise InvalidState("In lightweight mode MEMORY.md is yours: edit it.")
    if pending(memory):
        raise InvalidState(
            "Another memory is being erased: /memory forget --hard goes on with it."
        )


def _names(memory):
    # {path of a session's log: its name}
    found = {}
    for _, ids in chats.users(memory):
        for id in ids:
            found[memory.sessions.data_path(id)] = chats.called(memory, id)
    return found


def _look(memory, tells, found, act):
    yield from erase_files.sessions(memory, tells, found, act)
    yield from erase_files.notes(memory, tells, found, act)


def _texts(memory, tells):
    # The memory is hidden first; the job knows what to look for when its words are gone.
    from claw_memory import erase_records

    memory.sessions.close()
    memory.sessions.waiting = ()
    found = erase_files.Found()
    if memory.longterm is not None:
        erase_records.hide(memory, tells)
        yield from erase_records.dead(memory, tells, found)
    yield from _look(memory, tells, found, True)
    yield from erase_records.remove(memory, tells)
    memory.sessions.close()
    erase_job.save(memory, erase_job.FLASH)
    return found
