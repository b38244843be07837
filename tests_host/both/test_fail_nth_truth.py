"""Undo, pins and history with their Nth write failing; history for every seventh N."""
# heap: 3M

import sys

from bothlib import repo

sys.path.append(repo("tests_host/powercut"))

import failing  # noqa: E402
import ops_truth  # noqa: E402


def test_undo_and_pins():
    failing.run_some(ops_truth.OPS, "forget_undo", "pin")


def test_history():
    failing.run_some(ops_truth.OPS, "compaction_with_history", "compaction_with_history")
