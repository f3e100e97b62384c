"""CSV for other systems: spreadsheets must take no cell of a student's for a formula."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from fractions import Fraction

_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
PLACES = 2


def text(value: str) -> str:
    """Text that a spreadsheet shows and does not run: a formula gets an apostrophe before it."""
    return f"'{value}" if len(value) > 1 and value.lstrip(" ").startswith(_STARTS) else value


def mark(value: Fraction | None) -> str:
    """A mark rounded half up to two decimals, no more of them than needed; empty for none."""
    if value is None:
        return ""
    units = (value * 10**PLACES + Fraction(1, 2)).__floor__()
    whole, rest = divmod(units, 10**PLACES)
    return f"{whole}.{rest:0{PLACES}d}".rstrip("0").rstrip(".")


def write(headings: Sequence[str], rows: Iterable[Sequence[str]], end: str = "\r\n") -> str:
    """A CSV text; the cells are already safe (`text`) or our own (`mark`)."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator=end)
    writer.writerow(headings)
    writer.writerows(rows)
    return stream.getvalue()
