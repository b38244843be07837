"""claw_memory.redact: what was forgotten leaves the other files at a compaction."""

import json

from bothlib import tmpdir

from claw_memory.memory import Memory

SESSION = "chat:serial:0:default_01"


def test_a_compaction_takes_forgotten_lines_out_of_archives():
    m = Memory(tmpdir("redact"), lambda: 1795984395)
    id = m.longterm.store("The user's otter is called Fred")[1].id
    m.sessions.persist(SESSION, [(1, "hello", None), (2, "hello", None)], True)
    path = m.sessions.data_path(SESSION) + ".archive"
    with open(path, "w") as f:
        for turn, content in enumerate(("my otter is called Fred", "the pond is deep")):
            row = {"turn": turn, "role": "user", "content": content, "at": 5}
            f.write(json.dumps(row) + "\n")
    m.longterm.forget(id)
    m.longterm.compact()
    with open(path) as f:
        assert [json.loads(line)["content"] for line in f] == ["the pond is deep"]
    assert m.longterm.count() == 0
