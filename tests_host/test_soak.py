"""A short soak, and whether ledger and report notice what they are there for."""

import re

import pytest

from tests_host.soak.__main__ import main
from tests_host.soak.drive import Soak
from tests_host.soak.ledger import ITEMS, Ledger, Lost


def test_a_short_soak(capsys):
    code = main(["--turns", "60", "--seed", "3", "--resets", "6", "--heap", "256K"])
    out = capsys.readouterr().out
    assert code == 0, out
    counts = dict((what, int(n)) for n, what in re.findall(r"(\d+) ([a-z/][a-z ]*)", out))
    assert counts["power cut in a turn"] and counts["session commands"], out
    restarts = sum(counts.get(how, 0) for how in ("/reset", "soft reset", "power cut"))
    assert restarts > 3, out


def ledger(*contents):
    made = Ledger()
    for content in contents:
        made.stored(content, "label")
    return made


def numbered(*contents):
    return [("mem-%s" % content, content) for content in contents]


def test_the_ledger_misses_what_was_acknowledged():
    with pytest.raises(Lost):
        ledger("a", "b").listed(numbered("a"))
    with pytest.raises(Lost):
        ledger("a", "b").labelled("label", ["a"], True)
    ledger("a", "b").labelled("label", ["a"], False)
    ledger("a", "b").labelled("other", [], True)


def test_the_ledger_sees_what_came_back_and_what_is_there_twice():
    known = ledger("a", "b")
    known.gone("b")
    with pytest.raises(Lost):
        known.listed(numbered("a", "b"))
    with pytest.raises(Lost):
        ledger("a").listed(numbered("a") + [("mem-2", "a")])
    with pytest.raises(Lost):
        ledger("a", "b").listed([("mem-1", "a"), ("mem-1", "b")])


def test_what_was_in_flight_may_be_there_or_not():
    known = ledger("a", "b")
    known.doubt("b")
    known.doubt("c", "label")
    known.listed(numbered("a", "c"))
    assert sorted(known.must) == ["a", "c"] and list(known.maybe) == ["b"]
    with pytest.raises(Lost):
        known.listed(numbered("a"))


def test_only_what_is_beyond_the_cap_may_be_missing():
    contents = ["fact %d" % n for n in range(ITEMS + 2)]
    known = ledger(*contents)
    with pytest.raises(Lost):
        known.listed(numbered(*contents[3:]))
    known.listed(numbered(*contents[2:]))
    assert sorted(known.maybe) == contents[:2] and known.trimmed == 2


@pytest.mark.parametrize(("lost", "noticed"), [(0, False), (3000, False), (6000, True)])
def test_a_leak_is_noticed(lost, noticed):
    soak = Soak.__new__(Soak)
    soak.turn = soak.turns = 3000
    soak.counts = {}
    soak.heap = [(at, 40, 20000 - lost * at // 2500) for at in range(20, 3000, 20)]
    assert bool(soak.problems()) == noticed, list(soak.windows())


def test_too_many_refusals_are_noticed():
    soak = Soak.__new__(Soak)
    soak.turn = soak.turns = 100
    soak.heap = []
    soak.counts = {"short of RAM": 2}
    assert not soak.problems()
    soak.counts = {"short of RAM": 3}
    assert soak.problems()
