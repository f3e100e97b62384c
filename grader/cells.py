"""Cells of CSV files: spreadsheets must take none for a formula."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def harmless(text: str) -> str:
    """Text that a spreadsheet shows and does not run: a formula gets an apostrophe before it."""
    return f"'{text}" if len(text) > 1 and text.lstrip(" ").startswith(_STARTS) else text


def csv_text(headings: Sequence[str], rows: Iterable[Sequence[str]], end: str = "\r\n") -> str:
    """A CSV file; its cells are harmless already, or numbers of our own."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator=end)
    writer.writerow(headings)
    writer.writerows(rows)
    return stream.getvalue()
