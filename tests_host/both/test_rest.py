"""Memory.rest(): what is seldom used leaves the heap between turns, and comes back when needed."""

import sys

from bothlib import ON_DEVICE, Lowered, raises, tmpdir, write
from claw_core import provider
from claw_memory import durable, limits
from claw_memory.longterm import LongTerm
from claw_memory.memory import Memory
from claw_memory.sessions import FINAL, USER

_PACKAGE = "claw_memory."
_RARE = ("longterm_compact", "longterm_plan", "derive", "session_repair", "session_scan")


def _work(memory, number):
    memory.longterm.store("The user owns boat number %d" % number, "boats")
    memory.longterm.compact()
    memory.sessions.persist("s", [(USER, "hello", None), (FINAL, "hi", None)], True)
    memory.sessions.close()
    write(memory.sessions.data_path("s") + ".idx", b"damaged")
    assert len(list(memory.sessions.records("s"))) == 2 * number
    assert memory.names.command("chat:serial:0", "list", memory.sessions)


def test_seldom_used_modules_come_and_go():
    memory = Memory(tmpdir("rest"), clock=lambda: 1780000000)
    for number in (1, 2, 3):
        _work(memory, number)
        loaded = [name for name in _RARE if _PACKAGE + name in sys.modules]
        assert len(loaded) == len(_RARE), loaded
        memory.rest()
        loaded = [name for name in _RARE + ("digest_fold",) if _PACKAGE + name in sys.modules]
        assert not (ON_DEVICE and loaded), loaded
    assert memory.longterm.count() == 3
    memory.close()


def test_what_knows_of_forgotten_and_old_texts_leaves_too():
    memory = Memory(tmpdir("rest_old"), clock=lambda: 1780000000)
    for name in ("anew", "outdated", "share"):
        __import__("claw_memory." + name)
        assert "claw_memory." + name in sys.modules
    memory.rest()
    for name in ("anew", "outdated", "share", "changes", "history", "origin", "item_texts"):
        assert not (ON_DEVICE and "claw_memory." + name in sys.modules), name
    memory.close()


def test_what_is_needed_again_at_once_stays():
    memory = Memory(tmpdir("rest_kept"), clock=lambda: 1780000000)
    memory.longterm.store("The user owns a kite", "things")
    memory.sessions.persist("s", [(USER, "hello", None), (FINAL, "hi", None)], True)
    kept = ("durable", "errors", "longterm", "platform", "scope", "sessions", "surrogates", "view")
    for name in kept + ("search_tool",):
        __import__(_PACKAGE + name)
    before = [sys.modules[_PACKAGE + name] for name in kept]
    memory.longterm.terms = ["an index"]
    memory.unload()
    assert _PACKAGE + "search_tool" in sys.modules, "it comes with its index"
    memory.longterm.terms = None
    memory.unload()
    assert not (ON_DEVICE and _PACKAGE + "search_tool" in sys.modules)
    assert [sys.modules[_PACKAGE + name] for name in kept] == before
    memory.close()


def test_without_room_for_the_server_the_chat_stays_offline_for_a_turn():
    class Agent:
        """What go_back() wants of an agent whose heap is full at first."""

        away = True
        config = {"model.provider": "offline"}
        tries = 0

        def connect(self, provider):
            self.tries += 1
            if self.tries == 1:
                raise MemoryError

    agent = Agent()
    agent.offline = provider.Offline()
    provider.go_back(agent)
    assert agent.away
    provider.go_back(agent)
    assert not agent.away and agent.tries == 2


def test_a_compaction_that_a_turn_has_no_memory_for_is_made_up_for():
    notices = []
    memory = Memory(tmpdir("later"), clock=lambda: 1780000000, notice=notices.append)
    longterm = memory.longterm
    compact = longterm._compact
    tries = []

    def no_room():
        tries.append(longterm.size)
        raise MemoryError

    longterm._compact = no_room
    dead = limits.DEAD_BYTES
    limits.DEAD_BYTES = 600
    try:
        for number in range(12):
            _, item = longterm.store("The user saw comet number %d" % number, "comets")
            longterm.forget(item.id)
            if tries:
                break
        assert tries and not notices
        longterm._compact = compact
        memory.rest()
        assert longterm.size < tries[0] and not notices
    finally:
        limits.DEAD_BYTES = dead
    memory.close()


def test_where_there_is_a_rest_between_turns_compactions_wait_for_it():
    memory = Memory(tmpdir("waits"), clock=lambda: 1780000000)
    longterm = memory.longterm
    memory.rest()
    dead, limits.DEAD_BYTES = limits.DEAD_BYTES, 600
    try:
        for number in range(2):
            _, item = longterm.store("The user saw comet number %d" % number, "comets")
            longterm.forget(item.id)
        assert 600 < longterm.size and longterm.generation == 0
        memory.rest()
        assert longterm.size == 0 and longterm.generation == 1
        # one turn alone does not make a file of any length
        for number in range(20):
            _, item = longterm.store("The user saw comet number %d" % number, "comets")
            longterm.forget(item.id)
        assert longterm.size < 2000 and longterm.generation > 1
    finally:
        limits.DEAD_BYTES = dead
    memory.close()


def test_many_forgotten_items_are_compacted_between_turns():
    memory = Memory(tmpdir("graves"), clock=lambda: 1780000000)
    longterm = memory.longterm
    memory.rest()
    with Lowered(GRAVES=3):
        for number in range(4):
            assert not memory.untidy()
            _, item = longterm.store("The user saw comet number %d" % number, "comets")
            longterm.forget(item.id)
        assert memory.untidy() and longterm.table.graves()
        memory.rest()
        assert not memory.untidy() and not longterm.table.graves()
        # by itself a store does that when it has grown
        alone = LongTerm(tmpdir("graves_alone"), lambda: 1780000000)
        for number in range(4):
            alone.forget(alone.store("The user saw comet number %d" % number)[1].id)
        assert alone.generation == 0
    memory.close()


async def test_a_long_digest_log_waits_for_a_rest_too():
    import asyncio

    memory = Memory(tmpdir("longlog"), clock=lambda: 1780000000)
    longterm = memory.longterm
    longterm.store("The user saw a comet", "comets")

    class Agent:
        """What quiet() wants of an agent between two turns."""

        busy = tight = False
        extractor = None
        last_error = ""

    agent = Agent()
    agent.memory = memory
    agent.provider = agent.offline = provider.Offline()
    with Lowered(DIGEST_BYTES=100, DIGEST_LINES=1, IDLE_SECONDS=0):
        for _ in range(4):
            longterm.recall()
        memory.idle()
        assert longterm.generation == 1, "without a rest a quiet moment does"
        memory.rest()
        for _ in range(4):
            longterm.recall()
        memory.idle()
        assert longterm.generation == 1 and memory.untidy()
        quiet = asyncio.create_task(provider.quiet(agent))
        for _ in range(4):
            await asyncio.sleep(0)
        quiet.cancel()
    assert longterm.generation == 2 and not memory.untidy() and not agent.last_error
    memory.close()


def _listed(longterm):
    return sorted(item.content for item in longterm.list())


def test_a_change_without_memory_to_note_it_is_read_from_the_file():
    longterm = Memory(tmpdir("stale"), clock=lambda: 1780000000).longterm
    longterm.store("The user owns a drum", "things")

    def half(id):
        rows.ids.add(id)
        raise MemoryError

    rows = longterm.table
    rows.add = half
    raises(MemoryError, longterm.store, "The user owns a kite", "things")
    assert _listed(longterm) == ["The user owns a drum", "The user owns a kite"]
    longterm.store("The user owns a lamp", "things")
    assert len(_listed(longterm)) == 3 and longterm.count() == 3


def test_a_compaction_that_runs_out_of_memory_at_its_end_is_noticed():
    longterm = Memory(tmpdir("stale2"), clock=lambda: 1780000000).longterm
    for thing in ("a drum", "a kite", "a lamp"):
        _, item = longterm.store("The user owns " + thing, "things")
    longterm.forget(item.id)
    replace_many = durable.replace_many

    def no_room(files):
        replace_many(files)
        raise MemoryError

    durable.replace_many = no_room
    try:
        raises(MemoryError, longterm.compact)
    finally:
        durable.replace_many = replace_many
    assert _listed(longterm) == ["The user owns a drum", "The user owns a kite"]
    longterm.close()
