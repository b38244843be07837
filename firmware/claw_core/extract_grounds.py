"""What of a model's answer about facts may be stored: what the message said, and no orders.

A model can be talked into "facts" that are none; this holds whatever the message talked it into.
"""

from claw_memory.wording import words
from micropython import const

# how sentences begin that tell the assistant what to do or be; lower case
_ORDERS = const(
    (
        "from now on",
        "always answer",
        "always reply",
        "always say",
        "never answer",
        "never reveal",
        "ignore ",
        "disregard ",
        "you are ",
        "you must",
        "you should",
        "you will",
        "your rules",
        "your name",
        "the assistant",
        "assistant ",
        "system:",
        "system prompt",
        "从现在起",
        "从今以后",
        "忽略",
        "你是",
        "你必须",
        "你应该",
        "你要",
        "助手",
    )
)
_STEM = const(4)  # first letters that make two forms of a word alike


def kept(message, candidates):
    """Those of the candidates of extract.parse() that rest on message and give no orders."""
    said = words(message)
    stems = [word[:_STEM] for word in said]
    return [c for c in candidates if not _is_order(c[0]) and _rests(c[0], said, stems)]


def _is_order(content):
    low = content.strip().lower()
    return any([low.startswith(start) for start in _ORDERS])


def _rests(content, said, stems):
    # At least one word that carries meaning is the message's, in some form.
    for word in words(content):
        if word in said or (len(word) >= _STEM and word[:_STEM] in stems):
            return True
    return False
