"""Names, profile, settings and memories with their Nth write failing, for every N."""
# heap: 3M

import sys

from bothlib import repo

sys.path.append(repo("tests_host/powercut"))

import failing  # noqa: E402
import ops_memory  # noqa: E402


def test_names_and_repairs():
    failing.run_some(ops_memory.OPS, "session_delete", "session_torn_tail")


def test_profile_and_settings():
    failing.run_some(ops_memory.OPS, "profile_edit", "config_save")


def test_daily_notes_and_the_first_conversation():
    failing.run_some(ops_memory.OPS, "daily_note", "bootstrap_put_away")


def test_changes_of_memories():
    failing.run_some(ops_memory.OPS, "store", "recall")


def test_compaction_of_memories():
    failing.run_some(ops_memory.OPS, "longterm_compaction", "longterm_index_rebuild")
