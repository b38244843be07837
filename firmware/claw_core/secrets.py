"""Which settings there are, and what of them must not be shown to anyone."""

from claw_core.config import TABLE
from claw_memory import limits


def keys(kind=""):
    """Yield the known keys, or those of one type."""
    for line in TABLE.split("\n"):
        words = line.split(" ")
        if len(words) > 1 and kind in ("", words[1]):
            yield words[0]


def redact(config, text):
    """See Config.redact.

    A short key is none (servers at home take any): without its letters no sentence could be read.
    """
    for key in keys("x"):
        for value in (config.get(key), config.values.get(key)):
            if isinstance(value, str) and len(value) >= limits.SECRET_CHARS:
                text = text.replace(value, "****")
    return text
