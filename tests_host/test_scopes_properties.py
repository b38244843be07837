"""No view ever returns, counts, ranks by or compares with a row that it may not see."""

import re
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claw_memory import limits, scope
from claw_memory.errors import ClawError
from claw_memory.memory import Memory
from claw_memory.search import Search

FIRMWARE = Path(__file__).parent.parent / "firmware"
USERS = [("serial", "0"), ("tg", "ann"), ("tg", "bob")]
WORDS = ["green tea", "black coffee", "a red boat", "the old house in Rome", "my sister Zoe"]

_user = st.integers(0, 2)
_text = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" and ".join)
_tags = st.sampled_from(["", "drink", "boat,home", "family"])
_OTHER = "a.u" + 16 * "0"
_step = st.one_of(
    st.tuples(st.just("store"), _user, _text, _tags),
    st.tuples(st.just("given"), _user, _text, st.sampled_from(["a", "b", "a.d", _OTHER])),
    st.tuples(st.just("update"), _user, st.integers(0, 30), _text),
    st.tuples(st.just("forget"), _user, st.integers(0, 30), st.none()),
    st.tuples(st.just("recall"), _user, _tags, st.none()),
    st.tuples(st.just("compact"), st.none(), st.none(), st.none()),
    st.tuples(st.just("reopen"), st.none(), st.none(), st.none()),
)


class Alone:
    """The three users on one device, and each of them alone on a device of her own."""

    def __init__(self, root):
        self.root = root
        self.open(0)
        # What an outsider may see of the others: nothing. So each alone must see the same.
        self.single = [Memory(str(make(root / name)), self.clock) for name in "abc"]

    def open(self, now):
        self.now = now
        self.memory = Memory(str(make(self.root / "all")), self.clock)

    def clock(self):
        return 1795988618 + self.now

    def pair(self, user):
        """(the user's view of the shared device, her view of her own device)."""
        return [m.of_chat(*USERS[user]).longterm for m in (self.memory, self.single[user])]


def make(path):
    path.mkdir(exist_ok=True)
    return path


def plain(item):
    return (item.content, item.tags, item.keywords, item.access_count, item.updated_at)


def tried(work):
    try:
        return work()
    except ClawError as e:
        return type(e).__name__


@settings(max_examples=120, deadline=None)
@given(st.lists(_step, max_size=25))
def test_on_a_shared_device_everyone_sees_what_she_would_see_alone(steps):
    with tempfile.TemporaryDirectory() as folder:
        board = Alone(Path(folder))
        for kind, user, one, two in steps:
            board.now += 7
            if kind in ("compact", "reopen"):
                if kind == "reopen":
                    board.memory.close()
                    board.open(board.now)
                for memory in [board.memory] + board.single:
                    memory.longterm.compact()
            else:
                said = [_do(lt, kind, one, two) for lt in board.pair(user)]
                assert said[0] == said[1], (kind, user, one, two)
            for who in range(3):
                shared, alone = board.pair(who)
                assert [plain(i) for i in shared.list()] == [plain(i) for i in alone.list()]
                assert shared.count() == alone.count()
                assert sorted(shared.catalog()) == sorted(alone.catalog())
                assert shared.catalog(True) == alone.catalog(True)
        for who in range(3):
            shared, alone = board.pair(who)
            for words in WORDS:
                found = [[plain(i) for i in lt.find(words)] for lt in (shared, alone)]
                assert found[0] == found[1]
                assert _searched(board.memory, who, words) == _searched(
                    board.single[who], who, words
                )


def _searched(memory, who, words):
    search = Search(memory.of_chat(*USERS[who]), words)
    for _ in search:
        pass
    return sorted([(hit.snippet, hit.score) for hit in search.hits]), search.more


def _do(lt, kind, one, two):
    mine = list(lt.list())
    if kind == "store":
        changed, item = lt.store(one, two)
        return changed, plain(item)
    if kind == "given":
        return tried(lambda: lt.store(one, id=two)[0])
    if kind == "recall":
        return [plain(item) for item in lt.recall(one.split(",") if one else ())]
    if one >= len(mine):
        return None
    if kind == "update":
        return tried(lambda: plain(lt.update(mine[one].id, two)[1]))
    return tried(lambda: plain(lt.forget(mine[one].id)))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(_user, st.integers(0, 3)), min_size=10, max_size=60))
def test_beyond_the_cap_nobody_falls_below_a_fair_share(stored):
    most, limits.ITEMS = limits.ITEMS, 9
    try:
        with tempfile.TemporaryDirectory() as folder:
            now = [1795988618]
            memory = Memory(folder, lambda: now[0])
            told = [0, 0, 0]
            for number, (user, hours) in enumerate(stored):
                now[0] += hours * 3600
                seen = memory.of_chat(*USERS[user]).longterm
                told[user] += seen.store("fact number %d of %d" % (number, user))[0]
            for _ in range(2):
                counts = [memory.of_chat(*chat).longterm.count() for chat in USERS]
                assert sum(counts) == min(9, sum(told))
                assert all(count >= min(3, n) for count, n in zip(counts, told))
                memory.longterm.compact()
    finally:
        limits.ITEMS = most


@given(st.text(max_size=60).filter(bool))
def test_an_id_is_one_users_or_nobodys(id):
    users = [scope.of_chat(*chat) for chat in USERS]
    sees = [user.sees(id.encode("utf-8", "replace")) for user in users]
    assert sum(sees) in (0, 1, 3) and (sum(sees) == 3) == id.endswith(".d")
    for user in users[1:]:
        own = user.own_id(id)
        assert len(own.encode("utf-8", "replace")) <= max(39, len(id.encode("utf-8", "replace")))
        assert own == id or (user.sees(own.encode("utf-8", "replace")) and own != id)


# Where the whole device is meant: what is kept up, counted for the owner, or logged.
MAINTENANCE = {
    ("claw_core/agent.py", "online = provider is not self.offline and self.memory.longterm"),
    ("claw_core/extractor.py", "self._memory.longterm.log("),
    ("claw_core/provider.py", "agent.memory.profile.first = None"),
    ("claw_caps/__init__.py", "memory.longterm is None"),
}


@pytest.mark.parametrize("package", ["claw_core", "claw_caps"])
def test_who_answers_a_chat_goes_through_its_view(package):
    for path in sorted((FIRMWARE / package).glob("*.py")):
        name = "%s/%s" % (package, path.name)
        for line in path.read_text().splitlines():
            # ctx.memory, job.memory, request.memory and memory are views, see Event.place.
            if not re.search(
                r"(agent|self|_agent)\._?memory\.(longterm|profile|view|seen_by)", line
            ):
                continue
            known = [part for file, part in MAINTENANCE if file == name and part in line]
            assert known, "%s reaches past the view: %s" % (name, line.strip())
