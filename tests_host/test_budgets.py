"""Budgets that hold: bytes written and read, wear, code size and heaps, all deterministic.

`make bench` measures the same with times; bench/board has what runs in the MicroPython binary.
"""

import pytest

from bench import host

# KiB; how far they are from the targets, and why, is in docs/performance.md.
IMPORT_HEAP = 144
STORE_IMPORT_HEAP = 156
TURN_HEAP = 212
TIDY_HEAP = 252  # a turn with learning, then a compaction of all there can be
# bytes of .mpy that one turn with a tool round imports, one that stores a memory as well
TURN_CODE = 57600
STORE_TURN_CODE = 64500
JOINED_CODE = 22600  # the larger of the two packages that are one file each
MODULE_CODE = 3500  # the largest other module among them


@pytest.fixture(scope="module", autouse=True)
def built():
    """The firmware as .mpy files."""
    host.build()


@pytest.fixture(scope="module")
def folder():
    """A fresh folder for images."""
    with host.scratch() as path:
        yield path


@pytest.mark.parametrize("kind, stored", [("lfs2", 1300), ("fat", 1500)])
def test_bytes_of_the_long_term_store(kind, stored):
    found = host.board("bytes_longterm", kind)
    assert found["items"] == 128
    assert 0 < found["store_max"] <= 500
    assert found["store_last_10"] <= 1.1 * found["store_first_10"]
    assert 0 < found["store_cap_mean"] <= stored
    assert 0 < found["update_cap_mean"] <= (1000 if kind == "lfs2" else 1500)
    assert found["boot_written"] == found["boot_closed_written"] == 0
    assert 1500 < found["recall_read"] <= 8192
    assert found["recall_label_read"] <= 8192
    if kind == "lfs2":
        assert 0 < found["store_cap_programmed"] <= 4500
        assert 0 < found["store_cap_erases"] <= 2


def test_bytes_and_wear_of_sessions():
    found = host.board("bytes_session")
    for name in ("append_read_1000", "final_read_1000"):
        assert found[name] <= 64
    assert found["append_read_10"] == found["append_read_1000"]
    assert found["append_written_10"] == found["append_written_1000"] > 150
    # the first append after a start looks at the last record, not at the index
    assert found["append_first_read_1000"] <= 600
    for what in ("programmed", "erases"):
        assert 1 <= found["wear_tools_" + what] <= 1.5
        assert 1 <= found["wear_plain_" + what] <= 1.8


@pytest.mark.parametrize(
    "round_, code, heap",
    [(host.RECALL, TURN_CODE, IMPORT_HEAP), (host.ROUND, STORE_TURN_CODE, STORE_IMPORT_HEAP)],
    ids=["recall", "store"],
)
def test_a_full_turn_and_what_it_imports(folder, round_, code, heap):
    turn = host.Turn(folder, "lfs2", 1000, round_)
    assert turn.run(TURN_HEAP), turn.output
    assert turn.request_bytes > 30000  # the history was part of it
    sizes = host.module_sizes(turn.modules)
    assert {"claw_core", "claw_memory", "claw_memory.tools", "claw_core.http"} <= set(sizes)
    assert {"claw_core.agent", "claw_memory.sessions"} <= set(turn.modules) - set(sizes)
    rare = ("offline_words", "model_anthropic", "setup", "commands", "rewrite", "session_repair")
    rare += ("search", "search_rank", "search_tool")
    assert not [name for name in sizes if name.split(".")[-1] in rare]
    assert sum(sizes.values()) <= code, sizes
    assert max(sizes.pop("claw_memory"), sizes.pop("claw_core")) <= JOINED_CODE
    assert max(sizes.values()) <= MODULE_CODE, sizes
    assert host.imports(folder, turn.modules, heap)
    assert not host.imports(folder, turn.modules, heap // 2)


def test_a_compaction_of_a_full_store_with_graves_and_archives(folder):
    turn = host.Turn(folder, "lfs2", 200, host.ROUND, "key", "prepare_full")
    assert turn.run(TIDY_HEAP), turn.output
    assert turn.compactions == 1


def test_ten_thousand_messages_take_no_more_heap(folder):
    turn = host.Turn(folder, "lfs2", 10000, host.ROUND)
    assert turn.run(TURN_HEAP), turn.output
    assert turn.request_bytes > 30000


def test_the_table_has_a_figure_for_every_recorded_one():
    import json

    from bench import table

    baselines = json.loads((host.REPO / "bench/baselines.json").read_text())
    names = {row[0] for row in table.ROWS}
    assert set(baselines) == set(table.RIVALS)
    for figures in baselines.values():
        assert set(figures) <= names
    lines = list(table.lines({"boot_written": 0, "last20": 1.31}, baselines))
    assert len(lines) == len(table.ROWS) + 1
    assert [line.split()[-1] for line in lines if "clean boot" in line] == ["ok"]
    assert [line.split()[-1] for line in lines if "last 20" in line] == ["over"]
