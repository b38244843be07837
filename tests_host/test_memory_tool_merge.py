"""Merging two boards that went on from one backup, against a model of what people expect."""

import shutil
import tempfile
from pathlib import Path

from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests_host import flash_kit  # noqa: F401

import memory_merge
import memory_store

from claw_memory import durable
from claw_memory.longterm import LongTerm

# (side, what, which fact, ...): sides 0 and 1 are the two boards.
STEPS = st.lists(
    st.tuples(
        st.integers(0, 1),
        st.sampled_from(["store", "update", "forget", "recall", "compact"]),
        st.integers(0, 9),
    ),
    max_size=14,
)


class Side:
    """One board: the product, and beside it the model {fact: (time of its wording, text)}."""

    def __init__(self, folder, clock):
        self.folder = folder
        self.clock = clock
        self.facts = {}
        self.forgotten = {}
        self.open()

    def open(self):
        self.lt = LongTerm(str(self.folder / "memory"), lambda: self.clock[0])

    def text(self, fact):
        # Made so that no text is contained in another one.
        return "fact %s as told at %d" % (fact, self.clock[0])

    def do(self, what, number, names):
        facts = sorted(self.facts)
        fact = facts[number % len(facts)] if facts else None
        if what == "store":
            fact = "n%d" % len(names)
            names[fact] = self.lt.store(self.text(fact), tags="t%d" % (number % 3))[1].id
            self.facts[fact] = (self.clock[0], self.text(fact))
        elif what == "compact":
            self.lt.compact()
        elif fact is None:
            return
        elif what == "update":
            self.lt.update(names[fact], content=self.text(fact))
            self.facts[fact] = (self.clock[0], self.text(fact))
        elif what == "forget":
            self.lt.forget(names[fact])
            del self.facts[fact]
            self.forgotten[fact] = self.clock[0]
        else:
            self.lt.recall()


def expected(one, two):
    """What the merged store must say."""
    texts = []
    for fact in set(one.facts) | set(two.facts):
        wordings = [side.facts[fact] for side in (one, two) if fact in side.facts]
        gone = max([side.forgotten.get(fact, 0) for side in (one, two)])
        when, text = max(wordings)
        if when > gone:
            texts.append(text)
    return sorted(texts)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 3), STEPS)
@example(1, [(0, "update", 0), (1, "recall", 0), (1, "compact", 0)])
@example(1, [(0, "forget", 0), (1, "recall", 0), (1, "compact", 0)])
@example(1, [(0, "forget", 0), (1, "update", 0), (1, "compact", 0)])
def test_merge_agrees_with_the_model(shared, steps):
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        clock = [1760000000]
        names = {}
        durable.make_dirs(str(folder / "a" / "memory"))
        one = Side(folder / "a", clock)
        for number in range(shared):
            clock[0] += 7
            one.do("store", number, names)
        one.lt.close()
        shutil.copytree(folder / "a", folder / "b")
        two = Side(folder / "b", clock)
        two.facts = dict(one.facts)
        one.open()
        compacted = set()
        for side, what, number in steps:
            clock[0] += 7
            (one, two)[side].do(what, number, names)
            if what == "compact":
                compacted.add(side)
        for side in (one, two):
            side.lt.close()
        for number, side in enumerate((one, two)):
            if number in compacted:
                # A compaction drops the traces of what was forgotten before it.
                kept = memory_store.read(side.folder, deleted=True)
                ids = {id for id, item in kept.items() if item.deleted}
                side.forgotten = {f: t for f, t in side.forgotten.items() if names[f] in ids}
        for first, second in ((one, two), (two, one)):
            target = folder / ("out-" + first.folder.name)
            memory_merge.merge(first.folder, second.folder, target)
            found = [item.content for item in memory_store.read(target).values()]
            assert sorted(found) == expected(one, two)
            assert len(set(found)) == len(found)
