"""Superseded texts are not told by notes and old turns; what was forgotten is known by hashes."""

import json

from bothlib import Lowered, read, tmpdir

from claw_memory import forgotten, limits, notes, outdated, search, tools, truth
from claw_memory.memory import Memory

NOW = 1795984395  # 2026-11-29
SESSION = "chat:serial:0:default_01"


def _find(memory, query):
    found = search.Search(memory, query)
    for _ in found:
        pass
    return found


def _turns(memory, *turns):
    with open(memory.sessions.data_path(SESSION) + ".archive", "w") as f:
        for number, (role, content) in enumerate(turns):
            value = {"turn": number // 2, "role": role, "content": content, "at": NOW}
            f.write(json.dumps(value) + "\n")


def _memory(name):
    m = Memory(tmpdir(name), lambda: NOW)
    m.names.current("chat:serial:0")
    m.sessions.persist(SESSION, [(1, "hello", None), (2, "hello", None)], True)
    return m


def _store(m, content, tags="home"):
    return m.longterm.store(content, tags)[1].id


def _noted(m):
    return "".join(notes.injected(m))


def test_a_note_that_tells_a_superseded_text_is_left_out_of_prompts():
    m = _memory("o_notes")
    id = _store(m, "The doctor of Edith is Bibikrahor")
    notes.add(m, "Edith told about Bibikrahor, her doctor")
    notes.add(m, "The doctor of Hugo is Nelasurot")
    notes.add(m, "Bibikrahor is a nice name")
    assert "her doctor" in _noted(m)
    m.longterm.update(id, "The doctor of Edith is Krohiplesin")
    notes.add(m, "the doctor of Edith was Bibikrahor and is Krohiplesin")
    del m.notes_shown[:]
    for _ in range(2):
        shown = _noted(m)
        assert "her doctor" not in shown, shown
        for part in ("Hugo", "nice name", "and is Krohiplesin"):
            assert part in shown, shown
        m.longterm.compact()
    m.longterm.update(id, "The doctor of Edith is Bibikrahor")
    assert "her doctor" in _noted(m), "what is so again is told again"


def test_chinese_texts_too():
    m = _memory("o_chinese")
    id = _store(m, "奶奶最爱喝的茶是龙井", "茶")
    _store(m, "爷爷最爱喝的茶是普洱", "茶")
    m.longterm.update(id, "奶奶最爱喝的茶是毛尖")
    told = outdated.superseded(m.longterm)
    assert told("奶奶最爱喝的茶是龙井") and told("今天说到奶奶最爱喝的茶是龙井。")
    assert not told("奶奶最爱喝的茶是毛尖") and not told("爷爷最爱喝的茶是普洱")
    assert not told("龙井是一种茶")


def test_old_turns_that_tell_a_superseded_text_are_not_found_and_not_read():
    m = _memory("o_turns")
    id = _store(m, "The locker of Petra opens with the code X69999")
    _turns(
        m,
        ("user", "remember: the locker of Petra opens with the code X69999"),
        ("assistant", "noted"),
        ("user", "is the locker of Petra blue?"),
        ("assistant", "yes"),
    )
    assert len(search.get(m, SESSION + "#1").lines) == 4
    m.longterm.update(id, "The locker of Petra opens with the code B06922")
    for _ in range(2):
        hits = _find(m, "locker Petra code X69999").hits
        assert not [hit for hit in hits if "X69999" in hit.snippet], hits
        assert [hit for hit in hits if hit.source == "turn"], hits
        lines = search.get(m, SESSION + "#1").lines
        assert len(lines) == 3 and "blue" in lines[1], lines
        m.longterm.compact()


def test_a_correction_that_was_undone_is_told_no_more_and_is_no_history():
    m = _memory("o_undone")
    id = _store(m, "The tea that Anton likes best is Kelvonatur")
    _turns(m, ("user", "not any more: the tea that Anton likes best is Dafilekun"))
    notes.add(m, "the tea that Anton likes best is Dafilekun")
    m.longterm.update(id, "The tea that Anton likes best is Dafilekun")
    assert "Dafilekun" in _noted(m) and _find(m, "Dafilekun").hits
    truth.undo(m)
    for _ in range(3):
        assert outdated.superseded(m.longterm)("The tea that Anton likes best is Dafilekun")
        assert not outdated.superseded(m.longterm)("The tea that Anton likes best is Kelvonatur")
        assert not _find(m, "Dafilekun").hits
        del m.notes_shown[:]
        assert "Dafilekun" not in _noted(m)
        assert truth.history(m, id) == []
        m.longterm.compact()
    assert read(m.memory_dir + "/history.jsonl").count(b'"undone":true') == 1
    m.longterm.forget(id)
    told = outdated.gone(m.longterm)
    assert told("The tea that Anton likes best is Dafilekun"), "it goes with its memory"
    m.longterm.compact()
    assert b"Dafilekun" not in read(m.memory_dir + "/history.jsonl")


def test_what_was_undone_and_is_told_anew_counts():
    m = _memory("o_undone_anew")
    id = _store(m, "The tea that Anton likes best is Kelvonatur")
    m.longterm.update(id, "The tea that Anton likes best is Dafilekun")
    truth.undo(m)
    m.longterm.update(id, "The tea that Anton likes best is Dafilekun")
    for _ in range(2):
        told = outdated.superseded(m.longterm)
        assert not told("The tea that Anton likes best is Dafilekun")
        assert told("The tea that Anton likes best is Kelvonatur")
        m.longterm.compact()


def test_what_was_forgotten_is_known_by_hashes_after_the_compaction():
    m = _memory("o_gone")
    id = _store(m, "The boat of Marta is called Tosebiplet")
    _store(m, "The boat of Jonas is called Gremakaplat")
    assert outdated.gone(m.longterm) is None
    m.longterm.update(id, "The boat of Marta is called Kelvonatur")
    m.longterm.forget(id)
    for round in range(3):
        told = outdated.gone(m.longterm)
        for name in ("Tosebiplet", "Kelvonatur"):
            assert told("so the boat of Marta is called %s" % name), name
        assert not told("The boat of Jonas is called Gremakaplat")
        if round:
            assert not told("The boat of Marta is called Trefisugelan, since today")
        m.longterm.compact()
    data = read(m.memory_dir + "/history.jsonl")
    assert b"Tosebiplet" not in data and b"boat" not in data and data.count(b'"gone"') == 2
    assert forgotten.texts(m.longterm) == []
    _store(m, "The boat of Marta is called Kelvonatur")
    told = outdated.gone(m.longterm)
    assert not told("The boat of Marta is called Kelvonatur"), "told anew"
    assert told("The boat of Marta is called Tosebiplet")


def test_hashes_are_bounded_and_a_damaged_one_is_passed_over():
    m = _memory("o_many")
    for round in range(30):
        for n in range(20):
            content = "Number %d of the shelves in the cellar holds %d jars" % (round, n)
            m.longterm.forget(_store(m, content))
        m.longterm.compact()
    data = read(m.memory_dir + "/history.jsonl")
    assert len(data) <= limits.GONE_BYTES
    with open(m.memory_dir + "/history.jsonl", "ab") as f:
        f.write(b'{"id":"x","at":1,"gone":"no hex"}\n{"id":"x","at":1,"gone":5}\n')
    told = outdated.gone(m.longterm)
    assert told("Number 29 of the shelves in the cellar holds 19 jars")


def test_what_is_beyond_the_128_and_not_compacted_is_found():
    m = _memory("o_beyond")
    for n in range(limits.ITEMS + 3):
        _store(m, "Shelf number %d holds the jar of colour c%dx" % (n, n), "shelf")
    for _ in range(2):
        listed = [item.content for item in m.longterm.list()]
        lost = [n for n in range(limits.ITEMS + 3) if not any(["c%dx" % n in c for c in listed])]
        assert len(lost) == 3, lost
        for n in lost:
            hits = _find(m, "colour c%dx" % n).hits
            assert "c%dx" % n in hits[0].snippet and hits[0].source == "archive", hits
        m.longterm.compact()
    found = json.loads(tools.call(m, "memory_get", {"id": hits[0].id}))
    assert found["ok"], found


def test_the_former_text_of_an_archived_item_is_still_known():
    m = _memory("o_archived")
    id = _store(m, "The bicycle of Nora is a Traskeskoman")
    m.longterm.update(id, "The bicycle of Nora is a Huflibubor")
    m.longterm.compact()
    old = limits.ITEMS
    limits.ITEMS = 1
    try:
        _store(m, "Fresh rolls are sold at the corner")
        m.longterm.table.updated[m.longterm.table.ids.find(id.encode())] = 1
        m.longterm.compact()
    finally:
        limits.ITEMS = old
    assert m.longterm.table.ids.find(id.encode()) < 0
    for roomy in (True, False):
        with Lowered(ROOMY_HEAP=0 if roomy else 1 << 31):
            m.longterm.memo = {}
            told = outdated.superseded(m.longterm)
            assert told("- the bicycle of Nora is a Traskeskoman")
            assert not told("The bicycle of Nora is a Huflibubor")
            assert told("Nora had the bicycle Traskeskoman, has the Huflibubor") != roomy
            # without RAM for the archive only what has all words counts
            assert told("her bicycle is a Traskeskoman") == roomy
        m.longterm.compact()
