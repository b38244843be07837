"""What goes over a terminal and must not be shown: secrets, control characters."""

from claw_core.config import is_secret


def masked(text):
    """A command that sets a secret without the value in it; "" for any other text."""
    if not text.lstrip().startswith("/config"):
        return ""
    words = text.split(None, 3)  # of a long line each word would take RAM
    if len(words) > 3 and words[0] == "/config" and words[1] == "set" and is_secret(words[2]):
        return " ".join(words[:3]) + " ****"
    return ""


def clean(text):
    """text without the control characters that could steer a terminal."""
    bare = text.replace("\n", " ").replace("\t", " ")
    if text and (min(bare) < " " or "\x7f" in text or "\x9b" in text):
        return "".join([c for c in text if c >= " " and c not in "\x7f\x9b" or c in "\n\t"])
    return text
