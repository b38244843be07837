"""The power-cut harness: a representative part of it, and whether it notices planted mistakes."""

import importlib.util
import subprocess
import sys

import pytest

from tests_host.powercut.__main__ import HERE, main
from tests_host.powercut.device import Recorder, program
from tests_host.powercut.known import Known, Trail


def test_nothing_is_lost_in_a_sample_of_cuts(capsys):
    code = main(["--quick"])
    out = capsys.readouterr().out
    assert code == 0, out
    total = out.splitlines()[-1]
    assert total.startswith("total: cuts=") and total.endswith("lost=0 damaged=0"), out
    assert int(total.split("cuts=")[1].split()[0]) > 200, out


@pytest.mark.parametrize(
    ("mode", "ops", "least"),
    [
        ("--disk", ("replace*", "session_[tdn]*", "store", "profile_edit"), 30),
        ("--locked", ("append", "replace", "remove"), 80),
        ("--scarce", ("append_new_file", "store"), 60),
    ],
)
def test_refused_operations_leave_the_store_as_it_was(capsys, mode, ops, least):
    code = main([mode] + [word for op in ops for word in ("--op", op)])
    out = capsys.readouterr().out
    assert code == 0, out
    assert int(out.split("refused=")[-1].split()[0]) > least, out


def test_a_failing_allocation_leaves_the_store_as_it_was():
    if importlib.util.find_spec("_testcapi") is None:
        return  # not part of every CPython; the locked heap above needs nothing
    names = ["append", "replace_many", "session_tool_round", "store", "config_save"]
    done = subprocess.run(
        [sys.executable, str(HERE / "starved.py"), "5", *names], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("refused=") == len(names), done.stdout


@pytest.mark.parametrize(
    ("fault", "kind", "op"),
    [
        ("rename_over", "fat", "replace"),
        ("in_place", "fat", "replace"),
        ("in_place", "lfs2", "replace"),
        ("no_flush", "fat", "append"),
        ("no_flush", "lfs2", "append"),
        ("no_tail_repair", "fat", "append_after_torn_tail"),
        ("no_tail_repair", "lfs2", "append_after_torn_tail"),
        ("no_replay", "fat", "replace_many"),
        ("no_replay", "lfs2", "replace_many"),
        ("no_check_sum", "fat", "replace"),
        ("one_by_one", "fat", "session_condensed"),
        ("one_by_one", "lfs2", "session_condensed"),
        ("keep_alias", "fat", "remove"),
        ("no_reveal", "fat", "grow_directory"),
        ("no_sweep", "lfs2", "replace"),
        ("no_job", "lfs2", "erase_texts"),
        ("no_fill", "lfs2", "erase_medium"),
    ],
)
def test_a_planted_mistake_is_noticed(capsys, fault, kind, op):
    code = main(["--fs", kind, "--op", op, "--plant", fault])
    out = capsys.readouterr().out
    assert code == 1 and out.endswith(("lost=1 damaged=0\n", "lost=0 damaged=1\n")), out


def run_on(image, reads):
    """Have a Recorder overwrite block 1 and read some blocks; return it."""
    device = Recorder(image, 512, Trail(image, 512))
    device.writeblocks(1, b"new" + bytes(509))
    for n in reads:
        device.readblocks(n, bytearray(64), 32)
    return device


def image_of(*first):
    return bytearray(b"".join(bytes([value]) * 512 for value in first))


def test_what_is_known_of_an_image_holds_where_only_unread_blocks_differ():
    known = Known(512)
    assert known.find(image_of(1, 2, 3, 4)) is None
    known.add(run_on(image_of(1, 2, 3, 4), (0, 1, 2)).trail.path, "first")
    assert known.find(image_of(1, 2, 3, 4)) == "first"
    assert known.find(image_of(1, 7, 3, 7)) == "first", "block 1 is overwritten, 3 not read"
    assert known.find(image_of(1, 2, 7, 4)) is None
    assert known.find(image_of(7, 2, 3, 4)) is None
    last_byte = image_of(1, 2, 3, 4)
    last_byte[3 * 512 - 1] = 0
    assert known.find(last_byte) is None
    known.add(run_on(image_of(1, 2, 7, 4), (0, 1, 2, 3)).trail.path, "second")
    assert known.find(image_of(1, 0, 7, 4)) == "second"
    assert known.find(image_of(1, 0, 7, 5)) is None
    assert known.find(image_of(1, 0, 3, 5)) == "first"


@pytest.mark.parametrize("reads", [(0, 3), (3,), (0,), (0, 1, 2, 3), ()])
def test_nothing_is_known_where_the_same_blocks_are_followed_by_another_one(reads):
    known = Known(512)
    known.add(run_on(image_of(1, 2, 3, 4), (0, 1, 2)).trail.path, "first")
    with pytest.raises(ValueError, match="differently"):
        known.add(run_on(image_of(1, 2, 3, 4), reads).trail.path, "second")


def test_a_block_that_is_written_in_part_counts_as_read():
    image = image_of(1, 2)
    device = Recorder(image, 512, Trail(image, 512))
    device.writeblocks(1, b"part", 8)
    known = Known(512)
    known.add(device.trail.path, "some")
    assert known.find(image_of(7, 2)) == "some"
    assert known.find(image_of(1, 7)) is None


def test_the_writes_that_were_kept_make_the_same_image_and_a_part_of_one_what_a_cut_leaves():
    image = image_of(1, 2, 3)
    device = Recorder(image, 512)
    device.writeblocks(1, b"abcd", 100)
    device.ioctl(6, 2)
    device.writeblocks(2, b"efgh")
    again = image_of(1, 2, 3)
    for write in device.log:
        program(again, 512, write)
    assert again == image
    assert again[612:616] == b"abcd" and again[1024:1032] == b"efgh\xff\xff\xff\xff"
    cut = image_of(1, 2, 3)
    program(cut, 512, device.log[0], 3)
    assert cut[611:617] == b"\2abc\2\2"
    program(cut, 512, device.log[1], 0)
    assert cut[1024:] == b"\3" * 512
    device.off()
    device.writeblocks(0, b"late")
    assert device.ioctl(6, 0) == 0 and image[:512] == b"\1" * 512 and len(device.log) == 3


def test_an_unknown_operation_is_refused(capsys):
    assert main(["--op", "no_such_operation"]) == 2
