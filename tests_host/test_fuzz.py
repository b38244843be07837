"""The corruption fuzzer: 500 of its cases, some in the binary, and whether it notices mistakes."""

import pytest
from claw_memory import itemline, longterm_more, records_scan, session_log
from claw_memory.longterm import LongTerm

from tests_host.fuzz.__main__ import main, run_here

CASES = 250  # per half, so that two workers share them
SEED = 7


@pytest.mark.parametrize("half", [0, 1])
def test_no_damage_loses_what_is_still_there(half):
    failures = run_here(SEED, half * CASES, CASES)
    assert not failures, "\n".join(failures)


@pytest.mark.parametrize("fs", ["lfs2", "fat"])
def test_the_same_in_the_binary(fs, capsys):
    code = main(["--runtime", "micropython", "--fs", fs, "--cases", "12", "--seed", "3"])
    assert code == 0, capsys.readouterr().out


def _empty(log):
    # What ESP-Claw does where log and index disagree.
    log.size = log.indexed = 0


def _strict(line):
    item = from_line(line)
    if item is None:
        raise ValueError("a damaged line")
    return item


def _short(path):
    for at, line in read_lines(path):
        if not line.startswith(b'{"id":'):
            return
        yield at, line


def _twice(memory):
    for item in listed(memory):
        yield item
        if memory.table.active > 3:
            yield item


def _lost_change(lt, content, *rest):
    return True, from_line(b'{"id":"mem-0-0001","content":"nothing"}')


from_line = itemline.from_line
read_lines = records_scan.read_lines
listed = longterm_more.list


@pytest.mark.parametrize(
    ("where", "name", "planted"),
    [
        (session_log.SessionLog, "rebuild", _empty),
        (records_scan, "read_lines", _short),
        (longterm_more, "list", _twice),
        (LongTerm, "store", _lost_change),
    ],
    ids=["emptied session", "stops at damage", "listed twice", "lost change"],
)
def test_a_planted_mistake_is_noticed(monkeypatch, where, name, planted):
    monkeypatch.setattr(where, name, planted)
    first = run_here(SEED, 0, 70)
    assert first
    # and a case can be run again by its number
    number = int(first[0].split("case ")[1].split(":")[0])
    again = run_here(SEED, number, 1)
    assert again and again[0].split("\n")[1:3] == first[0].split("\n")[1:3]
