"""The durable files and the sessions with their Nth write failing, for every N."""
# heap: 3M

import sys

from bothlib import repo

sys.path.append(repo("tests_host/powercut"))

import failing  # noqa: E402
import ops_durable  # noqa: E402
import ops_memory  # noqa: E402


def test_durable_files():
    failing.run_some(ops_durable.OPS, "append", "grow_directory")


def test_sessions():
    failing.run_some(ops_memory.OPS, "session_first_record", "session_append_at_cluster")


def test_compaction_of_a_session():
    failing.run_some(ops_memory.OPS, "session_compaction", "session_compaction")


def test_block_of_a_session():
    failing.run_some(ops_memory.OPS, "session_blocked", "session_blocked")
