"""Random histories of the long-term store against an independent model of its rules."""

import copy
import json
import pathlib
import re
import tempfile

from claw_memory import archive, history, limits, pins, undo
from claw_memory.errors import InvalidArg, NotFound
from claw_memory.longterm import LongTerm
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

_START = 1700000000


def _norm(text):
    # What this file's texts are compared by; only the characters that it uses.
    return re.sub(r"[^a-z0-9一-鿿é]", "", text.lower())


def _word_inside(part, whole):
    # part between word boundaries of whole, written with a regular expression on the text itself.
    letters = [re.escape(c) for c in re.sub(r"[^0-9A-Za-z一-鿿é]", "", part)]
    gap = r"[^0-9A-Za-z一-鿿é]*"
    body = gap.join(letters)
    edge = r"(?:^|(?<=[^0-9A-Za-zé])|(?=[一-鿿])|(?<=[一-鿿]))"
    end = r"(?:$|(?=[^0-9A-Za-zé])|(?<=[一-鿿])|(?=[一-鿿]))"
    return re.search(edge + body + end, whole, re.I) is not None


_COMMON = "a in is it the user users with".split()


def _tells(content, told):
    # Whether content may tell a text that was forgotten: it has all its words that mean anything.
    words = [w for w in re.findall(r"[a-z0-9é]+", told.lower()) if w not in _COMMON]
    words = [word[:-1] or word for word in words]
    for run in re.findall(r"[一-鿿]+", told):
        words += [run[at : at + 2] for at in range(len(run) - 1)]
    return bool(words) and all(word in content.lower() for word in words)


class Model:
    """The store as a list of dicts in the order of the file, written from the rules alone.

    changes: those since the last compaction, each a list of (item, item before or None), for an
    undo; None is what came back from the archive, which is no change. An item's "lines" are its
    texts since then, "was" those before. told: texts that were ever forgotten.
    """

    def __init__(self):
        self.now = _START
        self.items = []
        self.recalls = []
        self.changes = []
        self.pinned = []
        self.archive = {}
        self.told = set()

    def active(self):
        return [item for item in self.items if not item["deleted"]]

    def score(self, item, newest):
        return 3 * item["access"] + (item["updated"] or newest) // 3600

    def shown(self):
        found = self.active()
        newest = max([item["updated"] for item in found], default=0)
        while len(found) > limits.ITEMS:
            free = [item for item in found if item["id"] not in self.pinned]
            if not free:
                break
            found.remove(min(free, key=lambda item: self.score(item, newest)))
        return found

    def ordered(self):
        return sorted(self.shown(), key=lambda i: (-i["access"], -i["updated"], i["id"]))

    def labels(self, item):
        return [t for t in item["tags"].split(",") if t]

    def meta(self, content, tags, keywords):
        tags = list(dict.fromkeys(t.strip() for t in tags.split(",") if t.strip()))[:3]
        ground = (content + "\0" + ",".join(tags)).lower()
        words = dict.fromkeys(k.strip() for k in keywords.split(",") if k.strip())
        words = [k for k in words if k.lower() in ground][:3]
        return ",".join(tags), ",".join(list(dict.fromkeys(words + tags))[:3])

    def store(self, id, content, tags, keywords):
        """(changed, id)"""
        change = []
        content = content.strip()
        tags, keywords = self.meta(content, tags, keywords)
        norm = _norm(content)
        shown = self.shown()
        richer = None
        for item in self.active():
            old = _norm(item["content"])
            same = old == norm if norm else item["content"] == content
            if item not in shown:
                continue
            if same:
                return False, item["id"]
            if len(norm.encode()) >= 12 and len(old.encode()) >= 12:
                if _word_inside(content, item["content"]):
                    return False, item["id"]
                if richer is None and _word_inside(item["content"], content):
                    richer = item
        for item in self.active():
            old = _norm(item["content"])
            if item not in shown and (old == norm if norm else item["content"] == content):
                change.append((item, copy.deepcopy(item)))
                self.end(item)
        self.changes.append(change)
        if richer is not None:
            change.insert(0, (richer, copy.deepcopy(richer)))
            both = richer["tags"].split(",") + tags.split(",")
            richer["tags"] = ",".join(list(dict.fromkeys(filter(None, both)))[:3])
            both = richer["keywords"].split(",") + keywords.split(",")
            richer["keywords"] = ",".join(list(dict.fromkeys(filter(None, both)))[:3])
            richer["content"] = content
            richer["updated"] = self.now
            richer["lines"].append(content)
            return True, richer["id"]
        new = {
            "id": id,
            "content": content,
            "tags": tags,
            "keywords": keywords,
            "created": self.now,
            "updated": self.now,
            "access": 0,
            "deleted": False,
            "lines": [content],
            "was": [],
        }
        self.items.append(new)
        change.insert(0, (new, None))
        return True, id

    def end(self, item):
        """The item is no more, and what it ever said is not to be told."""
        item["deleted"] = True
        self.told.update(item["lines"] + item["was"] + [item["content"]])

    def forget(self, item):
        change = (item, copy.deepcopy(item))
        self.end(item)
        last = self.changes[-1] if self.changes else None
        # Only by their texts an undo knows what a fact that was told anew has replaced.
        if last and not last[0][0]["deleted"] and last[0][0] is not item:
            if _norm(last[0][0]["content"]) == _norm(item["content"]):
                last.append(change)
                return
        self.changes.append([change])

    def undo(self):
        """False when there is nothing to undo."""
        found = [change for change in self.changes if change]
        if not found:
            return False
        for at in range(len(self.changes) - 1, -1, -1):
            if self.changes[at] is found[-1]:
                del self.changes[at]
                break
        for item, before in found[-1]:
            if before is None:
                self.end(item)
            else:
                item.clear()
                item.update(before)
        return True

    def pin(self, id, on):
        self.pinned = [one for one in self.pinned if self.alive(one)]
        if (id in self.pinned) == on:
            return False
        self.pinned = [one for one in self.pinned if one != id] + [id] * on
        return True

    def alive(self, id):
        return any(item["id"] == id for item in self.active())

    def archived(self):
        """The archive as far as no record knows better."""
        known = [item["id"] for item in self.items]
        return [item for id, item in self.archive.items() if id not in known]

    def former(self, item):
        """What an item said before."""
        lines = item["lines"]
        return item["was"] + [a for a, b in zip(lines, lines[1:]) if a != b]

    def update(self, id, content, tags, keywords):
        item = next(i for i in self.items if i["id"] == id)
        new = (content or item["content"]).strip()
        tags, keywords = self.meta(new, tags or item["tags"], keywords or item["keywords"])
        if (new, tags, keywords) == (item["content"], item["tags"], item["keywords"]):
            return False
        self.changes.append([(item, copy.deepcopy(item))])
        item.update(content=new, tags=tags, keywords=keywords, updated=self.now)
        item["lines"].append(new)
        return True

    def recall(self, labels, limit):
        found = self.ordered()
        if labels:
            found = [i for i in found if set(self.labels(i)) & set(labels)]
        found = found[: limit or 8]
        self.recalls += [(self.now, item["id"]) for item in found]
        return [item["id"] for item in found]

    def compact(self):
        for now, id in self.recalls:
            for item in self.items:
                if item["id"] == id:
                    item["access"] += 1
                    item["updated"] = max(item["updated"], now)
        self.recalls = []
        self.changes = []
        for item in self.items:
            if item["deleted"]:
                self.archive.pop(item["id"], None)
            item["was"] = self.former(item)
        kept = []
        for item in self.active():
            norm = _norm(item["content"])
            for old in kept:
                same = _norm(old["content"]) == norm if norm else old["content"] == item["content"]
                if same:
                    old["access"] = max(old["access"], item["access"])
                    if item["updated"] > old["updated"]:
                        for key in ("updated", "content", "tags"):
                            old[key] = item[key]
                    times = [t for t in (old["created"], item["created"]) if t]
                    old["created"] = min(times, default=0)
                    if item["id"] in self.pinned and old["id"] not in self.pinned:
                        self.pinned.append(old["id"])
                    break
            else:
                kept.append(item)
        self.items = kept
        stay = self.shown()
        for item in kept:
            item["lines"] = [item["content"]]
            if item not in stay:
                self.archive[item["id"]] = copy.deepcopy(item)
        self.items = stay
        self.pinned = [id for id in self.pinned if self.alive(id)]


_WORDS = "user likes green tea York Yorkshire dog Rex in lives 茶 北京 住在 用户 café !".split()
# Few texts, so that duplicates, containment and facts told again are common.
_SENTENCES = (
    "User likes green tea",
    "user likes GREEN tea!",
    "User likes green tea with dog Rex",
    "User lives in York",
    "User lives in Yorkshire",
    "lives in York",
    "用户住在北京",
    "茶 用户住在北京 tea",
    "!!!",
    "! !",
    "fact one alone",
    "fact two alone",
    "fact three alone",
    "fact four alone",
    "fact five alone",
)
_contents = st.one_of(
    st.sampled_from(_SENTENCES),
    st.sampled_from(_SENTENCES),
    st.lists(st.sampled_from(_WORDS), min_size=1, max_size=6).map(" ".join),
)
_tags = st.lists(st.sampled_from(["tea", "dog", "茶", "a b", "x"]), max_size=4).map(",".join)
_pick = st.integers(0, 30)
_step = st.one_of(
    st.tuples(st.just("store"), _contents, _tags, _tags),
    st.tuples(st.just("store"), _contents, _tags, _tags),
    st.tuples(st.just("update"), _pick, st.one_of(st.just(""), _contents), _tags, _tags),
    st.tuples(st.just("forget"), _pick),
    st.tuples(st.just("undo")),
    st.tuples(st.just("undo")),
    st.tuples(st.just("pin"), _pick, st.just(True)),
    st.tuples(st.just("pin"), _pick, st.booleans()),
    st.tuples(st.just("restore"), _pick),
    st.tuples(
        st.just("recall"),
        st.lists(st.sampled_from(["tea", "dog", "茶"]), max_size=2),
        st.integers(0, 3),
    ),
    st.tuples(st.just("compact")),
    st.tuples(st.just("restart"), st.booleans()),
    st.tuples(st.just("clock"), st.sampled_from([1, 61, 3601, 7300, 10900, 90000])),
    st.tuples(st.just("derive")),
    st.tuples(st.just("lose"), st.sampled_from(["memory_index.json", "MEMORY.md"])),
)
_steps = st.lists(_step, min_size=10, max_size=40)


class Run:
    """Plays steps on the store and on the model and compares after each."""

    def __init__(self, folder):
        self.dir = folder
        self.model = Model()
        self.compactions = 0
        self.lt = None
        self.open()

    def open(self):
        self.lt = LongTerm(self.dir, lambda: self.model.now)
        self._watch()

    def _watch(self):
        # The store compacts when it thinks fit; the model follows at the same moment.
        self.generation = self.lt.generation

    def play(self, step):
        getattr(self, step[0])(*step[1:])
        if self.lt.generation != self.generation:
            self.model.compact()
            self._watch()
        self.check()

    def check(self):
        got = [
            (i.id, i.content, i.tags, i.keywords, i.created_at, i.updated_at, i.access_count)
            for i in self.lt.list()
        ]
        keys = ("id", "content", "tags", "keywords", "created", "updated", "access")
        assert got == [tuple(i[key] for key in keys) for i in self.model.ordered()]
        labels = {label for i in self.model.shown() for label in self.model.labels(i)}
        assert set(self.lt.catalog()) == labels
        assert self.lt.count() == len(got)
        self.check_archive()

    def check_archive(self):
        # What tells a text that was ever forgotten may be missing there, and in the history.
        keys = ("id", "content", "tags", "updated", "access")
        there = [
            (i.id, i.content, i.tags, i.updated_at, i.access_count)
            for i in archive.entries(self.lt)
        ]
        for item in self.model.archived():
            wanted = tuple(item[key] for key in keys)
            if wanted in there:
                there.remove(wanted)
            else:
                assert self.hidden(item["content"]), (wanted, there)
        assert not there, there

    def hidden(self, content):
        return any(_tells(content, told) for told in self.model.told)

    def check_history(self):
        for item in self.model.active():
            got = [entry[1] for entry in history.of(self.lt, item["id"])]
            wanted = self.model.former(item)
            assert [text for text in got if not self.hidden(text)] == [
                text for text in wanted if not self.hidden(text)
            ]
            assert set(got) <= set(wanted)

    def undo(self):
        possible = self.model.undo()
        try:
            undo.undo(self.lt)
            assert possible
        except NotFound:
            assert not possible

    def pin(self, pick, on):
        id = self._id(pick)
        if id != "none":
            assert pins.pin(self.lt, id, on) == self.model.pin(id, on)

    def restore(self, pick):
        ids = [item.id for item in archive.entries(self.lt)]
        if not ids:
            return
        id = ids[pick % len(ids)]
        item = archive.bring_back(self.lt, id)
        if item.id != id:  # another one says that
            return
        found = copy.deepcopy(self.model.archive[id])
        found["access"] += 1
        found["updated"] = self.model.now
        self.model.items.append(found)
        self.model.changes.append(None)

    def store(self, content, tags, keywords):
        changed, item = self.lt.store(content, tags, keywords)
        # A new id has a number that the model has no business to know.
        assert (changed, item.id) == self.model.store(item.id, content, tags, keywords)

    def _id(self, pick):
        found = self.model.active()
        return found[pick % len(found)]["id"] if found else "none"

    def update(self, pick, content, tags, keywords):
        id = self._id(pick)
        if id == "none":
            return
        changed, item = self.lt.update(id, content, tags, keywords)
        assert item.id == id
        assert changed == self.model.update(id, content, tags, keywords)

    def forget(self, pick):
        id = self._id(pick)
        if id == "none":
            return
        assert self.lt.forget(id).id == id
        self.model.forget(next(i for i in self.model.items if i["id"] == id))
        try:
            self.lt.get(id)
            raise AssertionError("a forgotten memory is still there")
        except NotFound:
            pass
        if self.lt.generation == self.generation:
            try:
                self.lt.store("something else entirely", id=id)
                raise AssertionError("a forgotten id was used again")
            except InvalidArg:
                pass

    def recall(self, labels, limit):
        found = [i.id for i in self.lt.recall(labels, limit)]
        assert found == self.model.recall(labels, limit)

    def lose(self, name):
        (pathlib.Path(self.dir) / name).unlink(missing_ok=True)

    def compact(self):
        self.lt.compact()

    def restart(self, clean):
        if clean:
            self.lt.close()
        self.open()

    def clock(self, seconds):
        self.model.now += seconds

    def derive(self):
        self.lt.derive()
        index = json.loads((pathlib.Path(self.dir) / "memory_index.json").read_bytes())
        assert {s["label"]: s["ref_count"] for s in index["summaries"]} == {
            label: sum(label in self.model.labels(i) for i in self.model.shown())
            for i in self.model.shown()
            for label in self.model.labels(i)
        }
        ids = {i["id"] for i in self.model.shown() if i["keywords"]}
        assert {id for found in index["keyword_index"].values() for id in found} == ids


@settings(
    max_examples=200,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(steps=_steps, cap=st.sampled_from([3, 6, 128]), dead=st.sampled_from([300, 4096]))
def test_histories_agree_with_the_model(monkeypatch, steps, cap, dead):
    monkeypatch.setattr(limits, "ITEMS", cap)
    monkeypatch.setattr(limits, "DEAD_BYTES", dead)
    with tempfile.TemporaryDirectory(prefix="claw_lt_") as folder:
        run = Run(folder)
        for step in steps:
            run.play(step)
        run.check_history()


@settings(max_examples=300, deadline=None)
@given(part=_contents, whole=_contents)
def test_containment_agrees_with_a_regular_expression(part, whole):
    from claw_memory import items, wording

    if len(items.norm(part)) >= 3:
        assert wording.contains(whole, items.norm(part)) == _word_inside(part, whole)


@settings(max_examples=300, deadline=None)
@given(part=st.text(max_size=60), before=st.text(max_size=30), after=st.text(max_size=30))
def test_a_part_always_passes_the_fingerprint(part, before, after):
    from claw_memory import items, marks

    inner = items.norm(part)
    outer = items.norm(before) + inner + items.norm(after)
    small = marks.features(inner, True)
    large = marks.features(outer, True)
    for a, b in zip(small[1:], large[1:]):
        assert a & b == a


@settings(max_examples=300, deadline=None)
@given(
    content=st.text(min_size=1, max_size=400),
    tags=st.text(max_size=200),
    keywords=st.text(max_size=200),
)
def test_any_text_comes_back_from_its_line(content, tags, keywords):
    from claw_memory import itemline, item_texts, items

    item = items.Item()
    try:
        item_texts.set_texts(item, content, tags, keywords, "manual")
    except InvalidArg:
        return
    item.id = "mem-1700000000-0001"
    for compacted in (False, True):
        line = items.record(item, compacted)
        assert len(line) <= limits.RECORD_BYTES
        assert json.loads(line)["content"] == item.content
        back = itemline.from_line(line)
        for key in ("id", "source", "content", "tags", "keywords"):
            assert getattr(back, key) == getattr(item, key)
    for text, room in (
        (item.content, limits.CONTENT_BYTES),
        (item.tags, limits.TAGS_BYTES),
        (item.keywords, limits.KEYWORDS_BYTES),
    ):
        assert len(text.encode()) <= room
    # Storing what was stored changes nothing.
    again = items.Item()
    item_texts.set_texts(again, item.content, item.tags, item.keywords, "manual")
    assert (again.content, again.tags, again.keywords) == (item.content, item.tags, item.keywords)
