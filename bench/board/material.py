"""What the benchmarks store: facts with lines of about 270 bytes, and conversations."""

WHO = ("Anna", "Ben", "the neighbour", "grandmother", "my sister", "the team", "Mr Li", "Sam")
DOES = ("likes", "collects", "is allergic to", "wants to learn about", "grew up with", "sells")
WHAT = (
    "old radios from Norway",
    "walnut bread with honey",
    "the night train to Vienna",
    "blue hydrangeas",
    "chess problems in three moves",
    "rainy Sundays at the lake",
    "maps of the underground",
)


class Clock:
    """A clock that moves a minute at each look."""

    now = 1795984395

    def __call__(self):
        Clock.now += 60
        return Clock.now


def fact(n):
    """(content, tags, keywords) of fact number n; all differ and none contains another."""
    content = "Fact %d: %s %s %s, as told in talk number %d" % (
        n * 7919 % 10007,
        WHO[n % len(WHO)],
        DOES[n // 3 % len(DOES)],
        WHAT[n // 5 % len(WHAT)],
        n * 31 % 1009,
    )
    return content, "label%02d" % (n % 30), "talk%d,%s" % (n % 17, WHO[n % len(WHO)])


def fill(longterm, first, last):
    """Store facts first..last-1."""
    for n in range(first, last):
        longterm.store(*fact(n))


_LINE = "Message %d: we spoke of the weather, of trains and of what to cook on Thursday. "


def message(n, chars=150):
    """Text of message n."""
    line = _LINE % n
    return (line * (chars // len(line) + 1))[:chars]


def talk(sessions, session_id, first, last, chars=150):
    """Persist messages first..last-1, user and assistant in turn, without tools."""
    from claw_memory.sessions import FINAL, USER

    while first < last:
        end = min(first + 20, last)
        records = [(FINAL if n & 1 else USER, message(n, chars), None) for n in range(first, end)]
        sessions.persist(session_id, records, completed=True)
        first = end
