"""Fills an image whose next stored memory makes a compaction of everything due.

128 memories, as many lines that are dead, two thirds of them of forgotten ones; archives, notes
and turns of old sessions, which tell some of what was forgotten; and a conversation.
"""

import prepare


def main(kind, where):
    """Fill the image, and report how many messages it holds."""
    prepare.main(kind, where, _more)


def _more(memory, session):
    from claw_memory import archive, durable, notes
    from material import fact, fill

    store = memory.longterm
    store._retry_at = 1 << 30  # no compaction: that is for the chat
    fill(store, 127, 128)
    gone = []
    for n in range(200, 265):
        item = store.store(*fact(n))[1]
        if n % 8 == 0:
            notes.add(memory, item.content)
        gone.append(store.forget(item.id))
    archived = []
    for n in range(300, 500):
        item = list(store.read((0,)))[0]
        item.id = "mem-%d-%04d" % (1790000000 + n, n)
        item.content = fact(n)[0]
        archived.append(item)
    archive.put(store, archived)
    for item in list(store.list())[:40]:
        store.update(item.id, item.content + ", and more of that")
    lines = b"".join(
        [
            b'{"turn":%d,"role":"user","content":"%s","at":0}\n' % (n, item.content.encode())
            for n, item in enumerate(gone[:40] + archived)
        ]
    )
    durable.append(memory.sessions.data_path(session) + ".archive", lines)
