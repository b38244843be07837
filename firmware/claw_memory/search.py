"""Search over everything that is remembered: items, archived items, daily notes, archived turns.

It works in steps, so that a loop can go on between them; what cannot be read is left out.
"""

import gc

from claw_memory import limits, platform, search_rank
from claw_memory.errors import ClawError
from claw_memory.platform import const
from claw_memory.scope import OWNER
from claw_memory.search_fold import fold

_UNREAD = const("Something could not be read: there may be more.")
_SHORT = const("There was not enough memory to look everywhere: there may be more.")


class Hit:
    """One result: id, snippet, score, date ("2026-11-29" or "unknown") and source.

    source: "memory" (an item), "archive" (an archived item), "note" or "turn".
    """

    def __init__(self, id, snippet, score, date, source):
        self.id = id
        self.snippet = snippet
        self.score = score
        self.date = date
        self.source = source


class Search:
    """What fits query (str) best, of what scope may see (None: the owner).

    Iterate over it to its end, one step of a few milliseconds each; `hits` then holds at most
    limit results, the best first, `more` tells that others were left out, and `broken` is a
    sentence when something could not be read, else "". Raises nothing.
    """

    def __init__(self, memory, query, limit=limits.SEARCH_DEFAULT, scope=None):
        self.hits = []
        self.more = False
        self.broken = ""
        self._memory = memory
        self._query = query
        self._limit = limit
        self._scope = scope or memory.scope or OWNER
        self._roomy = platform.mem_size() >= limits.ROOMY_HEAP

    def __iter__(self):
        from claw_memory.search_sources import SOURCES

        question = search_rank.Question(self._query)
        if not question.terms:
            return
        pool = search_rank.Pool(question, self._limit * (3 if self._roomy else 2) + 4)
        for source in SOURCES:
            try:
                yield from source(self._memory, pool, self._scope, self._roomy)
            except (ClawError, OSError, ValueError):
                self.broken = self.broken or _UNREAD
            except MemoryError:
                self.broken = _SHORT
                gc.collect()
            yield
        found = yield from fold(pool.ranked(), self._limit)
        self.more = pool.matched > len(found)
        self.hits = [Hit(c.id, c.snippet, c.score, c.date, c.source) for c in found]


def get(memory, id, first=0, lines=limits.GET_LINES, scope=None):
    """Read on in what has this id, as search gave it: a search_get.Page. See there."""
    from claw_memory import search_get

    return search_get.get(memory, id, first, lines, scope)
