"""Times as ratios within one run: each operation against the floor for the same bytes."""

import gc
import json
import os
import time

import place
from out import report

_ID = "console:bench"
_ROUNDS = 25


def fastest(*works, rounds=_ROUNDS):
    """Microseconds of each of works: the least of several interleaved runs."""
    best = [1 << 30] * len(works)
    for _ in range(rounds):
        for i in range(len(works)):
            gc.collect()
            start = time.ticks_us()
            works[i]()
            best[i] = min(best[i], time.ticks_diff(time.ticks_us(), start))
    return best


def main(kind, where):
    """where: name of the function to run, a colon, and the image or folder.

    The image is no bytearray here: one of that size in the heap makes every allocation slower.
    """
    name, _, folder = where.partition(":")
    root, _ = place.enter(kind, folder)
    globals()[name](root)


def _floor(path, data, times):
    def work():
        for _ in range(times):
            with open(path, "ab") as f:
                f.write(data)

    return work


def appends(root):
    """Session append against the floor, and flat from 10 to 10,000 records."""
    from claw_memory import limits, platform
    from claw_memory.sessions import USER, Sessions
    from material import message, talk

    limits.SESSION_BYTES = 4 << 20
    times = []
    floors = []
    for count in (10, 1000, 10000):
        sessions = Sessions(root + "/a%d" % count)
        talk(sessions, _ID, 0, count)
        path = sessions.data_path(_ID)
        size = platform.size(path)
        sessions.persist(_ID, [(USER, message(1), None)])
        size = platform.size(path) - size

        def append(sessions=sessions):
            for _ in range(8):
                sessions.persist(_ID, [(USER, message(1), None)])

        plain = root + "/p%d" % count
        with open(plain, "wb") as f:
            for _ in range(count):
                f.write(b"x" * size)
        ours, floor = fastest(append, _floor(plain, b"x" * size, 8))
        times.append(ours)
        floors.append(floor)
        report("append_floor_%d" % count, "%.2f" % (ours / floor))
        report("append_us_%d" % count, ours // 8)
        sessions.close()
    report("append_flat", "%.2f" % (times[2] / times[0]))
    report("floor_flat", "%.2f" % (floors[2] / floors[0]))


def recall(root):
    """Recall of 8 of 128 against reading those lines; cost of a store at 10 and at 120."""
    from claw_memory import durable
    from claw_memory.longterm import LongTerm
    from material import Clock, fact, fill

    durable.make_dirs(root + "/memory")
    lt = LongTerm(root + "/memory", Clock())
    fill(lt, 0, 10)
    times = []
    first = [10]

    def store():
        n = first[0]
        first[0] += 1
        lt.store(*fact(n))

    def typical(count):
        # The median: what a store costs depends on how full the last block of the file is.
        spent = []
        for _ in range(count):
            gc.collect()
            start = time.ticks_us()
            store()
            spent.append(time.ticks_diff(time.ticks_us(), start))
        spent.sort()
        return spent[count // 2]

    times.append(typical(15))
    fill(lt, first[0], 110)
    first[0] = 110
    times.append(typical(15))
    report("store_flat", "%.2f" % (times[1] / times[0]))
    fill(lt, 125, 128)
    rows = lt.rows_with((), 8)
    spans = [(lt.table.offset[r], lt.table.length[r]) for r in rows]

    def raw():
        with open(lt.records, "rb") as f:
            for offset, length in spans:
                f.seek(offset)
                f.read(length)

    def found():
        lt.recall((), 8)

    def labelled():
        lt.recall(("label03",), 8)

    def floor_store():
        with open(root + "/plain.jsonl", "ab") as f:
            f.write(b"x" * 270)

    ours, base, label, one = fastest(found, raw, labelled, floor_store)
    report("recall_raw", "%.2f" % (ours / base))
    report("recall_label_raw", "%.2f" % (label / base))
    report("store_floor", "%.2f" % (times[1] / one))
    lt.close()


def opening(root):
    """Opening the store of 128 against json.loads of each line."""
    from claw_memory import durable
    from claw_memory.longterm import LongTerm
    from material import Clock, fill

    clock = Clock()
    durable.make_dirs(root + "/memory")
    lt = LongTerm(root + "/memory", clock)
    fill(lt, 0, 128)
    lt.close()

    def opened():
        LongTerm(root + "/memory", clock)

    def parsed():
        with open(root + "/memory/memory_records.jsonl", "rb") as f:
            while True:
                line = f.readline()
                if not line:
                    return
                json.loads(line)

    ours, base = fastest(opened, parsed)
    report("open_json", "%.2f" % (ours / base))


def last_messages(root):
    """The last 20 messages at 100 and at 10,000 stored, index warm and after a restart."""
    from claw_memory import limits
    from claw_memory.sessions import Sessions
    from material import talk

    limits.SESSION_BYTES = 4 << 20
    for count in (100, 10000):
        sessions = Sessions(root + "/a%d" % count)
        talk(sessions, _ID, 0, count)
        sessions.close()
    few = Sessions(root + "/a100")
    many = Sessions(root + "/a10000")

    def last(sessions):
        def work():
            n = sessions.count(_ID)
            for _ in sessions.messages_raw(_ID, n - 20):
                pass

        return work

    def cold(folder):
        def work():
            last(Sessions(root + folder))()

        return work

    a, b, c, d = fastest(last(few), last(many), cold("/a100"), cold("/a10000"))
    report("last20", "%.2f" % (b / a))
    report("last20_cold", "%.2f" % (d / c))


def compaction(root):
    """Compaction of 160 KB against copying the bytes that are kept."""
    from bytes_session import CALL, RESULT
    from claw_memory import limits, platform, session_compact
    from claw_memory.sessions import CALLS, FINAL, RESULT as RES, USER, Sessions
    from material import message

    def copy(path, number):
        with open(path, "rb") as f, open(root + "/copy%d" % number, "wb") as to:
            while True:
                piece = f.read(4096)
                if not piece:
                    break
                to.write(piece)

    limits.SESSION_BYTES = 4 << 20
    best = floor = 1 << 30
    for run in range(5):
        sessions = Sessions(root + "/c%d" % run)
        path = sessions.data_path(_ID)
        n = 0
        while platform.size(path) < 160000:
            sessions.persist(
                _ID,
                [
                    (USER, message(n, 120), None),
                    (CALLS, None, CALL % n),
                    (RES, None, RESULT % (n, "x" * 400)),
                    (FINAL, message(n, 500), None),
                ],
            )
            n += 1
        sessions.flush()
        limits.SESSION_BYTES = 153600
        log = sessions.log(_ID)
        gc.collect()
        start = time.ticks_us()
        session_compact.shrink(sessions, _ID, log)
        best = min(best, time.ticks_diff(time.ticks_us(), start))
        limits.SESSION_BYTES = 4 << 20
        kept = platform.size(path), platform.size(path + ".idx")
        sessions.close()
        floor = min(floor, *fastest(lambda path=path, run=run: copy(path, run), rounds=1))
        for name in (path + ".idx", path):
            os.remove(name)
    report("compaction_copy", "%.2f" % (best / floor))
    report("compaction_kept", sum(kept))
    report("compaction_ms", best // 1000)
