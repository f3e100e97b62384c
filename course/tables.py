"""Numbers as tables: a calculated value becomes labelled rows of aligned cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from challenges.figures import show

FIGURE_SPACE, POINT_SPACE = "\u2007", "\u2008"
"""Blanks as wide as a digit and as a point: they line up cells with fewer decimals."""


@dataclass(frozen=True)
class Cell:
    """One number as it is read, and how strongly it is shaded (0 to 1; None: not at all)."""

    text: str
    share: float | None
    blocked: bool = False


@dataclass(frozen=True)
class Table:
    """A matrix, or a row as a matrix of one row; labels are texts, or counted from 1.

    A single row that was given no label has none (`headed` is false).
    """

    caption: str
    columns: list[str]
    rows: list[tuple[str, list[Cell]]]
    counted_rows: bool
    counted_columns: bool
    heat: bool
    headed: bool


def table(
    value: Any,
    caption: str,
    *,
    rows: Sequence[Any] = (),
    columns: Sequence[Any] = (),
    decimals: int = 4,
    heat: bool = False,
) -> Table:
    """A one- or two-dimensional array as a table; raises ValueError if labels do not fit."""
    given = np.asarray(value, np.float64)
    array = np.atleast_2d(given)
    if array.ndim != 2:
        raise ValueError(f"a row or a matrix is expected, not {array.ndim} dimensions")
    row_labels = [str(label) for label in rows] or [str(n) for n in range(1, len(array) + 1)]
    column_labels = [str(label) for label in columns] or [
        str(n) for n in range(1, array.shape[1] + 1)
    ]
    if (len(row_labels), len(column_labels)) != array.shape:
        raise ValueError(
            f"labels for {len(row_labels)} rows and {len(column_labels)} columns "
            f"do not fit a table of {array.shape[0]} by {array.shape[1]}"
        )
    texts = [[show(entry, decimals) for entry in row] for row in array]
    places = max((_decimals(text) for row in texts for text in row), default=0)
    finite = np.abs(array[np.isfinite(array)])
    top = max(1.0, float(finite.max())) if finite.size else 1.0
    body = [
        (label, [_cell(text, entry, places, top, heat) for text, entry in zip(*pair, strict=True)])
        for label, pair in zip(row_labels, zip(texts, array, strict=True), strict=True)
    ]
    headed = bool(rows) or given.ndim == 2
    return Table(caption, column_labels, body, not rows, not columns, heat, headed)


def _decimals(text: str) -> int:
    return len(text.partition(".")[2])


def _cell(text: str, entry: float, places: int, top: float, heat: bool) -> Cell:
    missing = places - _decimals(text)
    if np.isfinite(entry) and missing:
        text += ("" if "." in text else POINT_SPACE) + FIGURE_SPACE * missing
    share = round(abs(float(entry)) / top, 4) if heat and np.isfinite(entry) else None
    return Cell(text, share, blocked=bool(np.isneginf(entry)))
