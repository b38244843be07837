"""memory.py: backs up, restores, reads, converts and merges the memories of a board."""

import argparse
import datetime
import os
import shutil
import sys
import time
from pathlib import Path

import flash_ports
import memory_backup
import memory_merge
import memory_store
from flash_board import Board, BoardError
from flash_console import Stop, bar, confirmed, say


def main(arguments=None):
    """Run one verb; returns the exit code. Every failure is one sentence on stderr."""
    options = _parser().parse_args(arguments)
    try:
        options.verb(options)
        return 0
    except KeyboardInterrupt:
        print("\nStopped.", file=sys.stderr)
    except BrokenPipeError:
        # The reader (head, less) has seen enough.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (Stop, BoardError, flash_ports.PortError) as error:
        print("\n%s" % error, file=sys.stderr)
    except OSError as error:
        print("\n%s: %s." % (error.filename or "The disk", error.strerror), file=sys.stderr)
    return 1


def _parser():
    parser = argparse.ArgumentParser(prog="memory.py", description=__doc__)
    verbs = parser.add_subparsers(metavar="VERB", required=True)

    def verb(name, function, text, *arguments):
        sub = verbs.add_parser(name, help=text, description=text)
        for names, settings in arguments:
            sub.add_argument(*names, **settings)
        sub.set_defaults(verb=function)

    port = (("--port",), {"help": "serial port of the board; found when there is only one"})
    verb("backup", _backup, "copy the board's memories into a dated folder", port,
         (("--to",), {"metavar": "DIR", "default": "backups",
                      "help": "where the dated folder is made (default: backups)"}),
         (("--with-secrets",), {"action": "store_true",
                                "help": "include passwords and keys from the settings"}))
    verb("restore", _restore, "make the board's memories what a backup says", port,
         (("backup",), {"metavar": "BACKUP"}),
         (("--yes",), {"action": "store_true", "help": "do not ask"}))
    store = (("store",), {"metavar": "STORE", "help": "backup, store folder or export (.jsonl)"})
    verb("list", _list, "list the memories in a folder on this computer", store)
    verb("search", _search, "search the memories in a folder on this computer", store,
         (("words",), {"nargs": "+"}))
    verb("merge", _merge, "merge two stores into a new one",
         (("first",), {"metavar": "STORE"}), (("second",), {"metavar": "STORE"}),
         (("target",), {"metavar": "NEW"}))
    verb("to-esp-claw", _to_esp_claw, "write a store as ESP-Claw expects it on an SD card", store,
         (("card",), {"metavar": "CARD"}))
    verb("from-esp-claw", _from_esp_claw, "make a backup for `restore` from ESP-Claw's SD card",
         (("card",), {"metavar": "CARD"}), (("target",), {"metavar": "NEW"}))
    return parser


def _backup(options):
    """Pull the store of a board."""
    name = datetime.datetime.now().strftime("%Y-%m-%d_%H%M%S")
    target = Path(options.to) / name
    board = _connect(options)
    try:
        with bar() as show:
            count = memory_backup.pull(board, target, options.with_secrets,
                                       lambda done, total, path: show(100 * done // total, path))
    finally:
        _resume(board)
    say("%d files are in %s, checked against the board." % (count, target))
    if not options.with_secrets:
        say("Passwords and keys are not in it (--with-secrets includes them).")


def _restore(options):
    """Push a backup to a board."""
    note = memory_backup.check(options.backup)
    say("The backup of %s with %d files is undamaged." % (note["made"], len(note["files"])))
    if not options.yes and not confirmed(
            "Memories and sessions on the board are replaced by it. Type restore to go on: ",
            "restore"):
        raise Stop("Nothing was restored: type restore when asked, or add --yes.")
    board = _connect(options)
    try:
        with bar() as show:
            written, removed = memory_backup.push(
                board, options.backup, lambda done, total, path: show(100 * done // total, path))
    except BoardError as error:
        raise Stop("%s The board may now hold a mixture: restore again before you chat." % error) \
            from None
    finally:
        _resume(board)
    say("%d files written, %d removed, all others were equal." % (written, removed))


def _list(options):
    """Print the memories of a store, in the order of the board."""
    items = memory_store.read(options.store)
    for item in memory_store.by_priority(items.values()):
        _show(item)
    say("%d memories." % len(items))


def _search(options):
    """Print the memories that contain any of the words."""
    found = memory_store.search(memory_store.read(options.store).values(), " ".join(options.words))
    for item in found:
        _show(item)
    say("%d found." % len(found))


def _merge(options):
    """Merge two stores."""
    for note in memory_merge.merge(options.first, options.second, options.target):
        say(note)
    memory_backup.seal(Path(options.target), {"root": "/", "secrets": True, "firmware": "merged"})
    say("%d memories are in %s." % (len(memory_store.read(options.target)), options.target))


def _to_esp_claw(options):
    """Write a store to the root of an SD card in ESP-Claw's layout."""
    store = memory_store.find(options.store)
    card = Path(options.card)
    for part in ("memory", "sessions"):
        if (card / part).exists() and any((card / part).iterdir()):
            raise Stop("%s is not empty: merge it with the store first, or clear it."
                       % (card / part))
    for part in ("memory", "sessions"):
        if (store / part).is_dir():
            shutil.copytree(store / part, card / part, dirs_exist_ok=True)
    for note in memory_store.tidy(card):
        say(note)
    items = memory_store.read(card).values()
    long = [item for item in items if _line_length(item) > 1023]
    for item in long:
        say("ESP-Claw cannot read %s: its line is longer than 1023 bytes." % item.id)
    if len(items) > 128:
        say("ESP-Claw keeps 128 of these %d memories, the most used." % len(items))
    say("%d memories are on %s: set ESP-Claw's storage to this card." % (len(items), card))


def _from_esp_claw(options):
    """Turn the files of an ESP-Claw card into a backup that restore accepts."""
    store = memory_store.find(options.card)
    target = Path(options.target)
    if target.exists():
        raise Stop("%s exists already: choose another folder." % target)
    for part in ("memory", "sessions"):
        if (store / part).is_dir():
            shutil.copytree(store / part, target / part)
    memory_backup.seal(target, {"root": "/", "secrets": False, "firmware": "ESP-Claw"})
    say("%d memories are in %s: memory.py restore %s puts them on a board."
        % (len(memory_store.read(target)), target, target))


def _line_length(item):
    from claw_memory import itemline

    return len(itemline.record(item, True)) - 1


def _show(item):
    when = time.strftime("%Y-%m-%d", time.localtime(item.updated_at)) if item.updated_at else "-"
    say("%s  %s  used %d  [%s]\n    %s" % (item.id, when, item.access_count, item.tags,
                                          item.content))


def _connect(options):
    port = options.port or flash_ports.choose()
    board = Board(port)
    try:
        # Not a soft reset: the SD card, if there is one, stays mounted.
        board.enter(soft_reset=False)
    except BoardError:
        board.close()
        raise
    return board


def _resume(board):
    """Let the chat start again."""
    board.restart()
    board.close()


if __name__ == "__main__":
    sys.exit(main())
