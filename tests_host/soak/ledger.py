"""What must be remembered, by what the board acknowledged: knows nothing of how it is stored."""

ITEMS = 128  # memories that count, as the documentation says


class Lost(AssertionError):
    """The board forgot what it had acknowledged, or remembers what it must not."""


class Ledger:
    """The facts of a soak, told apart by their content.

    must: {content: label} of those acknowledged. maybe: {content: label} of those in flight, and
    of those that were when power went: they may be there or not. ids: {content: id}.
    """

    def __init__(self):
        self.must = {}
        self.maybe = {}
        self.ids = {}
        self.checks = 0
        self.trimmed = 0

    def doubt(self, content, label=""):
        """An operation on this fact is on its way."""
        self.maybe[content] = self.must.pop(content, label)

    def stored(self, content, label):
        """It was acknowledged that this is remembered."""
        self.maybe.pop(content, None)
        self.must[content] = label

    def gone(self, content):
        """It was acknowledged that this is forgotten, or that another wording took its place."""
        self.maybe.pop(content, None)
        self.must.pop(content, None)
        self.ids.pop(content, None)

    def listed(self, found):
        """Compare with a complete list [(id, content)] and learn from it."""
        self.checks += 1
        contents = [content for _, content in found]
        ids = [id for id, _ in found]
        if len(set(contents)) != len(contents) or len(set(ids)) != len(ids):
            raise Lost("listed twice: %r" % sorted(found))
        self.recalled(contents)
        missing = [content for content in self.must if content not in contents]
        over = len(contents) == ITEMS and len(self.must) + len(self.maybe) > ITEMS
        if missing and not over:
            raise Lost("acknowledged and not listed: %r" % missing)
        self.trimmed += len(missing)
        for content in missing:
            # One of those beyond the 128, which come back while others are forgotten.
            self.doubt(content)
        self.ids = {content: id for id, content in found}
        for content in contents:
            if content in self.maybe:
                self.stored(content, self.maybe[content])

    def recalled(self, contents):
        """Compare with some of what is remembered."""
        for content in contents:
            if content not in self.must and content not in self.maybe:
                raise Lost("remembered, but never stored or forgotten since: %r" % content)

    def labelled(self, label, contents, complete):
        """Compare with what was recalled by a label; complete: nothing was left out."""
        self.checks += 1
        self.recalled(contents)
        if not complete or len(self.must) + len(self.maybe) > ITEMS:
            return
        for content in self.must:
            if self.must[content] == label and content not in contents:
                raise Lost("acknowledged and not recalled by its label: %r" % content)
