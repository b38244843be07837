"""Mistakes to plant in the firmware: each has to make the harness report a loss or damage."""

import os

from claw_memory import durable, fatdir, platform, rewrite

_kept_open = []


def rename_over():
    """Write beside the file and rename over it, on FAT as well."""

    def replace(path, chunks):
        rewrite._write(path + ".tmp", chunks)
        os.rename(path + ".tmp", path)

    durable.replace = replace


def in_place():
    """Rewrite the file itself, syncing as it goes."""

    def replace(path, chunks):
        with open(path, "wb") as f:
            for chunk in chunks:
                f.write(chunk)
                f.flush()

    durable.replace = replace


def no_flush():
    """Report an append as done while its data is still in RAM."""

    def append(path, data, line=True):
        file = open(path, "ab")
        file.write(data)
        _kept_open.append(file)

    durable.append = append


def no_tail_repair():
    """Append without looking at how the file ends."""
    plain = durable._append
    durable._append = lambda path, data, line: plain(path, data, False)


def no_replay():
    """Throw journals away instead of replaying them after a cut."""
    plain = durable._enter

    def enter(path):
        prefix = path[: path.rfind("/") + 1]
        if prefix not in durable._kinds:
            rewrite._discard((prefix + "claw.jnl",))
        return plain(path)

    durable._enter = enter
    durable.recover = lambda dir, own=None: [] if enter(dir + "/") else []


def no_check_sum():
    """Replay journals whether they are complete or not, their table written first."""

    def replace(path, chunks):
        prefix = path[: path.rfind("/") + 1]
        with open(prefix + "claw.jnl", "wb") as f:
            for chunk in chunks:
                f.write(chunk)
                f.flush()
        replay(prefix, path)

    def replay(prefix, path):
        with open(prefix + "claw.jnl", "rb") as f:
            rewrite._write(path, (f.read(),))
        os.remove(prefix + "claw.jnl")

    def recover(dir, own=None):
        if durable.platform.exists(dir + "/claw.jnl"):
            replay(dir + "/", dir + "/a.log")
        return []

    durable.replace = replace
    durable.recover = recover


def one_by_one():
    """Replace the files that belong together one after the other."""

    def replace_many(files):
        whole = [(path, None if chunks is None else b"".join(chunks)) for path, chunks in files]
        for path, data in whole:
            if data is None:
                durable.remove(path)
            else:
                durable.replace(path, (data,))

    durable.replace_many = replace_many


def keep_alias():
    """Leave the short alias of a long name that was removed half way."""
    fatdir.aliases = lambda prefix, name: ()


def no_reveal():
    """Trust that a new file on FAT can be found."""
    fatdir.reveal = lambda path, make, unlink: None


def no_sweep():
    """Leave temporary files where a cut left them."""
    platform.listed = lambda prefix, wanted: ()


def no_job():
    """Erase without a file that tells the next start what was begun."""
    from claw_memory import erase_job

    erase_job.save = lambda memory, phase, tells=None: None


def no_fill():
    """Leave free space as it is after erasing."""
    from claw_memory import overwrite

    overwrite.Filler.fill = lambda filler: iter(())


def plant(name):
    """Put the mistake of this name into the modules of the firmware."""
    globals()[name]()
