"""The power-cut harness: a representative part of it, and whether it notices planted mistakes."""

import importlib.util
import subprocess
import sys

import pytest

from tests_host.powercut.__main__ import HERE, main


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


def test_an_unknown_operation_is_refused(capsys):
    assert main(["--op", "no_such_operation"]) == 2
