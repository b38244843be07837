"""JSON for what our files seldom or never hold: fractions, and what cannot be written at all."""

from claw_memory.errors import InvalidArg


def value(what):
    """JSON text of a float. Raises InvalidArg for NaN, infinities, and what JSON cannot hold."""
    if not isinstance(what, float):
        raise InvalidArg("JSON cannot hold a %s" % type(what).__name__)
    if what - what != 0:
        raise InvalidArg("JSON has no NaN and no infinity")
    text = ""
    # 7 digits first: enough for the 32-bit floats of a board, and shorter.
    for form in ("%.7g", "%.15g", "%.17g"):
        text = form % what
        if float(text) == what:
            break
    if abs(what) < 1e15 and what == int(what):
        return str(int(what))
    return text


def key(what):
    """Raise the InvalidArg for a key (what) that is no text."""
    raise InvalidArg("JSON keys must be text")
