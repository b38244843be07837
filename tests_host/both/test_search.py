"""claw_memory.search over long-term items: ranking, the index, snippets, and the tools."""

import json

from bothlib import tmpdir

from claw_memory import limits, search, search_rank, search_terms, tools
from claw_memory.memory import Memory

NOW = 1795984395  # 2026-11-29


class _At:
    now = NOW

    def __call__(self):
        return _At.now


def _memory(name):
    _At.now = NOW
    return Memory(tmpdir(name), _At())


def _find(memory, query, limit=5, scope=None):
    found = search.Search(memory, query, limit, scope)
    for _ in found:
        pass
    return found


def _ids(memory, query, **options):
    return [hit.id for hit in _find(memory, query, **options).hits]


def _terms(content):
    words, chars = search_terms.terms(search_terms.lower(content))
    return " ".join([str(word, "utf-8") for word in words]), "".join(
        [str(c, "utf-8") for c in chars]
    )


def test_words_of_one_stem_are_one_term():
    for words in (
        "plan plans planned planning",
        "city cities",
        "bake baking baked bakes",
        "glass glasses",
        "pass passed passes passing",
        "coffee coffees",
        "allergy allergies",
        "tea teas",
    ):
        stems = [search_terms.stem(word.encode()) for word in words.split()]
        assert len(set(stems)) == 1, (words, stems)
    for a, b in (("cat", "car"), ("ring", "red"), ("bus", "bush"), ("5", "55")):
        assert search_terms.stem(a.encode()) != search_terms.stem(b.encode())


def test_terms_of_both_scripts():
    assert _terms("The user's Cats, and pin 5!") == ("cat pin 5", "")
    assert _terms("") == ("", "")
    assert _terms("我的猫叫小黑") == ("猫叫 叫小 小黑", "猫叫小黑")
    assert _terms("用户用Python写代码。") == ("python 写代 代码 用", "写代码")
    assert _terms("東京タワー") == ("東京 京タ タワ ワー", "東京")
    assert _terms("고양이 차") == ("고양 양이 차", "")
    assert _terms("Zoë café") == ("zoë café", "")


def test_a_term_is_found_where_it_is_a_whole_word():
    for term, content, times in (
        ("cat", "Cats concatenate a cat, the category", 2),
        ("caf", "café", 0),
        ("python", "我用Python写", 1),
        ("小黑", "小黑和小黑", 2),
        ("5", "pin 5, pin 15, pin 55", 1),
        ("absent", "", 0),
    ):
        low = search_terms.lower(content)
        assert search_terms.count(term.encode(), low) == times, term
        assert (search_terms.place(term.encode(), low) >= 0) == (times > 0)


def test_the_best_comes_first_in_both_languages():
    m = _memory("sbest")
    store = m.longterm.store
    for n in range(30):
        store("Fact %d about the weather in town" % n, "weather")
    cat = store("The user's cat is called Pixel", "pet", "cat")[1].id
    store("Anna moved to Bergen", "family")
    hei = store("用户养了一只叫小黑的猫", "宠物", "小黑")[1].id
    assert _ids(m, "What is my cat's name?") == [cat]
    assert _ids(m, "我的猫叫什么名字")[0] == hei
    hit = _find(m, "cats").hits[0]
    assert (hit.source, hit.date, hit.snippet) == (
        "memory",
        "2026-11-29",
        "The user's cat is called Pixel",
    )
    assert hit.score > 0
    assert _ids(m, "nothing of this kind") == []
    assert _ids(m, "") == [] == _ids(m, "?!")


def test_labels_and_keywords_count():
    m = _memory("slabel")
    plain = m.longterm.store("Chess on Friday", "club")[1].id
    marked = m.longterm.store("Training with the chess team on Fridays", "chess", "chess")[1].id
    assert _ids(m, "chess") == [marked, plain]
    assert _ids(m, "club") == [plain]


def test_words_that_mean_little_are_used_when_there_are_no_others():
    m = _memory("scommon")
    who = m.longterm.store("The Who is the band that we like")[1].id
    m.longterm.store("Tea at five")
    assert _ids(m, "who is the") == [who]


def test_the_index_follows_every_change():
    m = _memory("schange")
    lt = m.longterm
    ids = [lt.store("Fact %d: the %s lives upstairs" % (n, "heron"))[1].id for n in range(6)]
    assert len(_ids(m, "heron", limit=9)) == 6
    reads = _count_reads(m, "heron")
    assert reads <= 6  # the hits alone: nothing is indexed again
    lt.update(ids[2], "Fact 2: the walrus lives upstairs")
    assert _ids(m, "walrus") == [ids[2]]
    assert ids[2] not in _ids(m, "heron", limit=9)
    lt.forget(ids[0])
    assert len(_ids(m, "heron", limit=9)) == 4
    new = lt.store("Fact 9: a heron moved in")[1].id
    assert new in _ids(m, "heron", limit=9)
    lt.compact()
    assert len(_ids(m, "heron", limit=9)) == 5
    lt.forget(new)
    assert new not in _ids(m, "heron", limit=9)


def _count_reads(memory, query):
    lt = memory.longterm
    reads = []
    read = lt.read

    def counting(rows):
        reads.extend(rows)
        return read(rows)

    lt.read = counting
    _find(memory, query, limit=9)
    lt.read = read
    return len(reads)


def test_changes_between_two_steps_do_no_harm():
    m = _memory("sbetween")
    lt = m.longterm
    ids = [lt.store("Item %d is about otters" % n)[1].id for n in range(20)]
    for roomy in (True, False):
        found = _with_heap(roomy, search.Search, m, "otters", 20)
        other = search.Search(m, "item", 20)
        aside = iter(other)
        step = 0
        for _ in found:
            step += 1
            next(aside, None)
            if step == 3:
                lt.forget(ids.pop())
            elif step == 5:
                lt.update(ids[0], "Item 0 is about %d badgers" % roomy)
            elif step == 7:
                lt.compact()
        for _ in aside:
            pass
        assert found.broken or len(found.hits) >= len(ids) - 2
        assert not [hit for hit in found.hits if hit.id not in ids]
    assert sorted(_ids(m, "badgers item", limit=20)) == sorted(ids)


def _with_heap(roomy, work, *args):
    before = limits.ROOMY_HEAP
    limits.ROOMY_HEAP = 0 if roomy else 1 << 30
    try:
        return work(*args)
    finally:
        limits.ROOMY_HEAP = before


def test_without_psram_the_same_is_found_without_an_index():
    m = _memory("ssmall")
    for n in range(25):
        what = "otters" if n % 3 else "bees"
        m.longterm.store("Fact %d is about %s and 猫%d" % (n, what, n), "t")
    for query in ("otters", "bee facts", "猫", "fact 7"):
        small = _with_heap(False, _find, m, query)
        assert m.longterm.terms is None
        large = _with_heap(True, _find, m, query)
        assert [h.id for h in small.hits] == [h.id for h in large.hits]
        assert [h.score for h in small.hits] == [h.score for h in large.hits]
        assert small.more == large.more
        m.longterm.terms = None


def test_damage_is_told_and_stops_nothing():
    m = _memory("sdamage")
    m.longterm.store("The heron is grey")
    m.longterm.store("The heron is tall")
    with open(m.longterm.records, "r+b") as f:
        f.write(b"#" * 40)
    for roomy in (True, False):
        found = _with_heap(roomy, _find, m, "heron")
        assert found.broken
        assert len(found.hits) <= 1


def test_snippets_are_around_the_match_and_cut_between_characters():
    for fill, term in (("blah ", "heron"), ("天地玄黄", "鹳鸟")):
        text = fill * 60 + term + " " + fill * 60
        part = search_rank.snippet(text, search_rank.Question(term))
        assert term in part and part[0] == part[-1] == "…"
        assert len(part.encode()) <= limits.SNIPPET_BYTES + 6
        assert part.strip("…") in text
        start = search_rank.snippet(term + " " + fill * 99, search_rank.Question(term))
        assert start.startswith(term) and start.endswith("…")
        end = search_rank.snippet(fill * 99 + term, search_rank.Question(term))
        assert end.startswith("…") and end.endswith(term)
    assert search_rank.snippet("short", search_rank.Question("x")) == "short"


def test_scopes_are_kept_apart_before_ranking():
    from claw_memory import scope

    m = _memory("sscope")
    mine = m.longterm.store("The heron nests in May")[1].id
    ann = scope.of_chat("web", "ann")
    theirs = [m.view(ann).store("A heron, the heron of %d" % n)[1].id for n in range(12)]
    for roomy in (True, False):
        found = _with_heap(roomy, _find, m, "heron")
        assert [hit.id for hit in found.hits] == [mine] and not found.more
        found = _with_heap(roomy, _find, m, "heron", 20, ann)
        assert sorted([hit.id for hit in found.hits]) == sorted(theirs)
        assert not _with_heap(roomy, _find, m, "heron", 5, scope.of_chat("web", "bob")).hits


def _call(memory, name, args):
    text = tools.call(memory, name, args)
    assert len(text.encode()) <= limits.TOOL_OUTPUT
    return json.loads(text)


def test_the_tool_search():
    m = _memory("stool")
    for n in range(7):
        m.longterm.store('Fact %d: the "heron"\nis grey' % n)
    out = _call(m, "memory_search", {"query": "heron"})
    assert out["ok"] and out["more"] is True and len(out["results"]) == limits.SEARCH_DEFAULT
    assert set(out["results"][0]) == {"id", "snippet", "score", "date", "source"}
    assert out["results"][0]["snippet"].endswith('"heron"\nis grey')
    out = _call(m, "memory_search", {"query": "heron", "limit": 20})
    assert len(out["results"]) == 7 and "more" not in out
    for limit, count in ((2.0, 2), (-1, 5), (0, 5), ("x", 5), (True, 5), (1e300, 5)):
        out = _call(m, "memory_search", {"query": "heron", "limit": limit})
        assert len(out["results"]) == count, limit
    assert _call(m, "memory_search", {})["error"] == "query is required"
    assert _call(m, "memory_search", {"query": "x" * 5000 + "鹳" * 500})["results"] == []


def test_results_that_do_not_fit_are_left_out():
    m = _memory("slarge")
    for n in range(20):
        m.longterm.store("%d heron " % n + "\x01" * 100)
    out = _call(m, "memory_search", {"query": "heron", "limit": 20})
    assert out["more"] is True and 3 < len(out["results"]) < 20


def test_the_tool_get_reads_on_in_an_item():
    m = _memory("sget")
    id = m.longterm.store("one\ntwo\nthree", "t")[1].id
    out = _call(m, "memory_get", {"id": id})
    assert (out["lines"], out["source"], out["date"]) == (
        ["one", "two", "three"],
        "memory",
        "2026-11-29",
    )
    out = _call(m, "memory_get", {"id": id, "first": 1, "lines": 1})
    assert out["lines"] == ["two"] and out["more"] is True and out["first"] == 1
    assert _call(m, "memory_get", {"id": "mem-1-0001"})["code"] == "not_found"
    assert _call(m, "memory_get", {})["error"] == "id is required"
    m.longterm.compact()
    assert m.longterm.get(id).access_count == 2
