"""What is said of typed lines that do not reach the agent as they were typed."""

from claw_core.typed import masked
from claw_memory import limits
from micropython import const

_START = const(60)  # characters of a line that was not taken


def damaged(text, too_long, say):
    """What goes to the agent of a line that was too long or no UTF-8; say gets a sentence."""
    if too_long:
        say(
            "! That line is longer than %d bytes and was not sent; send it in parts."
            % limits.LINE_BYTES
        )
        return ""
    if text:
        say("[bytes that are no UTF-8 were replaced by \ufffd]")
    return text


def dropped(text, ahead, say):
    """Say, once, that text and what follows cannot wait; returns characters that leave no room.

    ahead: characters that wait. Until the last waiting line is handed over nothing is taken any
    more: what goes in is then the beginning of what was typed, without holes.
    """
    if ahead <= limits.AHEAD_CHARS:
        start = masked(text) or text[:_START]
        say(
            "! Too much waits already: nothing from this line on was taken. Send it again after "
            "the replies: " + start
        )
    return limits.AHEAD_CHARS + 1
