"""The context providers: what of the memory is put before the model at every request.

The fourth provider, the session history, is Sessions.history and Sessions.messages_raw.
"""

from claw_memory import limits, profile

_PREAMBLE = """Long-term Memory:
Below are only the labels of what you remember, not the memories themselves.
- For details call memory_recall with labels copied exactly from this list; never invent a label.
- Recall before you answer what is remembered, what the user prefers, or whether something is true.
- To forget: recall to see the memory_id, then call memory_forget.
- To correct: choose labels, recall to see the memory_id, then call memory_update.
- The conversation alone is not enough to answer what you remember.
- Do not read MEMORY.md or other raw files instead of recalling.
- Do not talk about how memory works unless you are asked.
Labels:
"""


def profile_text(memory):
    """Yield the profile files as parts of one text (Editable Profile Memory)."""
    for part in memory.profile.sections():
        yield "%s (%s):\n%s\n\n" % part


def long_term_text(memory):
    """Yield the rules and the label catalog, or in lightweight mode the owner's MEMORY.md."""
    if memory.longterm is None:
        if memory.scope and memory.scope.user:
            return
        yield profile.read_text(memory.memory_dir + "/MEMORY.md", limits.MEMORY_MD_BYTES)
        return
    yield _PREAMBLE
    labels = memory.longterm.catalog()
    for label in labels:
        yield "- %s\n" % label
    if not labels:
        yield "- (empty)\n"


_PROVIDERS = (
    ("Editable Profile Memory", profile_text),
    ("Long-term Memory", long_term_text),
)


def context(memory):
    """Yield (name, text) of each provider that has something to say, in prompt order."""
    for name, provider in _PROVIDERS:
        body = "".join(provider(memory))
        if body:
            yield name, body


def parts(memory):
    """Yield the same texts in pieces, an empty line before each provider's."""
    for _, provider in _PROVIDERS:
        lead = "\n"
        for part in provider(memory):
            if part:
                yield lead
                yield part
                lead = ""
