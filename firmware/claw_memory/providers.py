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
    """The profile files as one text, "" when none says anything (Editable Profile Memory)."""
    return "".join("%s (%s):\n%s\n\n" % part for part in memory.profile.sections())


def long_term_text(memory):
    """The label catalog with its rules, or in lightweight mode MEMORY.md itself; "" if none."""
    if memory.longterm is None:
        return profile.read_text(memory.memory_dir + "/MEMORY.md", limits.MEMORY_MD_BYTES)
    labels = memory.longterm.catalog()
    if not labels:
        return _PREAMBLE + "- (empty)\n"
    return _PREAMBLE + "".join("- %s\n" % label for label in labels)


def context(memory):
    """Yield (name, text) of each provider that has something to say, in prompt order."""
    for name, provider in (
        ("Editable Profile Memory", profile_text),
        ("Long-term Memory", long_term_text),
    ):
        body = provider(memory)
        if body:
            yield name, body
