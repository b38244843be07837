"""claw_memory.tools: the memory tools of the model."""

import json

from bothlib import tmpdir

from claw_memory import limits, tools
from claw_memory.longterm import LongTerm
from claw_memory.stage import Stage


class _Memory:
    """The part of a Memory that the tools use."""

    def __init__(self, name):
        self.longterm = LongTerm(tmpdir(name), lambda: 1700000000)
        self.stage = Stage()

    def call(self, name, args=None, session="s", request=7):
        text = tools.call(self, "memory_" + name, args, session, request)
        assert len(text.encode()) <= limits.TOOL_OUTPUT
        return json.loads(text)


def test_store_and_its_order_of_keys():
    m = _Memory("tstore")
    assert tools.call(m, "memory_store", '{"content":"User likes tea","tags":"tea"}') == (
        '{"ok":true,"action":"memory_store","changed":true,'
        '"memory_id":"mem-1700000000-0001","summary":"tea"}'
    )
    again = m.call("store", {"content": "user likes tea"})
    assert again["changed"] is False and again["memory_id"] == "mem-1700000000-0001"
    assert "summary" not in m.call("store", {"content": "no label here"})


def test_texts_may_be_arrays():
    m = _Memory("tarray")
    out = m.call("store", {"content": "User likes tea", "tags": ["a", "b"], "keywords": ["tea"]})
    item = m.longterm.get(out["memory_id"])
    assert (item.tags, item.keywords) == ("a,b", "tea,a,b")
    m.call("update", {"memory_id": item.id, "tags": ["c", 5, None]})
    assert m.longterm.get(item.id).tags == "c"
    assert m.call("store", {"content": "User likes soup", "tags": 5})["ok"]


def test_errors_have_espclaw_names_and_own_codes():
    m = _Memory("terror")
    for name, args, error, code in (
        ("store", "not json", "invalid_json", None),
        ("store", "{", "invalid_json", None),
        ("store", {"tags": "x"}, "content is required", None),
        ("store", {"content": 5}, "content is required", None),
        ("store", {"content": "  "}, "memory_store_failed", "invalid_arg"),
        ("update", {}, "memory_id is required", None),
        ("update", {"memory_id": "x"}, "memory_update_failed", "not_found"),
        ("forget", {"memory_id": ""}, "memory_id is required", None),
        ("forget", {"memory_id": "x"}, "memory_forget_failed", "not_found"),
        ("recall", "[", "invalid_json", None),
    ):
        out = m.call(name, args)
        assert out["ok"] is False and out["error"] == error, (name, args, out)
        assert out.get("code") == code
    assert json.loads(tools.call(m, "memory_fly"))["error"] == "unknown_tool"
    m.longterm.close()
    assert m.call("list")["code"] == "invalid_state"
    m.longterm = None
    assert m.call("list")["code"] == "invalid_state"


def test_lenient_input():
    m = _Memory("tlenient")
    assert m.call("store", '{"Content":"User likes tea"} and more')["ok"]
    assert m.call("list", "junk")["items"][0]["content"] == "User likes tea"
    assert len(m.call("recall")["items"]) == 1
    assert len(m.call("recall", "[1]")["items"]) == 1


def test_limit_absent_is_8_and_at_most_32():
    m = _Memory("tlimit")
    for n in range(40):
        m.longterm.store("fact %d" % n, "t")
    for limit, count in (
        (None, 8),
        (0, 8),
        (3, 3),
        (2.9, 2),
        (32, 32),
        (99, 32),
        (-1, 32),
        (0.5, 8),
        (-0.5, 8),
        (1e30, 32),
        ("x", 32),
        (True, 32),
    ):
        args = {"summary_labels": ["t"]}
        if limit is not None:
            args["limit"] = limit
        out = m.call("recall", args)
        # 32 items may be more than a result holds.
        assert len(out["items"]) == count or (count == 32 and len(out["items"]) > 20), limit
        assert out["more"] is True
    assert "more" not in m.call("store", {"content": "one more"})


def test_a_long_list_stays_valid_under_the_size_limit():
    m = _Memory("tsize")
    for n in range(100):
        m.longterm.store("事实 %d " % n + "汉字" * 30, "t")
    out = m.call("list")
    assert out["more"] is True and 10 < len(out["items"]) < 100
    assert "summary_labels" in out["items"][0]
    before = len(m.longterm.recall((), 200))
    assert before == 100


def test_what_a_result_leaves_out_does_not_count_as_recalled():
    m = _Memory("tcount")
    for n in range(40):
        m.longterm.store("fact %d " % n + "x" * 220, "t")
    shown = len(m.call("recall", {"limit": 32})["items"])
    m.longterm.compact()
    counts = [item.access_count for item in m.longterm.list()]
    assert sum(counts) == shown < 32


def test_one_item_larger_than_a_result_is_cut():
    m = _Memory("tlarge")
    path = m.longterm.records
    with open(path, "wb") as f:
        f.write(('{"id":"a","content":"%s"}\n' % ("汉" * 4000)).encode())
    m.longterm = LongTerm(m.longterm.dir, lambda: 1700000000)
    out = m.call("list")
    assert out["truncated"] is True and out["items"][0]["content"].startswith("汉汉")


def test_unknown_labels_are_answered_with_the_catalog():
    m = _Memory("tlabel")
    for n in range(3):
        m.longterm.store("fact number %d" % n, "t%d" % n)
    out = m.call("recall", {"summary_labels": ["t1", "bogus", "worse"]})
    assert out["error"] == "invalid_summary_labels" and out["invalid_label"] == "bogus"
    assert out["available_summary_labels"] == ["t0", "t1", "t2"]
    # A fourth label is not looked at.
    assert m.call("recall", {"summary_labels": ["t0", "t1", "t2", "bogus"]})["ok"]
    for n in range(120):
        m.longterm.store(
            "another fact %d" % n, ",".join([c + "%03d" % n + "é" * 15 for c in "abc"])
        )
    out = m.call("recall", {"summary_labels": ["x" * 9000]})
    assert out["more"] is True and len(out["available_summary_labels"]) > 50


def test_a_cut_text_is_told():
    m = _Memory("tcut")
    assert m.call("store", {"content": "y" * 300})["truncated"] is True
    assert "truncated" not in m.call("store", {"content": "short"})
    assert m.call("store", {"content": "one", "source": "s" * 16})["truncated"] is True
    assert m.call("store", {"content": "two", "tags": "t" * 60 + "," + "u" * 60})["truncated"]
    id = m.call("store", {"content": "three", "memory_id": "i" * 40})
    assert id["truncated"] is True and id["memory_id"] == "i" * 39
    # More terms than are kept, or ungrounded ones, are a rule and no cut.
    assert "truncated" not in m.call(
        "store", {"content": "four", "tags": "a,b,c,d", "keywords": "z"}
    )


def test_changes_are_noted_for_the_stage():
    m = _Memory("tstage")
    id = m.call("store", {"content": "User likes tea", "tags": "a,b"})["memory_id"]
    m.call("store", {"content": "User likes tea"})
    m.call("update", {"memory_id": id, "tags": "c"})
    assert m.stage.wrote_by_hand(7)
    assert m.stage.note("s") == "Memory update: [a;b;c]"
    m.call("recall")
    assert m.stage.note("s") == "" and not m.stage.wrote_by_hand(7)
