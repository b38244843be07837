from bothlib import raises
from claw_core import zone
from claw_memory.errors import InvalidArg

LONDON = "GMT0BST,M3.5.0/1,M10.5.0"


def test_date_and_back():
    assert zone.date(0) == (1970, 1, 1, 0, 0, 0, 3)
    assert zone.date(1709251199) == (2024, 2, 29, 23, 59, 59, 3)
    assert zone.date(1709251200) == (2024, 3, 1, 0, 0, 0, 4)
    for unix in (0, 951782400, 1709164800, 1767225600, 4102444800):
        assert zone.unix(*zone.date(unix)[:3]) == unix // 86400 * 86400


def test_plain_offsets_count_east():
    assert zone.offset("", 0) == (0, "UTC")
    assert zone.offset("UTC", 0) == (0, "UTC")
    assert zone.offset("+2", 0) == (7200, "UTC+2")
    assert zone.offset("-05:30", 0) == (-19800, "UTC-05:30")
    assert zone.offset("UTC+8", 0) == (28800, "UTC+8")


def test_posix_offsets_count_west():
    assert zone.offset("CST-8", 0) == (28800, "CST")
    assert zone.offset("<-03>3", 0) == (-10800, "-03")


def test_summer_time_begins_and_ends_at_the_second():
    start = zone.unix(2026, 3, 29) + 3600
    end = zone.unix(2026, 10, 25) + 3600
    assert zone.offset(LONDON, start - 1) == (0, "GMT")
    assert zone.offset(LONDON, start) == (3600, "BST")
    assert zone.offset(LONDON, end - 1) == (3600, "BST")
    assert zone.offset(LONDON, end) == (0, "GMT")


def test_summer_over_new_year():
    rule = "AEST-10AEDT,M10.1.0,M4.1.0/3"
    assert zone.offset(rule, zone.unix(2026, 1, 1)) == (39600, "AEDT")
    assert zone.offset(rule, zone.unix(2026, 7, 1)) == (36000, "AEST")


def test_bad_rules_are_named():
    for rule in ("x", "EST5EDT", "<", "+2x", "UTC+99", "CET-1CEST,M13.5.0,M10.5.0", "A1B,M3.1,"):
        assert rule in str(raises(InvalidArg, zone.offset, rule, 0))
