"""docs/format.md names tests that exist, and every section of the format has some."""

import pathlib
import re

REPO = pathlib.Path(__file__).resolve().parents[1]


def test_every_test_that_the_format_names_exists():
    text = (REPO / "docs/format.md").read_text("utf-8")
    named = set(re.findall(r"`(test_\w+)`", text))
    found = set()
    for path in (REPO / "tests_host").rglob("test_*.py"):
        found |= set(re.findall(r"^(?:async )?def (test_\w+)", path.read_text("utf-8"), re.M))
    assert len(named) > 60
    assert not named - found


def test_the_format_names_every_key_and_every_limit_of_a_record():
    from claw_memory import itemodd, limits

    text = (REPO / "docs/format.md").read_text("utf-8")
    for key in itemodd._KNOWN:
        assert "`%s`" % key in text, key
    for limit in ("ID", "SOURCE", "CONTENT", "TAGS", "KEYWORDS", "LABEL", "RECORD"):
        value = str(getattr(limits, limit + "_BYTES"))
        assert re.search(r"\b%s\b" % value, text), limit
    for value in (limits.ITEMS, limits.DEAD_BYTES, limits.DIGEST_LINES, limits.SESSION_BYTES):
        assert re.search(r"\b%d\b" % value, text), value
