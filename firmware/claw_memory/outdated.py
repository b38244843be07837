"""What is no longer so: lines that tell a superseded text, and what was forgotten long ago.

Superseded texts are those of history.py: a line that tells one, and not the present one, is left
out where notes and old turns are shown. What was forgotten is known by its words as long as
forgotten.py can read it; what is left after that are hashes of the words, at the end of a
compaction put into history.jsonl. They tell a turn that must not be learned or archived again.
"""

from binascii import crc32, unhexlify

from claw_memory import changes, forgotten, history, items, limits, platform
from claw_memory.likeness import occurs
from claw_memory.marks import fingerprint, warm
from claw_memory.platform import const
from claw_memory.wording import words

_ENOUGH = const(70)  # percent of the words of a forgotten text, by their weight; for ever, so
# more than in forgotten.py: the same matter may be told again with another value
_SAME = const(90)  # percent from which a memory says it anew
_ENTRY = const(3)  # bytes: hash, hash, weight


def superseded(lt):
    """Function that tells for a line (str) whether it tells a superseded text; None: no such text.

    lt: a LongTerm or a view, whose scope decides. Raises IOFailure.
    """
    whole = lt.whole()
    if "superseded" not in lt.memo:
        most = limits.SUPERSEDED_TIGHT if _tight() else limits.SUPERSEDED
        lt.memo["superseded"] = _latest(_superseded(lt, whole), most)
    found = lt.memo["superseded"]
    return (lambda line: _outdated(lt, found, line)) if found else None


def _tight():
    return platform.mem_size() < limits.ROOMY_HEAP


def _latest(entries, most):
    found = []
    for entry in entries:
        found.append(entry)
        del found[:-most]
    return found


def _superseded(lt, whole):
    # Yield (what only the old text has, old text, row or id), the oldest first. No text is taken
    # apart into words before a line is found to have that: this is done anew after every change.
    rows = whole.table
    sees = None
    if lt.scope or rows.scoped:
        from claw_memory.scope import OWNER

        sees = (lt.scope or OWNER).sees
    now = {}
    index = None
    for item in _texts(whole):
        row = rows.ids.find(item.id.encode())
        if row >= 0 and rows.deleted(row) or (sees and not sees(item.id.encode())):
            continue
        key = item.id if row < 0 else row
        if key not in now:
            if row < 0 and not index and not _tight():
                index = _archive(whole)
            now[key] = _now(whole, key, index)
        probe = _probe(item.content.encode().lower(), now[key].encode().lower())
        if probe:
            yield probe, item.content, key


def _texts(lt):
    yield from history.entries(lt)
    dead = changes.Changes(lt)
    count = bytearray(len(lt.table))
    for row in dead.row:
        count[row] = min(2, count[row] + 1)  # pyright: ignore[reportCallIssue]
    for at in range(len(dead)):
        if count[dead.row[at]] > 1:
            item = dead.item(at)
            if not item.deleted:
                yield item
    for at in range(len(dead.undone)):
        yield dead.item(~at)


def _now(lt, key, index=None):
    # The present text; "" for an archived item (key: its id) that is not in index, the archive's.
    if isinstance(key, str):
        item = index.of(key) if index else None
        return item.content if item else ""
    for item in lt.read((key,)):
        return item.content
    return ""


def _archive(lt):
    from claw_memory import archive

    return archive.Index(lt)


def _probe(old, now):
    # The longest blank-separated part of old that now has not; of Chinese, what differs.
    best = b""
    for part in old.split():
        if len(part) > len(best) and part not in now:
            best = part
    if best and best[0] >= 0x80:
        at = 0
        while at < len(best) and best[: at + 3] in now:
            at += 3
        best = best[at : at + 6]
    return best.strip(b".,;:!?()\"'")


def _outdated(lt, found, line):
    body = (" %s " % line).encode().lower()
    for probe, old, key in found:
        if probe not in body:
            continue
        said = words(old)
        archived = isinstance(key, str) and not _tight()
        now = _now(lt.whole(), key, _archive(lt.whole()) if archived else None)
        if not now:
            if all([occurs(word, body) for word in said]) and not _again(lt.whole(), old):
                return True
            continue
        now = words(now)
        if forgotten.tells(body, said) and forgotten.tells(body, _only(said, now)):
            new = _only(now, said)
            if not (new and forgotten.tells(body, new)) and not _again(lt.whole(), old):
                return True
    return False


def _only(a, b):
    return [word for word in a if word not in b]


def _again(lt, old):
    # Whether some memory says just that now.
    warm(lt)
    rows = lt.table
    item = items.Item()
    item.content = old
    check = fingerprint(item)[0]
    return any([rows.hash[at] == check and not rows.deleted(at) for at in range(len(rows))])


def gone(lt, lately=True, session_id=""):
    """Function that tells for a text (str) whether it tells what was once forgotten; or None.

    lt: a LongTerm or a view. lately: what forgotten.py still can read is among it. What was told
    anew is not. The function may be told in which turn of session_id the text was said: what was
    forgotten in that session before does not count. Raises IOFailure.
    """
    texts = forgotten.texts(lt) if lately else ()
    most = limits.GONE_TIGHT if _tight() else limits.GONE
    entries = _latest(_gone(lt, session_id), most)
    if not texts and not entries:
        return None

    known = {}  # {number of a text: whether it tells it}: a summary asks again and again

    def tells(line, turn=-1):
        mark = (crc32(line.encode()) ^ turn) & 0x3FFFFFFF
        if mark not in known:
            known[mark] = look(line, turn)
        return known[mark]

    def look(line, turn):
        if forgotten.hides(texts, line, None, (session_id, turn)):
            return True
        there = _hashes(line) if entries else ()
        for at in range(len(entries) - 1, -1, -1):
            marks, before = entries[at]
            if _share(there, marks) >= _ENOUGH and turn <= before:
                if not _anew(lt, marks):
                    return True
                del entries[at]
        return False

    return tells


def _gone(lt, session_id=""):
    # Yield (hashes, turn of that session up to which it was said before)
    sees = None
    if lt.scope or lt.table.scoped:
        from claw_memory.scope import OWNER

        sees = (lt.scope or OWNER).sees
    here = history.session(session_id) if session_id else None
    for id, marks, session, turn in history.gone(lt):
        if not (sees and not sees(id.encode())):
            try:
                yield unhexlify(marks), turn if session == here else 1 << 30
            except ValueError:
                pass


def _hashes(line):
    return set([history.hashed(word) for word in words(line)])


def _share(there, entry):
    # Percent of a forgotten text, by the weight of its words, that these hashes are.
    whole = found = count = 0
    for at in range(0, len(entry) - _ENTRY + 1, _ENTRY):
        weight = entry[at + 2]
        whole += weight
        if entry[at : at + 2] in there:
            found += weight
            count += 1
    return 100 * found // max(1, whole) if count > 1 or len(entry) == _ENTRY else 0


def _anew(lt, entry):
    rows = lt.table
    active = [row for row in range(len(rows)) if not rows.deleted(row)]
    return any([_share(_hashes(item.content), entry) > _SAME for item in lt.read(active)])
