"""claw_memory.search over archived items, daily notes and archived turns, and reading on there."""

import json

from bothlib import Lowered, tmpdir

from claw_memory import limits, scope, search, tools
from claw_memory.itemline import Item, record
from claw_memory.memory import Memory

NOW = 1795984395  # 2026-11-29
SESSION = "chat:serial:0:default_01"


def _memory(name):
    m = Memory(tmpdir(name), lambda: NOW)
    m.names.current("chat:serial:0")
    m.sessions.persist(SESSION, [(1, "hello", None), (2, "hello", None)], True)
    return m


def _write(path, lines):
    with open(path, "w") as f:
        for line in lines:
            f.write(line + "\n")


def _note(memory, day, *lines):
    _write("%s/%s.md" % (memory.memory_dir, day), lines)


def _turns(memory, *turns, session=SESSION, first=0):
    lines = []
    for number, (role, content) in enumerate(turns):
        value = {"turn": first + number // 2, "role": role, "content": content, "at": NOW}
        lines.append(json.dumps(value))
    _write(memory.sessions.data_path(session) + ".archive", lines)


def _archive(memory, *contents):
    lines = ['{"archive":1}']
    for number, content in enumerate(contents):
        item = Item()
        item.id = "mem-1700000000-%04d" % number
        item.content = content
        item.created_at = item.updated_at = 1700000000
        lines.append(str(record(item, True), "utf-8").strip())
    _write(memory.memory_dir + "/archive_0.jsonl", lines)


def _find(memory, query, limit=5, who=None):
    found = search.Search(memory, query, limit, who)
    for _ in found:
        pass
    return found


def _sources(memory, query, **options):
    return [(hit.source, hit.id) for hit in _find(memory, query, **options).hits]


def test_every_source_is_looked_at():
    m = _memory("qall")
    id = m.longterm.store("The otter is called Fred")[1].id
    _archive(m, "An otter lived in the pond until 2021")
    _note(m, "2026-11-28", "- 08:15 Saw an otter at the bridge", "- A heron, too")
    _note(m, "undated", "- Otter tracks in the snow")
    _turns(m, ("user", "Do otters eat crabs?"), ("assistant", "Yes, they like them."))
    found = _find(m, "otters")
    assert not found.broken and not found.more
    hits = {hit.source + hit.date: hit for hit in found.hits}
    assert hits["memory2026-11-29"].id == id
    assert hits["archive2023-11-14"].id == "mem-1700000000-0000"
    assert hits["note2026-11-28"].id == "2026-11-28"
    assert hits["note2026-11-28"].snippet == "Saw an otter at the bridge"
    assert hits["noteunknown"].id == "undated"
    assert hits["turn2026-11-29"].id == SESSION + "#1"
    assert len(hits) == 5
    few = _find(m, "otter", 2)
    assert len(few.hits) == 2 and few.more


def test_old_notes_and_archived_items_count_less():
    m = _memory("qdecay")
    _note(m, "2026-11-29", "- the heron stood by the lake")
    _note(m, "2026-10-30", "- the heron sat near the lake")
    _note(m, "2020-01-01", "- the heron flew over the lake")
    found = _find(m, "heron at the lake")
    assert [hit.id for hit in found.hits] == ["2026-11-29", "2026-10-30", "2020-01-01"]
    new, old, ancient = [hit.score for hit in found.hits]
    assert 0.49 < old / new < 0.51 and ancient < 0.01
    m = _memory("qweight")
    id = m.longterm.store("the heron is an elegant bird")[1].id
    _archive(m, "the heron was a patient bird")
    _turns(m, ("user", "the heron is a splendid bird"))
    order = _sources(m, "heron bird")
    assert [source for source, _ in order] == ["memory", "archive", "turn"]
    assert order[0][1] == id


def test_an_archived_item_with_all_words_comes_before_those_with_some():
    for roomy in (True, False):
        m = _memory("qwhole%d" % roomy)
        for who in ("爷爷", "舅舅", "姑妈", "表哥", "邻居"):
            m.longterm.store(who + "养的狗名字叫" + "云青竹梅霜"[len(m.longterm.table)], "宠物")
        for who in ("Jonas", "Edith", "Bruno", "Selma"):
            m.longterm.store("The boat of %s is called Ko%snatur" % (who, who.lower()), "boat")
        _archive(m, "奶奶养的狗名字叫岚麒", "The boat of Marta is called Tosebiplet")
        for query in (
            "奶奶养的狗名字叫什么",
            "What is the boat of Marta called?",
            "boat marta zzz",
        ):
            with Lowered(ROOMY_HEAP=0 if roomy else 1 << 31):
                hits = _find(m, query).hits
            assert hits[0].source == "archive", hits[0].snippet
            assert "奶奶" in hits[0].snippet or "Marta" in hits[0].snippet
        # of two that have all words the archived one comes second, one with some of them last
        m.longterm.store("The boat of Marta is in the harbour", "boat")
        sources = [hit.source for hit in _find(m, "boat of Marta").hits]
        assert sources[:3] == ["memory", "archive", "memory"], sources


def test_items_that_differ_in_one_word_are_two_results():
    m = _memory("qtwo")
    m.longterm.store("The school that Bruno goes to is the Pliteriplat", "school")
    m.longterm.store("The school that Bruno goes to is the Bopobripat", "school")
    _archive(m, "The school that Bruno goes to is the Skibrehakran")
    _note(m, "2026-11-28", "- 08:15 the school that Bruno goes to is the Pliteriplat")
    found = _sources(m, "The school that Bruno goes to")
    assert [source for source, _ in found] == ["memory", "memory", "archive"], found


def test_what_says_the_same_counts_once():
    m = _memory("qfold")
    id = m.longterm.store("The user's cat is called Pixel")[1].id
    _note(m, "2026-11-29", "- my cat is called Pixel", "- The cat Pixel is at the vet until 5")
    _turns(m, ("user", "My cat is called Pixel!"), ("assistant", "A cat called Pixel, nice."))
    _archive(m, "The user's cat was called Pixel")
    order = _sources(m, "cat Pixel")
    assert [pair for pair in order if pair[0] != "note"] == [("memory", id)]
    assert order.count(("note", "2026-11-29")) == 1
    # Texts that differ in a number are two.
    m = _memory("qfold2")
    m.longterm.store("The rent is 1140 euros a month")
    _note(m, "2026-11-29", "- The rent is 1200 euros a month")
    assert len(_sources(m, "rent")) == 2


def test_what_was_forgotten_is_not_found():
    m = _memory("qforget")
    id = m.longterm.store("The user's otter is called Fred")[1].id
    m.longterm.store("The pond is deep")
    _note(m, "2026-11-29", "- the otter is called Fred", "- otters are protected by law")
    _turns(m, ("user", "my otter is called Fred"))
    _archive(m, "Users otter is called Fred", "An otter needs two litres of water")
    assert len(_find(m, "otter").hits) == 3
    m.longterm.forget(id)
    found = _find(m, "otter Fred")
    assert sorted([hit.snippet for hit in found.hits]) == [
        "An otter needs two litres of water",
        "otters are protected by law",
    ]
    m.longterm.compact()
    assert len(_find(m, "otter Fred").hits) == 2


def test_an_item_that_is_alive_counts_instead_of_its_archived_line():
    m = _memory("qalive")
    _archive(m, "The old text about herons", "Another heron")
    m.longterm.store("The new text about geese", id="mem-1700000000-0000")
    assert _sources(m, "heron") == [("archive", "mem-1700000000-0001")]
    assert _sources(m, "geese") == [("memory", "mem-1700000000-0000")]


def test_each_user_has_notes_and_turns_of_their_own():
    m = _memory("qusers")
    ann = scope.of_chat("web", "ann")
    _note(m, "2026-11-29", "- the owner saw a heron")
    _turns(m, ("user", "owner: a heron in May"))
    import os

    os.mkdir(ann.folder(m.memory_dir))
    _write(ann.folder(m.memory_dir) + "/2026-11-28.md", ["- ann saw a heron"])
    theirs = m.names.current("chat:web:ann")
    m.sessions.persist(theirs, [(1, "hello", None), (2, "hello", None)], True)
    _turns(m, ("user", "ann: a heron in June"), session=theirs)
    assert sorted(_sources(m, "heron")) == [("note", "2026-11-29"), ("turn", SESSION + "#1")]
    assert sorted(_sources(m.of_chat("web", "ann"), "heron")) == [
        ("note", "2026-11-28"),
        ("turn", theirs + "#1"),
    ]
    assert _sources(m, "heron", who=scope.of_chat("web", "bob")) == []
    for id in (SESSION + "#1", "2026-11-29"):
        out = json.loads(tools.call(m.of_chat("web", "ann"), "memory_get", {"id": id}))
        assert out["code"] == "not_found", id
    # who the owner is decides the settings
    m.of_chat("web", "ann", "", "web:ann")
    assert len(_sources(m, "heron", who=scope.of_chat("serial", "0", "", "web:ann"))) == 1


def test_damage_in_notes_archives_and_maps_stops_nothing():
    m = _memory("qdamage")
    id = m.longterm.store("The heron is grey")[1].id
    junk = '\x00heron\x01{"turn":\n{"archive":\nheron' + "\n" * 30
    for path in (
        "memory/archive_0.jsonl",
        "memory/archive_1.jsonl",
        "memory/2026-11-29.md",
        "memory/2026-99-99.md",
        "memory/0000-00-00.md",
        "sessions/chat_map/chat_junk.json",
    ):
        with open(m.root + "/" + path, "w") as f:
            f.write(junk)
    with open(m.sessions.data_path(SESSION) + ".archive", "wb") as f:
        f.write(b"\xff\xfe heron\n" * 20)
    for roomy in (0, 1 << 40):
        before = limits.ROOMY_HEAP
        limits.ROOMY_HEAP = roomy
        assert ("memory", id) in _sources(m, "heron")
        limits.ROOMY_HEAP = before


def _get(memory, id, **more):
    text = tools.call(memory, "memory_get", dict(more, id=id))
    assert len(text.encode()) <= limits.TOOL_OUTPUT
    return json.loads(text)


def test_reading_on_in_notes():
    m = _memory("qnotes")
    _note(m, "2026-11-28", *["- 08:%02d line %d" % (n, n) for n in range(50)])
    out = _get(m, "2026-11-28")
    assert (out["source"], out["date"], out["more"]) == ("note", "2026-11-28", True)
    assert len(out["lines"]) == limits.GET_LINES and out["lines"][3] == "- 08:03 line 3"
    out = _get(m, "2026-11-28", first=45, lines=9)
    assert len(out["lines"]) == 5 and "more" not in out
    assert _get(m, "2026-11-27")["code"] == "not_found"
    assert _get(m, "../../user")["code"] == "not_found"
    _note(m, "2026-11-27", *["- " + "\x01" * 400 for _ in range(30)])
    out = _get(m, "2026-11-27", lines=30)
    assert out["more"] is True and out["lines"]


def test_reading_on_in_turns():
    m = _memory("qturns")
    _turns(m, *[("user" if n % 2 == 0 else "assistant", "text %d" % n) for n in range(12)])
    out = _get(m, SESSION + "#3", lines=3)
    assert out["lines"] == ["[3] user: text 4", "[3] assistant: text 5", "[4] user: text 6"]
    assert (out["source"], out["date"], out["more"]) == ("turn", "2026-11-29", True)
    assert _get(m, SESSION + "#9")["code"] == "not_found"
    # as people call it
    assert _get(m, "default_01#3", lines=3)["lines"] == out["lines"]
    assert _get(m.of_chat("web", "ann"), "default_01#3")["code"] == "not_found"
    assert _get(m, "other#1")["code"] == "not_found"
    assert _get(m, "chat:serial:0:other#1")["code"] == "not_found"


def test_reading_on_brings_an_archived_item_back():
    m = _memory("qback")
    _archive(m, "The heron nests in the oak")
    assert _sources(m, "heron") == [("archive", "mem-1700000000-0000")]
    out = _get(m, "mem-1700000000-0000")
    assert out["lines"] == ["The heron nests in the oak"]
    assert _sources(m, "heron") == [("memory", "mem-1700000000-0000")]
