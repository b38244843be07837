"""The recorded behaviour of ESP-Claw holds here, and vectors made by hand from its description do.

Both run in both runtimes; the runner would notice a difference.
"""

import copy
import gzip
import json

import pytest

from tests_host.vectors import __main__ as vectors


@pytest.mark.parametrize("runtime", ["cpython", "micropython"])
def test_all_recordings_hold(runtime):
    said = []
    paths = vectors.vectors([vectors.DATA])
    assert len(paths) >= 20
    passed, failed = vectors.run(paths, runtime, said.append)
    assert not failed, "\n".join(said)
    assert passed > 1000


def test_a_wrong_value_is_printed_with_both_sides(tmp_path, capsys):
    vector = vectors.load(vectors.DATA / "longterm/basic_ascii.json")
    wrong = copy.deepcopy(vector)
    wrong["results"][2]["item"]["keywords"] = "other"
    (tmp_path / "wrong.json.gz").write_bytes(gzip.compress(json.dumps(wrong).encode()))
    assert vectors.main([str(tmp_path)]) == 1
    out = capsys.readouterr().out
    assert "operation 2" in out and "other" in out and "tea,green,drinks" in out
    assert out.splitlines()[-1].endswith(" passed, 1 failed")


def test_a_wrong_file_is_found(tmp_path):
    vector = vectors.load(vectors.DATA / "session/names_public.json")
    del vector["files"][sorted(vector["files"])[0]]
    (tmp_path / "wrong.json").write_text(json.dumps(vector))
    passed, failed = vectors.run(vectors.vectors([tmp_path]), "cpython", lambda line: None)
    assert failed == 1 and passed > 5


def test_a_missing_item_of_a_directory_of_espclaw_is_found(tmp_path):
    vector = vectors.load(vectors.DATA / "interop/c_written_11.json")
    vector["list"][3]["content"] += "."
    (tmp_path / "wrong.json").write_text(json.dumps(vector))
    assert vectors.run(vectors.vectors([tmp_path]), "cpython", lambda line: None)[1] == 1


def test_nothing_to_replay_is_a_failure(tmp_path, capsys):
    assert vectors.main([str(tmp_path)]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "0 passed, 1 failed"


def test_comparison_ignores_keys_that_are_not_expected_and_nothing_else():
    assert vectors.difference({"a": [1, {"b": 2}]}, {"a": [1, {"b": 2, "c": 3}], "d": 4}) == ""
    assert vectors.difference({"a": [1]}, {"a": [1, 2]}) == "/a (length)"
    assert vectors.difference({"a": True}, {"a": 1}) == "/a"
    assert vectors.difference({"a": None}, {}) == "/a (missing)"


def _runs(tmp_path, ops, results):
    vector = {"name": "made", "ops": ops, "results": results}
    (tmp_path / "made.json").write_text(json.dumps(vector))
    return vectors.run(vectors.vectors([tmp_path]), "cpython", lambda line: None)


def test_an_expected_text_may_be_given_by_its_bytes(tmp_path):
    op = {"op": "sessiontext", "text": ["a", {"hex": "eda080"}, {"hex": "ff"}], "max_chars": 9}
    for out, result in (
        ({"hex": "61eda080"}, (1, 0)),
        (["a", {"hex": "eda080"}], (1, 0)),
        ({"hex": "61"}, (0, 1)),
    ):
        assert _runs(tmp_path, [op], [{"out": out, "bytes": 4}]) == result


def test_an_operation_that_breaks_down_hides_no_other(tmp_path):
    ops = [{"op": "init"}, {"op": "store", "item": {"content": 5}}, {"op": "keyfn", "text": "A b"}]
    assert _runs(tmp_path, ops, [{}, {"ret": "ok"}, {"normalized159": "ab"}]) == (1, 1)


def test_before_the_first_init_nothing_is_open(tmp_path):
    ops = [{"op": "list"}, {"op": "gate", "session_id": "a"}, {"op": "history", "session_id": "a"}]
    state = {"ret": "invalid_state"}
    results = [state, {"blocked": False}, dict(state, messages=None)]
    assert _runs(tmp_path, ops, results) == (3, 0)


def test_values_are_compared_by_type_and_numbers_as_doubles():
    assert not vectors.difference(12345678901234567890, 1.2345678901234567e19)
    assert not vectors.difference(1, 1.0) and vectors.difference(1, 2)
    for one, other in ((True, 1), (0, False), (None, 0), ("1", 1)):
        assert vectors.difference(one, other) and vectors.difference(other, one)
    assert not vectors.difference("half \ufffd", "half \udce6")
    assert vectors.difference("half", "hal\ufffd")
    assert not vectors.difference({"a": 1}, {"a": 1, "b": 2})
    assert vectors.difference([{"a": 1}], [{"a": 1, "b": 2}], "", True)
