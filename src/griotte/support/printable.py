"""Texts from files as they are printed."""

from __future__ import annotations


def printable(text: object) -> str:
    """A text as one line. Characters that are not to be printed as they are (an escape sequence, a line's end, a mark
    that turns the order of reading) become their escapes, as in Python's repr."""
    found = str(text)
    if found.isprintable():
        return found
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in found)
