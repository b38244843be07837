"""The archive with its Nth write failing, for every seventh N: its preparation takes long."""
# heap: 3M

import sys

from bothlib import repo

sys.path.append(repo("tests_host/powercut"))

import failing  # noqa: E402
import ops_truth  # noqa: E402


def test_archive():
    failing.run_some(ops_truth.OPS, "compaction_with_archive", "compaction_with_archive")
