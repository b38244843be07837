"""How well search finds, what its index takes of the heap, and how long its steps are.

questions.jsonl has what is remembered (item, archived, note, turn) and the questions, each with
the text that answers it. Those of the half `held` were never looked at while search was tuned.
"""

import gc
import json
import time

import place
from out import report

NOW = 1795984395  # 2026-11-29
SESSION = "chat:serial:0:default_01"
_RUNS = 10


def rows(kind):
    """Iterate the lines of questions.jsonl that have the key kind."""
    with open("/bench/questions.jsonl") as f:
        for line in f:
            row = json.loads(line)
            if kind in row:
                yield row


class Clock:
    """A clock that is set by hand."""

    now = NOW

    def __call__(self):
        return Clock.now


def fill(root):
    """A Memory at root with everything of questions.jsonl in it; (it, {id: name in the file})."""
    from claw_memory.memory import Memory

    folder = root + "/memory"
    memory = Memory(root or "/", Clock())
    memory.names.current("chat:serial:0")
    memory.sessions.persist(SESSION, [(1, "hello", None), (2, "hello", None)], True)
    names = {}
    Clock.now = NOW - 40 * 86400
    for row in rows("item"):
        Clock.now += 20000
        changed, item = memory.longterm.store(row["content"], row["tags"], row["keywords"])
        assert changed
        names[item.id] = row["item"]
    Clock.now = NOW
    with open(folder + "/archive_0.jsonl", "w") as f:
        f.write('{"archive":1}\n')
        for number, row in enumerate(rows("archived")):
            id = "mem-1700000000-%04d" % number
            names[id] = row["archived"]
            f.write(_archived(id, row))
    for row in rows("note"):
        names[row["day"], row["content"]] = row["note"]
        with open("%s/%s.md" % (folder, row["day"]), "a") as f:
            f.write("- 08:15 %s\n" % row["content"])
    with open(memory.sessions.data_path(SESSION) + ".archive", "w") as f:
        for number, row in enumerate(rows("turn")):
            names["%s#%d" % (SESSION, number + 1)] = row["turn"]
            line = '{"turn":%d,"role":"%s","content":%s,"at":%d}\n'
            f.write(line % (number, row["role"], json.dumps(row["content"]), NOW - 86400))
    return memory, names


def _archived(id, row):
    from claw_memory.itemline import Item, record

    item = Item()
    item.id = id
    item.content = row["content"]
    item.tags = row["tags"]
    item.keywords = row["keywords"]
    item.created_at = item.updated_at = 1700000000
    return str(record(item), "utf-8")


def found(memory, names, query, steps=None):
    """The names of the first five results; steps: list of the microseconds of each step."""
    from claw_memory.search import Search

    gc.collect()
    search = Search(memory, query, 5)
    run = iter(search)
    step = 0
    while True:
        start = time.ticks_us()
        more = next(run, 1)
        took = time.ticks_diff(time.ticks_us(), start)
        if steps is not None:
            if step == len(steps):
                steps.append(took)
            steps[step] = min(steps[step], took)
        step += 1
        if more == 1:
            break
    assert not search.broken
    return [names.get(hit.id) or names[hit.id, hit.snippet] for hit in search.hits]


def by_substring(texts, query):
    """The names of the first five texts that contain most of the words (pairs) of query."""
    from claw_memory import wording

    wanted = [str(word, "utf-8") for word in wording.words(query)]
    points = []
    for order, (name, body) in enumerate(texts):
        count = len([word for word in wanted if word in body])
        if count:
            points.append((-count, order, name))
    points.sort()
    return [name for _, _, name in points[:5]]


def quality(memory, names):
    """Report the share of questions whose answer is among the first five results."""
    from claw_memory import limits

    texts = []
    for kind in ("item", "archived", "note", "turn"):
        for row in rows(kind):
            body = " ".join([row["content"], row.get("tags", ""), row.get("keywords", "")])
            texts.append((row[kind], body.lower()))
    score = {}
    asked = {}
    first = {}
    plain = {}
    differ = 0
    for row in rows("question"):
        group = row["lang"] + "_" + (row["half"] if row["shares"] else "other")
        for table in (score, asked, first, plain):
            table.setdefault(group, 0)
        hits = found(memory, names, row["question"])
        asked[group] += 1
        score[group] += row["answer"] in hits
        first[group] += hits[:1] == [row["answer"]]
        plain[group] += row["answer"] in by_substring(texts, row["question"])
        usual = limits.ROOMY_HEAP
        limits.ROOMY_HEAP = 1 << 30
        differ += found(memory, names, row["question"]) != hits
        limits.ROOMY_HEAP = usual
    for group in asked:
        report("search_asked_" + group, asked[group])
        report("search_recall_" + group, "%.3f" % (score[group] / asked[group]))
        report("search_first_" + group, "%.3f" % (first[group] / asked[group]))
        report("search_substring_" + group, "%.3f" % (plain[group] / asked[group]))
    report("search_streamed_differ", differ)


def heap(lt):
    """Bytes of heap of an index over the items of lt."""
    from claw_memory.search_index import Index

    gc.collect()
    gc.collect()
    before = gc.mem_alloc()
    index = Index()
    while index.step(lt):
        pass
    gc.collect()
    gc.collect()
    return gc.mem_alloc() - before


def longest_steps(memory, names):
    """Report the longest step of searches, that which makes the index included, in ms."""
    worst = total = count = 0
    for row in rows("question"):
        count += 1
        if count % 10:
            continue
        steps = []
        for _ in range(_RUNS):
            if count == 10:
                memory.longterm.terms = None
            found(memory, names, row["question"], steps)
        worst = max(worst, max(steps))
        if count == 10:
            report("search_first_ms", "%.1f" % (sum(steps) / 1000))
        else:
            total += sum(steps) * 10
    report("search_step_ms", "%.1f" % (worst / 1000))
    report("search_ms", "%.1f" % (total / count / 1000))


def main(kind, where):
    """Measure everything."""
    root, _ = place.enter(kind, where)
    memory, names = fill(root)
    found(memory, names, "what is there?")
    report("search_items", memory.longterm.count())
    quality(memory, names)
    report("search_heap_usual", heap(memory.longterm))
    longest_steps(memory, names)
    memory.close()
    from claw_memory.longterm import LongTerm

    large = LongTerm(root + "/sessions", Clock())
    for n in range(128):
        chars = [chr(0x4E00 + (n * 977 + k * 131 + k * k * n) % 20000) for k in range(85)]
        large.store("".join(chars), "标签一二三四五六七八," + chr(0x5000 + n) * 12)
    assert large.count() == 128
    report("search_heap", heap(large))
