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
    # As bytes: MicroPython keeps each character that it takes from a str as a name, for good.
    data = text.encode()
    bare = data.replace(b"\n", b" ").replace(b"\t", b" ")
    if bare and (min(bare) < 32 or b"\x7f" in bare or b"\xc2\x9b" in bare):
        from claw_core.typed_wide import harmless

        return harmless(data)
    return text
