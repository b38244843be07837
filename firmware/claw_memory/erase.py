"""Forgetting for good: a memory, all that tells it, and what is left of both on the medium.

It has no undo. Texts go first, then free space and directories are overwritten; a job file makes
sure that both get done, whenever the power fails. See docs/durability.md.
"""

from claw_memory import (
    durable,
    erase_files,
    erase_job,
    itemline,
    jsonio,
    longterm_change,
    platform,
    scope,
)
from claw_memory.errors import ClawError, Corrupt, InvalidState

# What nothing else needs: platform.unload() takes them out of the RAM again.
MODULES = "erase_files erase_flash erase_job erase_tells erase_texts overwrite erase"


class Preview:
    """What would go with one memory; iterate it to the end, then read it.

    Attributes: `content` and `words` (the distinctive ones), `messages` {name of a session:
    number}, `lines` {path: number} of notes and archives, `others` ids of memories that tell the
    same and stay, `own` [(path, line)] of the user's own texts, which stay, `names` of files and
    sessions that tell it and stay, `bytes` and `seconds` of the overwriting.
    """

    def __init__(self, memory, id):
        _check(memory)
        self._memory = memory
        self._tells, self.words, self.content = erase_job.learn(memory, id)
        self.messages = {}
        self.lines = self.own = self.names = self.others = ()
        self.bytes = self.seconds = 0

    def __iter__(self):
        """Steps; each takes a moment."""
        memory = self._memory
        tells = self._tells
        found = erase_files.Found()
        memory.sessions.flush()
        yield from erase_files.sessions(memory, tells, found, False)
        yield from erase_files.notes(memory, tells, found, False)
        yield from erase_files.own(memory, tells, found)
        names = _names(memory)
        for path in found.messages:
            self.messages[names.get(path, path)] = found.messages[path]
        self.lines = found.lines
        self.own = found.own
        self.names = found.names + [name for name in names.values() if tells(name)]
        self.others = [
            item.id
            for item in erase_job.others(memory, tells)
            if tells(item.content) and scope.visible(item.id, memory.scope)
        ]
        from claw_memory import erase_flash

        self.bytes, self.seconds = erase_flash.estimate(memory)


def preview(memory, id):
    """The Preview of what erasing the memory id takes along.

    Raises InvalidArg, NotFound, and InvalidState in lightweight mode or while another one is not
    finished.
    """
    return Preview(memory, id)


def run(memory, id, say):
    """Steps that erase the memory id. say: function that gets a sentence now and then.

    Close the generator when it is not carried to its end; what it began is finished by resume().
    Raises as preview does, and NoSpace or IOFailure: then, too, it can be resumed.
    """
    _check(memory)
    tells = erase_job.learn(memory, id)[0]
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
        count = yield from _texts(memory, tells)
        say("Removed from %d messages, notes and archives." % count)
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
    folder = memory.sessions_dir + "/chat_map"
    if platform.isdir(folder):
        for name in platform.listed(folder, lambda name: name.endswith(".json")):
            try:
                with open(folder + "/" + name, "rb") as f:
                    table = jsonio.loads_prefix(f.read())
                for alias in table["sessions"]:
                    path = memory.sessions.data_path(table["chat_key"] + ":" + alias)
                    found[path] = alias
            except (ValueError, KeyError, TypeError):
                continue
    return found


def _texts(memory, tells):
    # The memory is hidden first; the job knows what to look for when its words are gone.
    lt = memory.longterm
    memory.sessions.close()
    memory.sessions.waiting = ()
    if lt is not None:
        rows = lt.table
        for row in range(len(rows)):
            if tells.is_id(rows.ids[row]) and not rows.deleted(row):
                longterm_change.forget(lt, row)
                break
    # A compaction moves texts into history and archive, so it comes before these.
    yield from _records(memory, tells)
    found = erase_files.Found()
    yield from erase_files.sessions(memory, tells, found, True)
    yield from erase_files.notes(memory, tells, found, True)
    count = sum(found.messages.values()) + sum(found.lines.values())
    memory.sessions.close()
    erase_job.save(memory, erase_job.FLASH)
    return count


def _records(memory, tells):
    path = memory.memory_dir + "/memory_records.jsonl"
    lt = memory.longterm
    if lt is not None:
        lt.compact()
        yield

    def judge(line):
        item = itemline.from_line(line)
        if item is None:
            return b"" if tells(line) else None
        return b"" if tells.is_id(item.id.encode()) else None

    count = yield from erase_files.lines(path, judge, True)
    yield from erase_files.digest(memory, tells, erase_files.Found(), True)
    if lt is None:
        durable.remove(memory.memory_dir + "/memory_index.json")
        return
    if count:
        longterm_change.reload(lt)
    lt.derive()
