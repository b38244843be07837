"""The files derived from the long-term records: memory_index.json and MEMORY.md.

Nothing here is read back to answer a question; both can be deleted at any time. They are written
for ESP-Claw, which reads the index, and for people.
"""

from array import array

from claw_memory import durable, items, jsonio, platform, table, text
from claw_memory.platform import const

_TERM_BYTES = const(47)
_NONE = const(0xFFFF)


def write_index(lt):
    """Write memory_index.json of lt. Raises NoSpace or IOFailure."""
    from claw_memory import digest_fold, trim

    folded = digest_fold.replay(lt.digest, _nowhere, 0)[2]
    # ESP-Claw reads it, which knows no users: everybody's.
    rows = visible(lt, trim.beyond(lt.table))
    digest_fold = trim = None
    platform.over("digest_fold trim")
    chunks = _index(lt.read(rows), lt.table, folded, rows)
    try:
        durable.write_derived(lt.index, chunks)
    finally:
        chunks.close()


def write_markdown(lt):
    """Write MEMORY.md of lt. Raises NoSpace or IOFailure."""
    chunks = _markdown(lt)
    try:
        durable.write_derived(lt.markdown, chunks)
    finally:
        chunks.close()


def visible(lt, hidden):
    """The rows of lt without those that hidden flags, in the order of the file."""
    rows = lt.table
    return [
        row for row in range(len(rows)) if not rows.deleted(row) and not (hidden and hidden[row])
    ]


def _nowhere(id):
    return -1


def _references(rows, chosen):
    # How many of the chosen rows carry each label.
    refs = array("H", [0] * len(rows.labels.words))
    for row in chosen:
        for number in rows.label_numbers(row):
            refs[number] += 1
    return refs


def _index(found, rows, folded, chosen):
    # memory_index.json in the key order of ESP-Claw's compaction, which found (Items) with these
    # row numbers are in; folded: bytes of the digest log that are folded in.
    terms = table.Words()  # in lower case: ESP-Claw finds a term however it is written
    spelt = table.Words()
    other = array("H")  # number in spelt of each term, NONE for one in lower case
    # Where a term is used, in places chained from first to last.
    first = array("H")
    last = array("H")
    row_of = array("H")
    following = array("H")
    for row, item in zip(chosen, found):
        for term in text.csv(item.keywords or item.tags):
            word = text.to_bytes(text.bare(text.cut(term, _TERM_BYTES)))
            low = word.lower()
            number = terms.find(low)
            if number < 0:
                number = terms.add(low)
                other.append(_NONE if low == word else spelt.add(word))
                first.append(_NONE)
                last.append(_NONE)
            end = last[number]
            if end != _NONE and row_of[end] == row:
                continue
            last[number] = len(row_of)
            if end == _NONE:
                first[number] = len(row_of)
            else:
                following[end] = len(row_of)
            row_of.append(row)
            following.append(_NONE)
    refs = _references(rows, chosen)
    used = [number for number in range(len(refs)) if refs[number]]
    unused = max([rows.labels.ids[number] for number in used]) + 1 if used else 1
    yield b'{"version":3'
    if not used:
        yield b',"next_summary_id":1'
    yield b',"summaries":['
    for number in used:
        yield (
            '%s{"summary_id":%d,"label":%s,"ref_count":%d}'
            % (
                "" if number == used[0] else ",",
                rows.labels.ids[number],
                jsonio.literal(str(rows.labels.words[number], "utf-8")),
                refs[number],
            )
        ).encode()
    yield b"]"
    if used:
        yield (',"next_summary_id":%d' % unused).encode()
    yield b',"keyword_index":{'
    for number in range(len(terms)):
        word = terms[number] if other[number] == _NONE else spelt[other[number]]
        yield ("%s%s:[" % ("]," if number else "", jsonio.literal(str(word, "utf-8")))).encode()
        at = first[number]
        while at != _NONE:
            id = jsonio.literal(str(rows.ids[row_of[at]], "utf-8"))
            yield ("%s%s" % ("" if at == first[number] else ",", id)).encode()
            at = following[at]
    yield b"]" if len(terms) else b""
    yield ('},"last_compact_digest_size":%d}' % folded).encode()


def _markdown(lt):
    rows = lt.table
    shown = visible(lt, lt.hidden())
    refs = _references(rows, shown)
    yield b"# Long-term Memory\n\n"
    if any(refs):
        yield b"## Summary Labels\n\n"
        for number in range(len(refs)):
            if refs[number]:
                yield b"- " + rows.labels.words[number]
                yield (" (refs=%d)\n" % refs[number]).encode()
        yield b"\n"
    if not shown:
        yield b"(empty - Claw will write memories here as it learns)\n"
        return
    yield b"## Active Memories\n\n"
    for item in lt.list():
        yield (
            "- `%s` %s\n  time=%s access=%d labels=%s\n"
            % (
                item.id,
                item.content,
                date_time(item.updated_at),
                item.access_count,
                jsonio.dumps(items.labels(item.tags)),
            )
        ).encode()


def date_time(seconds):
    """`YYYY-MM-DD HH:MM:SS` (UTC) of unix seconds, `-` for 0, the same on every board's epoch."""
    if not seconds:
        return "-"
    days, rest = divmod(seconds, 86400)
    # Days since 0000-03-01, in eras of 400 years: leap days then come last in every cycle.
    era, day = divmod(days + 719468, 146097)
    year = (day - day // 1460 + day // 36524 - day // 146096) // 365
    day -= 365 * year + year // 4 - year // 100
    month = (5 * day + 2) // 153
    day -= (153 * month + 2) // 5 - 1
    month = month + 3 if month < 10 else month - 9
    year += era * 400 + (1 if month <= 2 else 0)
    return "%04d-%02d-%02d %02d:%02d:%02d" % (
        year,
        month,
        day,
        rest // 3600,
        rest // 60 % 60,
        rest % 60,
    )
