"""Typed lines that do not reach the agent as they were typed, and what is said of them."""

from claw_core.typed import masked
from claw_memory import limits
from micropython import const

_START = const(60)  # characters of a line that was not taken


def accepted(text):
    """The command that an answer to the question of the first boot stands for, else text."""
    word = text.lower()
    if word in ("yes", "y"):
        return "/setup next"
    return "/setup no" if word in ("no", "n") else text


def secret(key, text, say):
    """(the secret setting whose value is typed unseen next or "", what goes to the agent of text).

    key: the setting for which text was typed unseen, "" for none.
    """
    if key:
        if not text:
            say("[nothing changed]")
            return "", ""
        return "", "/config set %s %s" % (key, text)
    if len(text.split(None, 3)) == 3 and masked(text + " x"):
        key = text.split()[2]
        say("Type %s; it is not shown." % key)
        text = ""
    return key, text


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
