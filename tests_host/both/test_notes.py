"""Daily notes: what is noted where and when, what is dropped, and what the prompt shows."""

# heap: 512K

from bothlib import exists, listdir, raises, read, tmpdir, write
from claw_core import local
from claw_memory import forgotten, limits, notes, platform, scope
from claw_memory.errors import InvalidArg, NoSpace
from claw_memory.memory import Memory

NOON = 1795953600  # 2026-11-29 12:00 UTC
DAY = 86400


class Clock:
    def __init__(self, now):
        self.now = now

    def __call__(self):
        return self.now


class Zone:
    def __init__(self, rule):
        self.rule = rule

    def get(self, key):
        return self.rule if key == "time.zone" else None


def opened(name, now=NOON, zone="UTC", day_bytes=16384, shown=4096):
    limits.NOTE_DAY_BYTES = day_bytes
    limits.NOTES_SHOWN = shown
    clock = Clock(now)
    told = []
    memory = Memory(tmpdir(name), clock, notice=told.append, east=local.east(Zone(zone)))
    return memory, clock, told


def shown(memory, session="s"):
    return "".join(notes.injected(memory, None, session))


def test_a_note_is_a_line_of_its_day():
    memory, clock, _ = opened("nt_add")
    assert notes.add(memory, "Anna called about the boiler")
    clock.now += 3600 + 120
    assert notes.add(memory, "  The plumber\ncomes\u2028on Friday ")
    assert read(memory.memory_dir + "/2026-11-29.md") == (
        b"- 12:00 Anna called about the boiler\n- 13:02 The plumber comes on Friday\n"
    )
    assert list(notes.days(memory)) == ["2026-11-29"]
    assert list(notes.read(memory, "2026-11-29"))[1] == "- 13:02 The plumber comes on Friday"
    for bad in ("", " \n\t", "\u2028"):
        raises(InvalidArg, notes.add, memory, bad)


def test_exact_and_near_duplicates_are_dropped():
    memory, clock, _ = opened("nt_dup")
    assert notes.add(memory, "The user likes oat milk, not soy.")
    for same in (
        "The user likes oat milk, not soy.",
        "user likes oat milk not soy",
        "Likes OAT milk; not soy!",
        "like oat milk not soy",
    ):
        assert not notes.add(memory, same), same
    for other in (
        "The user likes soy, not oat milk.",
        "The user likes oat milk.",
        "likes oat milk not soy since May",
        "pays 30 euros",
        "pays 40 euros",
        "\u559c\u6b22\u8336\uff0c\u4e0d\u559c\u6b22\u5496\u5561",
    ):
        assert notes.add(memory, other), other
    assert not notes.add(memory, "\u559c\u6b22\u8336\u4e0d\u559c\u6b22\u5496\u5561\u3002")
    clock.now += DAY
    assert not notes.add(memory, "pays 40 euros"), "noted yesterday"
    clock.now += DAY
    assert notes.add(memory, "pays 40 euros"), "that is two days ago"


def test_long_texts_take_several_lines_and_lose_nothing():
    memory, _, _ = opened("nt_long")
    words = " ".join(["word%d" % n for n in range(300)])
    assert notes.add(memory, words)
    assert not notes.add(memory, words)
    lines = list(notes.read(memory, "2026-11-29"))
    assert len(lines) > 3 and max([len(line) for line in lines]) < limits.NOTE_BYTES
    assert " ".join([line[8:] for line in lines]) == words
    assert notes.add(memory, words + " and an end")
    assert notes.add(memory, "\u732b" * 400)
    assert "".join([line[8:] for line in list(notes.read(memory, "2026-11-29"))[-3:]]) == (
        "\u732b" * 400
    )


def test_a_day_is_bounded_and_the_next_one_takes_more():
    memory, clock, _ = opened("nt_full", day_bytes=300)
    count = 0
    while count < 50:
        try:
            notes.add(memory, "thing number %d" % count)
        except NoSpace as e:
            assert "2026-11-29" in str(e) and "300" in str(e)
            break
        count += 1
    assert 5 < count < 20 and len(read(memory.memory_dir + "/2026-11-29.md")) <= 300
    clock.now += DAY
    assert notes.add(memory, "thing number 99")


def test_midnight_is_that_of_the_zone():
    memory, clock, _ = opened("nt_zone", 1795992600, "CET-1CEST,M3.5.0,M10.5.0/3")  # 22:50 UTC
    notes.add(memory, "still the 29th")
    clock.now += 1200
    notes.add(memory, "after midnight")
    assert list(notes.days(memory)) == ["2026-11-30", "2026-11-29"]
    assert read(memory.memory_dir + "/2026-11-29.md") == b"- 23:50 still the 29th\n"
    assert read(memory.memory_dir + "/2026-11-30.md") == b"- 00:10 after midnight\n"
    # in summer the same zone is two hours ahead
    clock.now = 1782770400  # 2026-06-29 22:00 UTC
    notes.add(memory, "a summer night")
    assert read(memory.memory_dir + "/2026-06-30.md") == b"- 00:00 a summer night\n"
    broken, _, _ = opened("nt_zone_bad", zone="no zone at all")
    assert notes.add(broken, "x") and list(notes.days(broken)) == ["2026-11-29"]


def test_without_a_clock_notes_have_no_date():
    memory, clock, _ = opened("nt_unset", 0)
    notes.add(memory, "before the clock")
    assert read(memory.memory_dir + "/undated.md") == b"- before the clock\n"
    assert shown(memory) == "Notes of undated:\n> - before the clock\n\n"
    clock.now = NOON
    assert shown(memory) == ""
    notes.add(memory, "with the clock")
    assert list(notes.days(memory)) == ["2026-11-29", "undated"]
    clock.now = 0
    limits.NOTE_DAY_BYTES = 200
    for n in range(40):
        assert notes.add(memory, "undated thing %d" % n)
    kept = list(notes.read(memory, "undated"))
    assert kept[-1] == "- undated thing 39" and "- before the clock" not in kept
    assert len(read(memory.memory_dir + "/undated.md")) <= 200


def test_the_prompt_shows_two_days_quoted_as_they_stood_at_first():
    memory, clock, _ = opened("nt_prompt", NOON - 2 * DAY)
    notes.add(memory, "two days ago")
    clock.now += DAY
    notes.add(memory, "yesterday's")
    clock.now += DAY
    notes.add(memory, "today's")
    first = shown(memory)
    assert first == (
        "Notes of 2026-11-28:\n> - 12:00 yesterday's\n\n"
        "Notes of 2026-11-29 (today):\n> - 12:00 today's\n\n"
    )
    notes.add(memory, "noted in this conversation")
    assert shown(memory) == first
    assert "noted in this conversation" in shown(memory, "another session")
    assert shown(memory) == first
    clock.now += DAY
    assert "noted in this conversation" in shown(memory) and "yesterday's" not in shown(memory)


def test_the_latest_notes_win_under_the_cap():
    memory, clock, _ = opened("nt_cap", NOON - DAY, shown=200)
    for n in range(9):
        notes.add(memory, "older thing %d" % n)
    clock.now += DAY
    for n in range(5):
        notes.add(memory, "newer thing %d" % n)
    text = shown(memory)
    assert text.count("newer thing") == 5 and 0 < text.count("older thing") < 9
    assert "older thing 8" in text and text.count("[older notes of this day are left out]") == 1
    for n in range(20):
        notes.add(memory, "newest thing %d" % n)
    del memory.notes_shown[:]
    text = shown(memory)
    assert "newest thing 19" in text and "older thing" not in text and "newer thing 0" not in text
    assert len(text) < 400


def test_damaged_and_foreign_notes_do_no_harm():
    memory, _, _ = opened("nt_bad")
    path = memory.memory_dir + "/2026-11-29.md"
    write(path, b"by hand\r\n\xff\xfe\x00binary\n\nno end" + b"\xe7\x8c\xab" * 500)
    memory.noted[:] = ["x"]
    text = shown(memory)
    for line in text.split("\n")[1:]:
        assert not line or line.startswith("> "), line
    assert "> by hand\n" in text and text.count("\u732b") == 500
    assert notes.add(memory, "after it")
    assert read(path).endswith(b"\n- 12:00 after it\n")
    for name in ("2026-11-31x.md", "2026-11-28.md", "notes.md", "20261129.md"):
        write(memory.memory_dir + "/" + name, "- 10:00 x\n")
    assert list(notes.days(memory)) == ["2026-11-29", "2026-11-28"]
    for name in ("../soul", "soul", "2026-11-2", "2026/11/28"):
        assert list(notes.read(memory, name)) == []
    assert not exists(memory.memory_dir + "/claw.jnl")


def test_other_users_have_their_own():
    memory, _, _ = opened("nt_scope")
    ann = scope.of_chat("web", "ann")
    notes.add(memory, "the owner's")
    assert notes.add(memory, "Ann's", ann)
    assert notes.add(memory.seen_by(ann), "Ann's second")
    assert list(notes.read(memory, "2026-11-29")) == ["- 12:00 the owner's"]
    assert list(notes.read(memory, "2026-11-29", ann)) == ["- 12:00 Ann's", "- 12:00 Ann's second"]
    assert "owner" not in "".join(memory.seen_by(ann).context("a"))
    assert "Ann" not in "".join(memory.context("b"))
    assert list(notes.days(memory, scope.of_chat("web", "bob"))) == []


def test_what_was_forgotten_is_hidden_and_then_gone():
    memory, _, _ = opened("nt_forget")
    memory.longterm.store("The cat is called Pixel", "pet", "cat,Pixel")
    item = memory.longterm.store("Anna lives in Bergen", "home", "Anna,Bergen")[1]
    notes.add(memory, "Talked about Anna who lives in Bergen")
    notes.add(memory, "Fed the cat Pixel")
    notes.add(memory, "Anna lives in Bergen, she said", scope.of_chat("web", "ann"))
    assert "Bergen" in shown(memory)
    memory.longterm.forget(item.id)
    assert "Bergen" not in shown(memory) and "Pixel" in shown(memory)
    assert list(notes.read(memory, "2026-11-29")) == ["- 12:00 Fed the cat Pixel"]
    notes.redact(memory, forgotten.texts(memory.longterm))
    assert b"Bergen" not in read(memory.memory_dir + "/2026-11-29.md")
    # what the owner forgets is not taken from another user
    assert b"Bergen" in read(memory.memory_dir + "/" + users(memory)[0] + "/2026-11-29.md")
    assert b"Pixel" in read(memory.memory_dir + "/2026-11-29.md")


def users(memory):
    return [name for name in listdir(memory.memory_dir) if name.startswith("u_")]


def test_a_plain_memory_looks_at_no_notes():
    memory, _, _ = opened("nt_none")
    assert not memory.noted
    list(memory.context("s"))
    assert memory.notes_shown == []
    notes.add(memory, "one")
    assert memory.noted
    again = Memory(memory.root, memory.clock)
    assert again.noted and "> - 12:00 one\n" in "".join(again.context("s"))


def test_dates_of_the_platform():
    assert platform.date(NOON) == (2026, 11, 29, 12, 0)
    assert platform.date(1709251199) == (2024, 2, 29, 23, 59)
