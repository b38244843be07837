"""What one scope sees of a Memory: its items, its profile, its folder; imported for other users.

A View is read like a LongTerm and hides what is not the scope's before anything is ranked,
counted or compared. What it stores gets the scope's suffix.
"""

from claw_memory import durable, platform, providers, trim
from claw_memory.longterm import LongTerm
from claw_memory.platform import const

# functions of longterm_more that work on what the scope sees
_OWN = ("get", "count", "list", "find", "update", "forget")
_seldom = platform.seldom("claw_memory.longterm_more")
_MEMOS = const(8)  # scopes for which something that was computed is kept


class View(LongTerm):
    """The items of base (LongTerm) that scope may see, with the methods of a LongTerm."""

    def __init__(self, base, scope):
        self._base = base
        self.scope = scope

    def __getattr__(self, name):
        if name in _OWN:
            return _seldom(self, name)
        return getattr(self._base, name)

    def whole(self):
        """The LongTerm of everybody, which changes are made to."""
        return self._base

    def _check(self):
        self._base._check()

    @property
    def memo(self):
        """What was computed for this scope from the rows as they are; a change drops it."""
        memos = self._base.memo
        if len(memos) > _MEMOS:
            memos.clear()
        return memos.setdefault(self.scope.user + "/" + self.scope.session, {})

    def hidden(self):
        """Flags of the rows that are not the scope's, and of those beyond the 128."""
        memo = self.memo
        if "hidden" not in memo:
            memo["hidden"] = trim.hidden(self._base.table, self.scope)
        return memo["hidden"]

    def read(self, rows):
        """Yield the Item of each row number; without label numbers, which tell of others."""
        for item in self._base.read(rows):
            item.summary_ids = ()
            if not self.scope.changes(item.id.encode()):
                item.extra = b""  # where the owner said it
            yield item

    def log(self, action, id="-", extra=""):
        """LongTerm.log."""
        self._base.log(action, id, extra)

    def compact(self):
        """LongTerm.compact: of everybody's items."""
        self._base.compact()

    def derive(self, now=True):
        """LongTerm.derive: from everybody's items."""
        self._base.derive(now)

    def idle(self):
        """LongTerm.idle."""
        self._base.idle()

    def rest(self):
        """LongTerm.rest."""
        self._base.rest()

    def close(self):
        """Nothing: whoever opened the store closes it."""


class Seen:
    """A Memory as scope sees it: other `longterm`, `profile` and `scope`, else the same."""

    def __init__(self, memory, scope):
        self._memory = memory
        self.scope = scope
        self.longterm = View(memory.longterm, scope) if memory.longterm is not None else None
        if scope.user:
            self.profile = UserProfile(memory.profile, scope.folder(memory.memory_dir))

    def __getattr__(self, name):
        return getattr(self._memory, name)

    def seen_by(self, scope=None):
        """Memory.seen_by; None stays with this scope."""
        return self if scope is None else self._memory.seen_by(scope)

    def view(self, scope=None):
        """Memory.view; None stays with this scope."""
        return self.seen_by(scope).longterm

    def context(self, session_id=""):
        """Memory.context for this scope."""
        return providers.parts(self, session_id)


class UserProfile:
    """The profile of one user: the device's, but for the user's own user.md."""

    def __init__(self, base, folder):
        self._base = base
        self.dir = folder

    def parts(self, session_id=""):
        """Yield the parts of Profile.parts; user.md keeps its usual path."""
        durable.recover(self.dir)
        return self._base.parts(session_id, self.dir)
