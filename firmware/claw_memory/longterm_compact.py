"""Compaction of the long-term store: recalls folded in, equal items merged, few-used ones trimmed.

Records, index, digest log and history are replaced together: after a cut all are old or all are
new, so a recall is never counted twice. What is trimmed goes into the archive before, and what was
forgotten leaves all other files before. Imported only when a compaction is due; what a stage of it
needs is imported for the stage, as a board may not have room for all at once.
"""

from claw_memory import durable, platform
from claw_memory.platform import const

# What of the index must change together with the log. The rest is derived, which can wait, and
# on FAT costs twice in here.
_INDEX = const(
    b'{"version":3,"next_summary_id":1,"summaries":[],"keyword_index":{},'
    b'"last_compact_digest_size":%d}'
)


def compact(lt):
    """Rewrite the records of lt. Raises NoSpace or IOFailure with the store as before."""
    rows = lt.table
    lt.memo = {}
    platform.over("longterm_change")
    for name in ("/history.jsonl", "/pins.json", "/archive_0.jsonl", "/archive_1.jsonl"):
        if platform.isdir(lt.dir + name):
            from claw_memory.refused import aside

            aside(lt.dir + name, lt._notice)
    told = None
    if rows.graves():
        from claw_memory import redact

        told = redact.forgotten_lines(lt)
        redact = None
        platform.over("redact forgotten likeness")
    if len(rows.hash) != len(rows):
        from claw_memory.marks import warm

        warm(lt)
        warm = None
    platform.over("item_texts marks")
    from claw_memory import digest_fold

    access, updated, _ = digest_fold.replay(lt.digest, rows.ids.find, len(rows))
    digest_fold = None
    platform.over("digest_fold")
    for row in range(len(rows)):
        access[row] = min(65535, access[row] + rows.access[row])
        updated[row] = max(updated[row], rows.updated[row])
    from claw_memory import longterm_plan

    plan = longterm_plan.Plan(lt, access, updated)
    longterm_plan = None
    platform.over("trim")
    if plan.gone:
        from claw_memory import archive

        archive.put(lt, plan.items(plan.gone))
        archive = None
        platform.over("archive rewrite")
    # The file whose making takes most RAM comes first.
    files = _more(lt, plan.kept, told)
    told = None
    files.append((lt.records, plan.records()))
    from claw_memory import digest_fold

    size, log = digest_fold.trimmed(lt.digest, lt.clock())
    files.append((lt.digest.path, _released(log, "digest_fold")))
    files.append((lt.index, (_INDEX % size,)))
    digest_fold = log = None
    # Until the table has followed: RAM may not suffice for that, and what fails may fail after
    # the new files were decided on.
    lt.stale = True
    try:
        durable.replace_many(files)
    finally:
        for _, chunks in files:
            if hasattr(chunks, "close"):
                chunks.close()
    lt.compacted(plan.table, plan.size)


def _more(lt, kept, told):
    # (path, chunks) of the other files that change with the records.
    rows = lt.table
    found = []
    path = lt.dir + "/history.jsonl"
    if lt.size > rows.live_bytes + lt.foreign or platform.exists(path):
        from claw_memory import history_kept

        chunks = history_kept.kept(lt, told)
        platform.over("itemodd")
        if chunks is not None:
            found.append((path, _released(chunks, "history_kept history changes")))
    if any([row not in kept for row in rows.pinned]):
        from claw_memory import pins

        pinned = [row for row in rows.pinned if row in kept]
        found.append((lt.dir + pins.NAME, pins.chunks(rows, pinned)))
    return found


def _released(chunks, names):
    # These chunks, after which what made them leaves the heap, if all went well.
    try:
        for chunk in chunks:
            yield chunk
    finally:
        chunks.close()
    chunks = None
    platform.over(names)
