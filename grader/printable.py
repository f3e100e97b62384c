"""Text that others wrote, made fit to be shown and stored anywhere."""

from __future__ import annotations

import unicodedata

_HARMFUL = {"Cc", "Cf", "Cs", "Co", "Cn"}  # controls, direction marks, lone surrogates, unassigned


def printable(text: str) -> str:
    """The text with everything but line ends, tabs and visible characters shown as �."""
    if text.isprintable():
        return text
    return "".join(
        c if c in "\n\t" or unicodedata.category(c) not in _HARMFUL else "�" for c in text
    )


def one_line(text: str, longest: int) -> str:
    """The text on one line, cut to its beginning and end where it is longer than allowed."""
    if len(text) > longest:
        half = (longest - 1) // 2
        text = f"{text[:half]}…{text[-half:]}"
    return "".join(c if c.isprintable() else " " if c in "\n\t" else "�" for c in text)
