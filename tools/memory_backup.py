"""The store of a board as a dated folder with checksums, and back again. Runs over flash_board.

A backup holds memory/, sessions/, skills/ and config.json as they were on the board, byte for
byte, and backup.json: when and from what it was made, size and SHA-256 of each file.
"""

import datetime
import hashlib
import json
import shutil
from pathlib import Path

from flash_board import BoardError
from flash_console import Stop
from flash_files import MANIFEST

import memory_store

NOTE = "backup.json"
_PARTS = ("memory", "sessions", "skills")
_SECRET_ENDINGS = ("key", "password", "token", "secret")


def pull(board, target, with_secrets, progress):
    """Copy the store of the board into the new folder `target`; returns the number of files.

    progress(bytes done, bytes in all, name). The folder appears only when it is complete. Raises
    BoardError, and Stop when `target` exists.
    """
    target = Path(target)
    if target.exists():
        raise Stop("%s exists already: choose another folder." % target)
    root = store_root(board)
    listed = [entry for part in _PARTS for entry in board.tree(root + "/" + part)]
    total = sum(size for _, size in listed) or 1
    hashes = board.hashes(path for path, _ in listed)
    partial = target.with_name(target.name + ".partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    done = 0
    for path, size in listed:
        data = board.read_file(path, size)
        if hashlib.sha256(data).hexdigest() != hashes.get(path):
            data = board.read_file(path, size)
        if hashlib.sha256(data).hexdigest() != hashes.get(path):
            raise BoardError("%s does not arrive as it is on the board: try another cable and "
                             "repeat." % path)
        _write(partial / path[len(root):].lstrip("/"), data)
        done += size
        progress(done, total, path)
    settings = board.read_text("/config.json")
    if settings:
        _write(partial / "config.json",
               (settings if with_secrets else without_secrets(settings)).encode())
    firmware = json.loads(board.read_text(MANIFEST) or "{}").get("version", "unknown")
    seal(partial, {"root": root or "/", "secrets": with_secrets, "firmware": firmware})
    partial.rename(target)
    return len(listed) + bool(settings)


def seal(folder, facts):
    """Write backup.json for the files in `folder`; facts: what else it is to say."""
    files = {}
    for path in sorted(p for p in folder.rglob("*") if p.is_file() and p.name != NOTE):
        data = path.read_bytes()
        files[path.relative_to(folder).as_posix()] = [len(data), hashlib.sha256(data).hexdigest()]
    made = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    note = dict({"made": made}, **facts)
    note["files"] = files
    (folder / NOTE).write_text(json.dumps(note, indent=1) + "\n", encoding="utf-8")


def check(folder):
    """The facts in backup.json after comparing every file with it. Raises Stop on a difference."""
    folder = Path(folder)
    try:
        note = json.loads((folder / NOTE).read_text(encoding="utf-8"))
        files = note["files"].items()
    except (OSError, ValueError, KeyError, AttributeError):
        raise Stop("%s is not a backup: it has no readable %s." % (folder, NOTE)) from None
    for name, (size, digest) in files:
        try:
            data = (folder / name).read_bytes()
        except OSError:
            raise Stop("The backup %s is damaged: %s is missing." % (folder, name)) from None
        if len(data) != size or hashlib.sha256(data).hexdigest() != digest:
            raise Stop("The backup %s is damaged: %s differs from its checksum."
                       % (folder, name)) from None
    return note


def push(board, folder, progress):
    """Make the store of the board what the backup says; returns (files written, files removed).

    Files on the board that the backup does not have are removed from memory/ and sessions/, not
    from skills/, where newer firmware may have some; those that are equal are not
    touched. Secrets that the backup omits stay as they are on the board.
    """
    folder = Path(folder)
    note = check(folder)
    settings = b""
    if (folder / "config.json").exists():
        settings = with_secrets_of((folder / "config.json").read_text(encoding="utf-8"),
                                   board.read_text("/config.json"))
    root = store_root(board, settings)
    contents = {"/config.json": settings} if settings else {}
    for name in note["files"]:
        if name.split("/")[0] in _PARTS:
            contents[root + "/" + name] = (folder / name).read_bytes()
    present = [path for part in _PARTS for path, _ in board.tree(root + "/" + part)]
    hashes = board.hashes(sorted(set(present) | set(contents)))
    kept = root + "/skills/"
    surplus = [path for path in present if path not in contents and not path.startswith(kept)]
    board.remove(surplus)
    wanted = {path: data for path, data in contents.items()
              if hashes.get(path) != hashlib.sha256(data).hexdigest()}
    total = sum(len(data) for data in wanted.values()) or 1
    done = 0
    for path, data in sorted(wanted.items()):
        if board.write_file(path, data) != hashlib.sha256(data).hexdigest():
            raise BoardError("%s reads back different from what was written: repeat the restore."
                             % path)
        done += len(data)
        progress(done, total, path)
    return len(wanted), len(surplus)


def store_root(board, settings=None):
    """Where the store is on the board ("" for the root), from its settings or from `settings`.

    Raises BoardError when that is a card that is not mounted.
    """
    try:
        text = settings or board.read_text("/config.json") or "{}"
        root = str(json.loads(text).get("memory.root", "/"))
    except (ValueError, AttributeError):
        root = "/"
    root = root.rstrip("/")
    if root and not board.value("%r in os.listdir('/')" % root.split("/")[1]):
        raise BoardError("The memory is on %s and no card is mounted there: insert it, let the "
                         "chat start, and repeat." % root)
    return root


def without_secrets(settings):
    """The text of config.json without passwords and keys; "{}" when it cannot be read."""
    try:
        values = json.loads(settings)
        kept = {key: value for key, value in values.items() if not is_secret(key)}
    except (ValueError, AttributeError):
        return "{}"
    return json.dumps(kept, ensure_ascii=False)


def with_secrets_of(settings, board_settings):
    """Bytes for config.json: `settings`, and the secrets that only the board has."""
    try:
        values = json.loads(settings)
        for key, value in json.loads(board_settings or "{}").items():
            if is_secret(key) and key not in values:
                values[key] = value
                settings = json.dumps(values, ensure_ascii=False)
    except (ValueError, AttributeError):
        pass
    return settings.encode()


def is_secret(key):
    """True when the setting `key` must not leave the board by default."""
    memory_store.firmware()
    from claw_core import config

    return config.is_secret(key) or key.rsplit(".")[-1].endswith(_SECRET_ENDINGS)


def _write(path, data):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
