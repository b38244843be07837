"""Brings the files on a board up to date so that a cut at any time leaves it usable.

1. Every file that differs is written under a new name in /update and its hash checked: a cut
   leaves the old version untouched, and the next run goes on where this one stopped.
2. The new manifest is written as /update.part. From here on the board does not start the chat but
   says that the update must be finished.
3. The staged files move into place (boot.py first, main.py last), files of the previous
   manifest that are no longer wanted go, and every installed file is hashed once more.
4. /update.part becomes /claw_manifest.json: one step that ends the update.
"""

import joined
from flash_board import BoardError, NoRoom
from flash_files import MANIFEST, MARKER, STAGING, USER_DATA, manifest_files, sha256, staged_name


class Plan:
    """What an installation has to do: see plan()."""

    def __init__(self):
        self.write = {}  # path: bytes
        self.keep_aside = []  # the user's own boot.py or main.py
        self.stale = []
        self.left_alone = []  # the user's own certificates and skills
        self.unchanged = 0
        self.unfinished = False
        self.staged = set()  # staged files that are complete already
        self.leftovers = []  # staged files that nobody wants any more


def plan(board, files):
    """Compare the board with `files` ({path: bytes}) and return a Plan. Changes nothing.

    Raises BoardError when files of the user's would hide the installed ones.
    """
    result = Plan()
    texts = [manifest_files(board.read_text(path)) for path in (MARKER, MANIFEST)]
    previous = dict(texts[0], **texts[1])
    staging = [path for path, _ in board.tree(STAGING)]
    result.unfinished = MARKER in board.hashes([MARKER])
    hiding = {path[:-4] + ".py": path for path in files if path.endswith(".mpy")}
    for package, names in joined.JOINED.items():
        if "/%s/__init__.mpy" % package in files:  # which makes a file of their own useless
            hiding.update({"/%s/%s.py" % (package, name): "" for name in names.split()})
    asked = set(files) | set(previous) | set(hiding) | set(staging)
    present = board.hashes(sorted(asked))
    in_the_way = [path for path in hiding if path in present and path not in previous]
    if in_the_way:
        raise BoardError("%s was put on the board by hand and would hide the installed version, "
                         "or not be used: "
                         "remove it (mpremote rm :%s) or install with --source."
                         % (in_the_way[0], in_the_way[0]))
    for path, data in files.items():
        ours = path in previous
        if present.get(path) == sha256(data):
            result.unchanged += 1
        elif path.startswith("/certs/") and path in present and not ours:
            result.left_alone.append(path)
        elif _edited(path, present, texts):
            result.left_alone.append(path)
        else:
            result.write[path] = data
            if path in ("/boot.py", "/main.py") and path in present and not ours:
                result.keep_aside.append(path)
    wanted = {staged_name(path, data): sha256(data) for path, data in result.write.items()}
    for path in staging:
        if wanted.get(path) == present.get(path):
            result.staged.add(path)
        else:
            result.leftovers.append(path)
    result.stale = sorted(path for path in previous if path not in files and path in present
                          and path.split("/")[1] not in USER_DATA
                          and not _edited(path, present, texts))
    return result


def _edited(path, present, manifests):
    """True for a skill on the board that is not as any installation left it."""
    installed = [files.get(path) for files in manifests]
    return path.startswith("/skills/") and path in present and present[path] not in installed


def is_current(board, the_plan, manifest):
    """True when nothing needs to be written, removed or noted."""
    if the_plan.write or the_plan.stale or the_plan.unfinished or the_plan.leftovers:
        return False
    return board.read_text(MANIFEST).encode() == manifest


def install(board, files, the_plan, manifest, fat, step):
    """Carry out `the_plan`; see the top of this file.

    manifest: bytes of the new manifest. fat: the file system is FAT, where rename over an existing
    file is not safe, so files are copied into place. step(text, bytes done, bytes in all) is
    called after each file.
    Raises NoRoom (nothing changed) or BoardError.
    """
    if the_plan.leftovers:
        board.remove(the_plan.leftovers)
    _check_room(board, the_plan, manifest, fat)
    try:
        _stage(board, the_plan, step)
        staged_manifest = STAGING + "/manifest"
        _write(board, staged_manifest, manifest)
    except NoRoom:
        board.remove([path for path, _ in board.tree(STAGING)])
        raise NoRoom("The file system of the board is full: nothing was changed; free some space "
                     "(old sessions, own files) and repeat.") from None
    board.move([(staged_manifest, MARKER)], fat)
    step("staged", 1, 1)
    for path in the_plan.keep_aside:
        board.move([(path, path[:-3] + ".old.py")], True)
    moves = [(staged_name(path, the_plan.write[path]), path) for path in _order(the_plan.write)]
    board.move(moves, fat, lambda path: step(path, 1, 1))
    board.remove(the_plan.stale)
    _verify(board, files, the_plan)
    board.move([(MARKER, MANIFEST)], fat)
    board.remove([path for path, _ in board.tree(STAGING)])
    step("done", 1, 1)


def _order(paths):
    """boot.py first, main.py last: a board with one of the two can tell that it is unfinished."""
    return sorted(paths, key=lambda p: (p != "/boot.py", p == "/main.py", p))


def _stage(board, the_plan, step):
    total = sum(len(data) for data in the_plan.write.values())
    done = 0
    for path in _order(the_plan.write):
        data = the_plan.write[path]
        name = staged_name(path, data)
        if name not in the_plan.staged:
            _write(board, name, data)
            the_plan.staged.add(name)
        done += len(data)
        step(path, done, total)


def _write(board, name, data):
    if board.write_file(name, data) != sha256(data):
        if board.write_file(name, data) != sha256(data):
            raise BoardError("A file reads back different from what was written: the cable drops "
                             "data or the flash is worn out; try another cable and repeat.")


def _check_room(board, the_plan, manifest, fat):
    block, free = board.value("[(lambda s:(s[0],s[0]*s[3]))(os.statvfs('/'))][0]")
    sizes = [len(data) for path, data in the_plan.write.items()
             if staged_name(path, data) not in the_plan.staged]
    blocks = sum(-(-size // block) for size in sizes) + -(-len(manifest) // block)
    # Directories take two blocks on LittleFS2; a copy on FAT needs the largest file once more.
    blocks += 2 * len({path.rsplit("/", 1)[0] for path in the_plan.write}) + 4
    need = blocks * block + (max(sizes) if fat and sizes else 0)
    if free < need:
        raise NoRoom("The update needs %d KB on the board and %d KB are free: nothing was "
                     "changed; free some space (old sessions, own files) and repeat."
                     % (-(-need // 1024), free // 1024))


def _verify(board, files, the_plan):
    expected = {path: sha256(data) for path, data in files.items()
                if path not in the_plan.left_alone}
    present = board.hashes(expected)
    wrong = sorted(path for path in expected if present.get(path) != expected[path])
    if wrong:
        raise BoardError("%s on the board differs from the file here%s: repeat; if it stays so, "
                         "the flash is worn out."
                         % (wrong[0], " (and %d more)" % (len(wrong) - 1) if wrong[1:] else ""))


def summary(the_plan):
    """One line for people about what an installation did."""
    parts = ["%d files written" % len(the_plan.write), "%d unchanged" % the_plan.unchanged]
    if the_plan.stale:
        parts.append("%d old ones removed" % len(the_plan.stale))
    return ", ".join(parts)


def notes(the_plan):
    """Sentences about files of the user's that the installation met."""
    lines = ["Your own %s is kept as %s." % (path, path[:-3] + ".old.py")
             for path in the_plan.keep_aside]
    lines += ["%s is your own and was left alone." % path for path in the_plan.left_alone]
    return lines
