"""How close texts are by the words they share, and search by words."""


def likeness(a, b):
    """How alike two lists of words are: 0 (nothing in common) to 100 (the same words)."""
    if not a or not b:
        return 0
    return 200 * len([word for word in a if word in b]) // (len(a) + len(b))


def find(lt, query, limit):
    """Of lt (LongTerm or view) at most limit items that share words with query, best first.

    Of Chinese text two characters are a word.
    """
    lt._check()
    from claw_memory.wording import words

    wanted = words(query)
    rows = lt.table
    hidden = lt.hidden()
    best = []
    active = [
        row for row in range(len(rows)) if not rows.deleted(row) and not (hidden and hidden[row])
    ]
    for row, item in zip(active, lt.read(active)):
        body = (" %s %s %s " % (item.content, item.tags, item.keywords)).encode().lower()
        score = 0
        for word in wanted:
            if occurs(word, body):
                score += len(word)
        if score:
            best.append((-score, row))
    best.sort()
    chosen = [row for _, row in best[:limit]]
    return list(lt.read(chosen))


def occurs(word, body):
    """True when a word of body begins with word (tea, teas), both bytes in lower case.

    body: with a space at either end. What has no ASCII counts anywhere.
    """
    at = body.find(word)
    while at >= 0:
        before = body[at - 1]
        if word[0] >= 128 or not (48 <= before <= 57 or 97 <= before <= 122):
            return True
        at = body.find(word, at + 1)
    return False
