"""The operations of undo, pins, history and archive, as the firmware carries them out."""

from claw_memory import archive, history, pins, undo

from ops_memory import Clock, Items


class ForgetUndo(Items):
    """Each step is there or not; what was undone is as it was before."""

    name = "forget_undo"
    steps = (
        lambda m: m.longterm.forget("tea"),
        lambda m: undo.undo(m.longterm),
        lambda m: m.longterm.update("night", "Works by day"),
        lambda m: undo.undo(m.longterm),
        lambda m: m.longterm.store("Plays the cello", "music", id="cello"),
        lambda m: undo.undo(m.longterm),
    )

    def fill(self, memory):
        Items.fill(self, memory)

    settings = {"DEAD_BYTES": 1 << 20}

    def expect(self, views):
        return views[0] == views[2] == views[4] == views[6] and len(set(map(str, views))) == 4


class Pin(Items):
    name = "pin"
    steps = (
        lambda m: pins.pin(m.longterm, "tea", True),
        lambda m: pins.pin(m.longterm, "night", True),
        lambda m: pins.pin(m.longterm, "tea", False),
    )

    def view(self, memory):
        rows = memory.longterm.table
        return Items.view(self, memory), sorted(rows.ids[row] for row in rows.pinned)

    def expect(self, views):
        return [v[1] for v in views] == [[], [b"tea"], [b"night", b"tea"], [b"night"]]


class Everything(Items):
    """All that is kept of a memory: alive, archived, or as it was before."""

    double_stride = 2
    quick_stride = 13
    quick_double = 47

    def view(self, memory):
        lt = memory.longterm
        archived = sorted((i.id, i.content, i.updated_at) for i in archive.entries(lt))
        known = [item.id for item in lt.list()]
        before = [[entry[1] for entry in history.of(lt, id)] for id in sorted(known)]
        return Items.view(self, memory), archived, before


class History(Everything):
    """A compaction: superseded texts move from the records into the history, none twice."""

    name = "compaction_with_history"
    nth_stride = 7
    steps = (
        lambda m: m.longterm.compact(),
        lambda m: m.longterm.update("tea", "Drinks nothing"),
        lambda m: m.longterm.compact(),
    )
    settings = {"DEAD_BYTES": 1 << 20}

    def fill(self, memory):
        Items.fill(self, memory)
        for n in range(3):
            memory.longterm.update("tea", "Drinks tea, version %d" % n)
        memory.longterm.update("night", "Works at day")

    def expect(self, views):
        return views[0] == views[1] and views[2] == views[3] and views[1] != views[2]


class Archive(Everything):
    """What is beyond the limit moves into the archive at a compaction, and comes back by use.

    Before the compaction it is neither shown nor archived, so that only the alive are compared
    there; the ids tell that nothing is lost.
    """

    name = "compaction_with_archive"
    nth_stride = 7
    steps = (
        lambda m: m.longterm.compact(),
        lambda m: archive.bring_back(m.longterm, "fact1"),
        lambda m: m.longterm.compact(),
    )
    settings = {"DEAD_BYTES": 1 << 20, "ARCHIVE_FILE_BYTES": 1400}

    def fill(self, memory):
        Items.fill(self, memory)
        for n in range(10):
            Clock.now += 7200
            memory.longterm.store("Fact number %d about gardens" % n, "x", id="fact%d" % n)
        Clock.now += 7200

    def view(self, memory):
        lt = memory.longterm
        found = {item.id: item.content for item in archive.entries(lt)}
        rows = lt.table
        for item in lt.read([row for row in range(len(rows)) if not rows.deleted(row)]):
            found[item.id] = item.content
        return Items.view(self, memory), sorted(found.items())

    def expect(self, views):
        # nothing is lost, whatever is alive
        same = [v[1] for v in views]
        return same == same[:1] * 4 and len(same[0]) == 14 and views[1] != views[2]


OPS = (ForgetUndo, Pin, History, Archive)
