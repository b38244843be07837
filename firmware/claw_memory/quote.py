"""Quoted memory: text that was stored once, marked so that it cannot pass for instructions.

The mark stands before every line and nothing ends a quotation but a line without it, so no text
can close its own. Rules beside the quotation tell the model what the mark means.
"""

MARK = "> "

# What some reader takes for the end of a line: CR, VT, FF, the separators FS, GS and RS, NEL, and
# the line and paragraph separators of Unicode.
_BREAKS = "\r\x0b\x0c\x1c\x1d\x1e\u0085\u2028\u2029"


def quoted(text):
    """text (str) with MARK before each of its lines, whatever ends them; "" stays "".

    A newline at the end of text stays there and begins no line.
    """
    if not text:
        return ""
    if "\r" in text:
        text = text.replace("\r\n", "\n")
    for mark in _BREAKS:
        if mark in text:
            text = text.replace(mark, "\n")
    end = "\n" if text[-1] == "\n" else ""
    if "\n" in text:
        text = (text[:-1] if end else text).replace("\n", "\n" + MARK)
    return MARK + text + end
