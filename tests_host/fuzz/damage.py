"""What can happen to the files of a store: each function changes a dict of files in place."""

from claw_memory import journal

_JUNK = (
    b'{"role":"user","content":"torn',
    b'{"id":"mem-1","content":"to',
    b"[",
    b"{",
    b'"',
    b"7\n",
)


def kind_of(path):
    """What exchanges must agree in: the kind of file that lies at path."""
    if path.endswith(".idx") or path.endswith(".blocked"):
        return path[path.rfind(".") :]
    if path.startswith("/sessions/"):
        return path[: path.rfind("/") + 1]
    return "profile" if path in ("/memory/user.md", "/memory/soul.md") else path


def _place(data, rng):
    # Anywhere, or right at the end of a line, where damage is the likeliest to be overlooked.
    if data and rng.chance(40):
        ends = [0]
        at = data.find(b"\n")
        while at >= 0:
            ends.append(at + 1)
            at = data.find(b"\n", at + 1)
        return min(len(data), max(0, rng.pick(ends) + rng.below(5) - 2))
    return rng.below(len(data) + 1)


def _junk(rng):
    what = rng.below(5)
    if what == 0:
        return bytes(1 + rng.below(700))
    if what == 1:
        return b"\xff" * (1 + rng.below(600))
    if what == 2:
        return rng.pick(_JUNK)
    return rng.bytes(1 + rng.below(60))


def truncate(files, path, rng):
    """Lose the end of a file."""
    files[path] = files[path][: _place(files[path], rng)]


def extend(files, path, rng):
    """Something behind the end of a file."""
    files[path] += _junk(rng)


def flip(files, path, rng):
    """A few bits of a file."""
    data = bytearray(files[path])
    for _ in range(1 + rng.below(6) if data else 0):
        data[min(len(data) - 1, _place(data, rng))] ^= 1 << rng.below(8)
    files[path] = bytes(data)


def overwrite(files, path, rng):
    """Garbage over a part of a file, as a bad sector leaves it."""
    data = files[path]
    at = _place(data, rng)
    junk = _junk(rng)[: len(data) - at]
    files[path] = data[:at] + junk + data[at + len(junk) :]


def insert(files, path, rng):
    """Garbage between two bytes of a file."""
    at = _place(files[path], rng)
    files[path] = files[path][:at] + _junk(rng) + files[path][at:]


def lose_piece(files, path, rng):
    """A part of a file is gone, what follows moves up."""
    at = _place(files[path], rng)
    files[path] = files[path][:at] + files[path][at + 1 + rng.below(80) :]


def delete(files, path, rng):
    """This file, and perhaps others."""
    del files[path]
    if rng.chance(50):
        for other in sorted(files):
            if rng.chance(25):
                del files[other]


def exchange(files, path, rng):
    """Two files of one kind for each other; of a session perhaps only log or index."""
    others = [p for p in sorted(files) if kind_of(p) == kind_of(path) and p != path]
    if not others:
        return
    other = rng.pick(others)
    files[path], files[other] = files[other], files[path]


def strangers(files, path, rng):
    """Leftovers of a cut that no cut leaves so, such as a journal with a flipped bit."""
    folder = path[: path.rfind("/") + 1]
    if rng.chance(30):
        files[folder + journal.NAME] = journal.seal([("-", path[len(folder) :])], 0)
        flip(files, folder + journal.NAME, rng)
        return
    name = rng.pick(("claw.jnl", "s_x.log.tmp", "claw.tmp", "memory_records.jsonl.tmp"))
    files[folder + name] = _junk(rng)


KINDS = (
    truncate,
    truncate,
    extend,
    extend,
    flip,
    flip,
    flip,
    overwrite,
    insert,
    lose_piece,
    delete,
    exchange,
    exchange,
    exchange,
    strangers,
)


def damage(files, other, rng):
    """Damage files up to four times; returns what was done, as text.

    other: files of another store, one of which may come in the place of the same file here.
    """
    done = []
    for _ in range(1 + rng.below(2) + 2 * (rng.below(4) == 0)):
        paths = sorted(files)
        if not paths:
            break
        path = rng.pick(paths)
        if rng.chance(6) and path in other:
            files[path] = other[path]
            done.append("other store's " + path)
            continue
        work = rng.pick(KINDS)
        work(files, path, rng)
        done.append("%s %s" % (work.__name__, path))
    return ", ".join(done)
