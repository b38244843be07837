"""What is said of a turn that does not end as it should: sentences for the user and the model."""

from claw_memory import limits

EMPTY = "The model gave an empty answer; ask again or put it differently."
HINT = " [You made this very call before and got this very result: use it, or tell the user.]"
START = "[only the start of this long message is kept]"


def rounds():
    """There were too many rounds of tool calls."""
    text = "I stopped after %d rounds of tool calls without an answer; ask again more narrowly."
    return text % limits.ROUNDS


def repeated(name, times):
    """One tool was called again and again."""
    text = "I stopped: %s was called %d times in the same way with the same result."
    return text % (name, times)


def full():
    """The calls of the turn take too much of the session."""
    text = "I stopped: the tool calls for this message took more than %d bytes."
    return text % limits.TURN_TOOL_BYTES


def too_long():
    """A result (JSON) for a call whose arguments were dropped."""
    text = '{"ok":false,"error":"the arguments of all calls together are over %d bytes"}'
    return text % limits.ARGS_BYTES


def cut(size):
    """The end of a result of size bytes that was cut."""
    return " [cut: the result had %d bytes]" % size
