"""Random histories of sessions against an independent model, and random damage to their files."""

import json
import shutil
import struct
import tempfile
from pathlib import Path

import pytest
from claw_memory import limits
from claw_memory.errors import Blocked, NotFound
from claw_memory.sessions import Sessions
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

LIMIT = 1500
LIGHT = settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@pytest.fixture()
def small_limit(monkeypatch):
    monkeypatch.setattr(limits, "SESSION_BYTES", LIMIT)


class Folder:
    """A fresh directory for each example."""

    def __enter__(self):
        self.path = tempfile.mkdtemp(prefix="claw_prop_")
        return self.path

    def __exit__(self, *exc):
        shutil.rmtree(self.path)


def compact_json(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


class Model:
    """What a session holds, from the specification alone."""

    def __init__(self):
        self.records = []  # (type, format, JSON text)
        self.blocked = False

    def size(self):
        return sum(len(raw.encode()) + 1 for _, _, raw in self.records)

    def turns(self):
        turns = []
        for record in self.records:
            if record[0] == 1 or not turns:
                turns.append([])
            turns[-1].append(record)
        return turns

    def compact(self):
        turns = self.turns()
        finished = [any(r[0] == 2 for r in turn) for turn in turns]
        with_tools = [
            i for i, turn in enumerate(turns) if finished[i] and any(r[0] > 2 for r in turn)
        ]
        kept = []
        for i, turn in enumerate(turns):
            whole = with_tools[-1:] == [i] or (i == len(turns) - 1 and not finished[i])
            kept += [r for r in turn if whole or r[0] <= 2]
        before = self.records
        self.records = kept
        if self.size() > LIMIT:
            self.records = before
            self.blocked = True

    def history(self, backend):
        out = []
        for kind, form, raw in self.records:
            value = json.loads(raw)
            if form and backend and form != backend:
                if kind > 2:
                    continue
                if kind == 2 and isinstance(value.get("content"), list):
                    words = "".join(b["text"] for b in value["content"] if b["type"] == "text")
                    if not words:
                        continue
                    value = {"role": "assistant", "content": words}
            if kind == 4 and isinstance(value, list):
                out += value
            else:
                out.append(value)
        return out

    def files(self):
        log = idx = b""
        for kind, form, raw in self.records:
            data = raw.encode() + b"\n"
            idx += struct.pack("<IIBB", len(log), len(data), kind, form)
            log += data
        return log, b"CHDX\x01\x00\x0a\x00" + idx


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=40).filter(
    lambda s: "\0" not in s
)


@st.composite
def batches(draw):
    """Records of one persist call: (kinds of record, their values by backend)."""
    out = []
    for kind in draw(st.lists(st.sampled_from("uuffftb"), min_size=1, max_size=4)):
        out.append((kind, draw(texts), draw(st.integers(0, 400))))
    return out


def make(batch, backend, cut):
    """(records for persist, records for the model) of a batch drawn above."""
    real, ideal = [], []

    def add(kind, text, value):
        raw = None if value is None else compact_json(value)
        real.append((kind, text, raw))
        if raw is None:
            role = "user" if kind == 1 else "assistant"
            raw = compact_json({"role": role, "content": text[:cut]})
        ideal.append((kind, backend, raw))

    for kind, text, size in batch:
        if kind == "u":
            add(1, text, None)
        elif kind == "f":
            add(2, text, None)
        elif kind == "b" and backend == 2:
            blocks = [{"type": "text", "text": text}, {"type": "thinking", "thinking": "t"}]
            add(2, None, {"role": "assistant", "content": blocks})
        elif kind == "t" and backend == 1:
            add(3, None, {"role": "assistant", "content": None, "tool_calls": [{"id": text}]})
            done = {"role": "tool", "tool_call_id": text, "content": "x" * size}
            add(4, None, [done, done] if size % 2 else [done])
        elif kind == "t" and backend == 2:
            use = {"type": "tool_use", "id": text, "name": "n", "input": {}}
            add(3, None, {"role": "assistant", "content": [use]})
            done = {"type": "tool_result", "tool_use_id": text, "content": "x" * size}
            add(4, None, [{"role": "user", "content": [done]}])
        else:
            add(1, text, None)
    return real, ideal


steps = st.lists(
    st.one_of(
        st.tuples(st.just("persist"), st.sampled_from("abc"), batches(), st.booleans()),
        st.tuples(st.just("close"), st.sampled_from((0, 1, 2))),
        st.tuples(st.just("cut"), st.sampled_from((0, 1, 2))),
        st.tuples(st.just("delete"), st.sampled_from("abc")),
        st.tuples(st.just("flush")),
    ),
    max_size=25,
)


def check(sessions, models, backend):
    for name in "abc":
        model = models.get(name)
        want = model.history(backend) if model else []
        try:
            got = list(sessions.history(name))
        except NotFound:
            got = []
        assert got == want
        try:
            sessions.gate(name)
            assert not (model and model.blocked)
        except Blocked:
            assert model.blocked
        assert sessions.info(name)[0] == (sum(r[0] == 1 for r in model.records) if model else 0)


@LIGHT
@given(ops=steps, cut=st.sampled_from((7, 4096)))
def test_histories_agree_with_the_model(small_limit, ops, cut):
    with Folder() as folder:
        backend = 1
        sessions = Sessions(folder, backend, cut)
        models = {}
        exact = True  # formats of text records are not told by the log alone
        for op in ops:
            if op[0] == "persist":
                real, ideal = make(op[2], backend, cut)
                model = models.setdefault(op[1], Model())
                if model.blocked:
                    with pytest.raises(Blocked):
                        sessions.persist(op[1], real, op[3])
                else:
                    sessions.persist(op[1], real, op[3])
                    model.records += ideal
                    if op[3] and model.size() > LIMIT:
                        model.compact()
            elif op[0] == "delete":
                assert sessions.delete(op[1]) == (op[1] in models)
                models.pop(op[1], None)
            elif op[0] == "flush":
                sessions.flush()
            else:
                if op[0] == "close":
                    sessions.close()
                else:
                    exact = False
                backend = op[1]
                sessions = Sessions(folder, backend, cut)
            check(sessions, models, backend)
        sessions.close()
        for name, model in models.items():
            path = Path(sessions.data_path(name))
            log, idx = model.files()
            assert path.read_bytes() == log
            found = Path(str(path) + ".idx").read_bytes()
            assert (
                found == idx
                if exact
                else [found[i] for i in range(16, len(found), 10)]
                == [idx[i] for i in range(16, len(idx), 10)]
            )


def stored(folder, ops):
    """A closed session of the records in ops, its path, and its records."""
    sessions = Sessions(folder)
    for batch in ops:
        sessions.persist("a", make(batch, 1, 4096)[0])
    sessions.close()
    return Path(sessions.data_path("a")), list(sessions.records("a"))


def raws(folder, said=None):
    sessions = Sessions(folder, notice=None if said is None else said.append)
    found = [(kind, raw) for kind, _, raw in sessions.records("a")]
    sessions.close()
    return found


damage = st.one_of(
    st.tuples(st.just("gone")),
    st.tuples(st.just("bytes"), st.binary(max_size=60)),
    st.tuples(st.just("cut"), st.integers(0, 400)),
    st.tuples(st.just("flip"), st.integers(0, 400), st.integers(1, 255)),
    st.tuples(st.just("drop"), st.integers(0, 400), st.integers(1, 30)),
)


def apply(path, how):
    if how[0] == "gone":
        path.unlink()
        return
    data = bytearray(path.read_bytes())
    if how[0] == "bytes":
        data = bytearray(how[1])
    elif how[0] == "cut":
        del data[how[1] :]
    elif how[0] == "flip" and data:
        data[how[1] % len(data)] ^= how[2]
    elif how[0] == "drop":
        del data[how[1] : how[1] + how[2]]
    path.write_bytes(bytes(data))


@LIGHT
@given(st.lists(batches(), min_size=1, max_size=6), st.lists(damage, min_size=1, max_size=3))
def test_no_damage_to_the_index_loses_a_record(ops, harm):
    with Folder() as folder:
        path, records = stored(folder, ops)
        for how in harm:
            idx = Path(str(path) + ".idx")
            if idx.exists():
                apply(idx, how)
        want = [raw for _, _, raw in records]
        assert [raw for _, raw in raws(folder)] == want
        # A flipped type byte alone is not seen; everything else is set right for good.
        if all(how[0] != "flip" for how in harm):
            assert raws(folder) == [(kind, raw) for kind, _, raw in records]


@LIGHT
@given(st.lists(batches(), min_size=1, max_size=5), st.integers(0, 3000), st.booleans())
def test_a_log_cut_anywhere_keeps_what_is_complete(ops, at, keep_index):
    with Folder() as folder:
        path, records = stored(folder, ops)
        data = path.read_bytes()
        at %= len(data) + 1
        path.write_bytes(data[:at])
        if not keep_index:
            Path(str(path) + ".idx").unlink()
        want = []
        end = 0
        for kind, _, raw in records:
            end += len(raw) + 1
            if end - 1 <= at:
                want.append((kind, raw))
        said = []
        assert raws(folder, said) == want
        sessions = Sessions(folder)
        sessions.persist("a", [(1, "next", None)], True)
        sessions.close()
        assert raws(folder) == [*want, (1, b'{"role":"user","content":"next"}')]


junk = st.binary(min_size=1, max_size=600).filter(
    lambda b: not any(c in b'{["\n 0123456789tfn' for c in b)
)


@LIGHT
@given(st.lists(batches(), min_size=1, max_size=4), st.integers(0, 30), junk, st.booleans())
def test_garbage_between_records_costs_none_of_them(ops, number, garbage, keep_index):
    with Folder() as folder:
        path, records = stored(folder, ops)
        number %= len(records) + 1
        at = sum(len(raw) + 1 for _, _, raw in records[:number])
        data = path.read_bytes()
        path.write_bytes(data[:at] + garbage + data[at:])
        if not keep_index:
            Path(str(path) + ".idx").unlink()
        want = [(kind, raw) for kind, _, raw in records]
        said = []
        assert raws(folder, said) == want
        assert raws(folder) == want
