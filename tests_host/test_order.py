"""The order of the tests: nothing is left out, and the longest come first for each worker."""

import ast
import pathlib

import pytest

from tests_host import order
from tests_host.order import LONGEST

HERE = pathlib.Path(__file__).resolve().parent


class Item:
    def __init__(self, nodeid):
        self.nodeid = nodeid


def nodes(others):
    """Names of tests as they are collected, the longest in the middle, files with two tests."""
    names = ["tests_host/test_some%d.py::test_x" % n for n in range(others)]
    longest = []
    for name in LONGEST[::-1]:
        longest += [name] if "::" in name else [name + "::test_a", name + "::test_b"]
    names[others // 2 : others // 2] = ["tests_host/both/" + name for name in longest]
    return names


@pytest.mark.parametrize("workers", [1, 2, 3, 8])
def test_each_worker_begins_with_its_share_of_the_longest(workers):
    names = nodes(300)
    found = [item.nodeid for item in order.longest_first([Item(name) for name in names], workers)]
    assert sorted(found) == sorted(names)
    assert [name for name in found if "test_some" in name] == [
        n for n in names if "test_some" in n
    ]
    begin = 0
    seen = []
    for size in order.parts(len(names), workers):
        mine = [order.rank(name.split("/")[-1]) for name in found[begin : begin + size]]
        long = [at for at in mine if at < len(LONGEST)]
        assert len(set(long)) >= len(LONGEST) // workers
        assert mine[: len(long)] == sorted(long)
        seen += sorted(set(long))
        begin += size
    assert begin == len(names)
    assert sorted(seen) == list(range(len(LONGEST)))  # none is at two workers


@pytest.mark.parametrize("others", [0, 5, 60])
@pytest.mark.parametrize("workers", [2, 3, 500])
def test_none_is_left_out_when_there_are_few(others, workers):
    names = nodes(others)
    found = [item.nodeid for item in order.longest_first([Item(name) for name in names], workers)]
    assert sorted(found) == sorted(names)
    assert order.longest_first([], workers) == []


def test_the_longest_are_tests_that_exist():
    for name in LONGEST:
        file, _, test = name.split("[")[0].partition("::")
        paths = [path for path in (HERE / file, HERE / "both" / file) if path.exists()]
        defined = [getattr(node, "name", "") for node in ast.parse(paths[0].read_text()).body]
        assert not test or test in defined, name


def test_parameters_are_told_apart():
    assert order.rank("test_life.py::test_a_short_life") < len(LONGEST)
    assert order.rank("test_life.pyx::test_a_short_life") == len(LONGEST)
    assert order.rank("test_soak.py::test_a_short_soak_too") == len(LONGEST)
    planted = "test_powercut.py::test_a_planted_mistake_is_noticed"
    assert order.rank(planted + "[no_fill-lfs2-erase_medium]") < len(LONGEST)
    assert order.rank(planted + "[in_place-fat-replace]") == len(LONGEST)
    all_modes = "test_powercut.py::test_refused_operations_leave_the_store_as_it_was"
    assert order.rank(all_modes + "[--disk-ops0-30]") < len(LONGEST)
