"""Quoted memory: text that was stored once, marked so that it cannot pass for instructions.

The mark stands before every line and nothing ends a quotation but a line without it, so no text
can close its own. Rules beside the quotation tell the model what the mark means.
"""

from claw_memory.platform import const

MARK = "> "

# What some reader takes for the end of a line: CR, VT, FF, the separators FS, GS and RS, NEL, and
# the line and paragraph separators of Unicode.
_BREAKS = const("\r\x0b\x0c\x1c\x1d\x1e\u0085\u2028\u2029")


def quoted(text):
    """text (str) with MARK before each of its lines, whatever ends them; "" stays "".

    A newline at the end of text stays there and begins no line.
    """
    return "".join(stream((text,)))


def stream(pieces):
    """Yield the same for a text that comes in pieces (str), piece by piece."""
    mark = MARK
    for piece in pieces:
        piece = piece.replace("\r\n", "\n")
        for c in _BREAKS:
            if c in piece:
                piece = piece.replace(c, "\n")
        if piece:
            whole = piece[-1] == "\n"
            body = piece[:-1] if whole else piece
            yield mark + body.replace("\n", "\n" + MARK) + ("\n" if whole else "")
            mark = MARK if whole else ""
