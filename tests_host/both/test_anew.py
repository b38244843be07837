"""What is said again after it was forgotten counts; what was said before that stays hidden."""

import json

from bothlib import Lowered, read, tmpdir
from test_compaction import Chat

from claw_memory import forgotten, limits, notes, origin, outdated, search, session_archive, truth
from claw_memory.memory import Memory

# heap: 6M

SESSION = "chat:serial:0:default_01"
BOAT = "The boat of Marta is called Tosebiplet"


def _memory(name, clock=1795984395):
    m = Memory(tmpdir(name), lambda: clock)
    m.names.current("chat:serial:0")
    m.sessions.persist(SESSION, [(1, "hello", None), (2, "hello", None)], True)
    return m


def _noted(m):
    del m.notes_shown[:]
    return "".join(notes.injected(m))


def _forget(m, content=BOAT, where=b""):
    item = m.longterm.store(content, "boat")[1]
    m.longterm.forget(item.id, where)
    return item.id


def test_a_note_said_again_is_shown_and_found_and_stays():
    for clock in (1795984395, 0):
        m = _memory("an_note%d" % bool(clock), clock)
        assert notes.add(m, "Marta said that her boat is called Tosebiplet, in May")
        id = _forget(m)
        assert "Tosebiplet" not in _noted(m)
        # hidden notes are no reason to take the new one for known
        assert notes.add(m, "Marta said that her boat is called Tosebiplet, again")
        assert not notes.add(m, "Marta said that her boat is called Tosebiplet, again")
        for _ in range(2):
            shown = _noted(m)
            assert shown.count("Tosebiplet") == 1 and "again" in shown, shown
            found = search.Search(m, "boat Tosebiplet")
            for _ in found:
                pass
            assert ["note"] == [hit.source for hit in found.hits], found.hits
            m.longterm.compact()
        # what is forgotten then hides it, too
        again = _forget(m)
        assert again != id and "Tosebiplet" not in _noted(m)
        m.longterm.compact()
        day = m.memory_dir + "/" + notes.day(m) + ".md"
        assert b"Tosebiplet" not in read(day)


def test_a_note_with_another_value_is_shown():
    m = _memory("an_other")
    _forget(m, "Marta works at the company Bruzelin")
    line = "Marta works at the company Kelvonat"
    assert forgotten.hides(forgotten.texts(m.longterm), "- 10:00 " + line)
    notes.add(m, line)
    assert "Kelvonat" in _noted(m)


def test_the_mark_is_no_change_to_undo_and_ends_with_it():
    m = _memory("an_undo")
    id = _forget(m, BOAT, origin.forgot(SESSION, 4))
    notes.add(m, "her boat is called Tosebiplet, says Marta")
    assert b'"again":[' in read(m.longterm.records)
    changed, now = truth.undo(m)
    assert changed.deleted and now.content == BOAT and now.id == id
    assert "Tosebiplet" in _noted(m)
    m.longterm.forget(id)
    assert "Tosebiplet" not in _noted(m), "forgotten after the note"
    told = outdated.gone(m.longterm, True, SESSION)
    assert told(BOAT, 9), "the mark of a forget that was undone does not count"


def test_marks_survive_a_restart_and_are_bounded():
    m = _memory("an_bounded")
    _forget(m)
    with Lowered(NOTE_DAY_BYTES=65536):
        for n in range(150):
            notes.add(m, "line %d: the boat of Marta is called Tosebiplet" % n)
    m.close()
    m = Memory(m.root, lambda: 1795984395)
    shown = _noted(m)
    assert "line 149:" in shown and "line 148:" in shown and "line 0:" not in shown, shown
    for line in read(m.longterm.records).split(b"\n"):
        assert len(line) < limits.RECORD_BYTES


def test_turns_count_from_the_one_in_which_it_was_forgotten():
    m = _memory("an_turns")
    with open(m.sessions.data_path(SESSION) + ".archive", "w") as f:
        for turn in (3, 4, 5):
            value = {"turn": turn, "role": "user", "content": BOAT, "at": 1795984395}
            f.write(json.dumps(value) + "\n")
    for where, seen in (
        (origin.forgot(SESSION, 4), [5]),
        (origin.forgot("chat:serial:0:other", 4), []),
        (b"", []),
    ):
        id = _forget(m, BOAT, where)
        there = [entry[0] for entry in session_archive.dropped(m.sessions, SESSION, 0)]
        assert there == seen, there
        told = outdated.gone(m.longterm, True, SESSION)
        assert [turn for turn in (3, 4, 5) if not told(BOAT, turn)] == seen
        assert told(BOAT) and outdated.gone(m.longterm)(BOAT, 5)
        truth.undo(m)
        m.longterm.forget(id, where)
    m.longterm.compact()
    data = read(m.sessions.data_path(SESSION) + ".archive")
    assert data == b"", data


def test_hashes_know_the_turn_after_the_compaction():
    m = _memory("an_hashes")
    _forget(m, BOAT, origin.forgot(SESSION, 4))
    m.longterm.compact()
    told = outdated.gone(m.longterm, True, SESSION)
    assert told(BOAT, 4) and not told(BOAT, 5) and told(BOAT)
    assert outdated.gone(m.longterm, True, "chat:serial:0:other")(BOAT, 5)


def test_a_fact_told_again_is_learned_when_the_conversation_is_condensed():
    chat = Chat("an_flush")
    fact = {"content": BOAT, "tags": ["boat"], "keywords": ["Tosebiplet"]}
    chat.say("the boat of Marta is called Tosebiplet")
    chat.talk(1, 4)
    kept = chat.memory.longterm.store(BOAT, "boat")[1]
    chat.say("/memory forget " + kept.id)
    chat.talk(4, 8)
    learned = '{"intent":"none","memories":[%s]}' % json.dumps(fact)
    chat.facts = [learned]
    chat.say("/compact")
    assert chat.memory.longterm.count() == 0 and not chat.facts
    chat.say("as I said the boat of Marta is called Tosebiplet")
    chat.talk(9, 14)
    chat.facts = [learned]
    chat.questions = []
    chat.say("/compact")
    assert "as I said" in chat.questions[0]
    assert [item.content for item in chat.memory.longterm.list()] == [BOAT]
