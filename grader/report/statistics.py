"""The report's statistics: of marks, of items, of the groups that do best and worst.

An item is a case or a question; students are rows throughout.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

GROUP = 0.27
"""The share of a class in its upper and in its lower group (T. L. Kelley, 1939)."""


@dataclass(frozen=True)
class Summary:
    """A distribution in a few numbers; `deviation` is that of the class itself, not an estimate."""

    count: int
    mean: float
    deviation: float
    least: float
    lower: float
    median: float
    upper: float
    most: float


def summarise(values: Floats) -> Summary | None:
    """The numbers of a distribution, NaN left out; None where nothing is left."""
    known = values[~np.isnan(values)]
    if not known.size:
        return None
    least, lower, median, upper, most = np.percentile(known, [0, 25, 50, 75, 100])
    return Summary(
        known.size,
        float(known.mean()),
        float(known.std()),
        float(least),
        float(lower),
        float(median),
        float(upper),
        float(most),
    )


def edges(most: float, bins: int = 10) -> Floats:
    """The edges of equal bins from 0 to the most that can be earned."""
    return np.linspace(0.0, most if most > 0 else 1.0, bins + 1)


def histogram(values: Floats, bounds: Floats) -> NDArray[np.int64]:
    """How many values are in each bin (the lower edge counts, in the last bin the upper too)."""
    counts, _ = np.histogram(values[~np.isnan(values)], bounds)
    return counts.astype(np.int64)


def point_biserial(passed: Bools, rest: Floats) -> float | None:
    """The correlation of passing an item with the points of the rest; None where one is constant.

    The rest leaves the item itself out, so that an item does not agree with itself.
    """
    if passed.size < 2 or passed.all() or not passed.any() or np.ptp(rest) == 0:
        return None
    return float(np.corrcoef(passed.astype(float), rest)[0, 1])


def group_weights(totals: Floats, share: float = GROUP) -> tuple[Floats, Floats]:
    """How much each student belongs to the upper and to the lower group: (n,), (n,).

    A group holds `share` of the class exactly; students of the same total at its border share what
    is left of it, so that nothing depends on the order of rows.
    """
    return _top(totals, share), _top(-totals, share)


def _top(totals: Floats, share: float) -> Floats:
    size = share * totals.size
    weights = np.zeros(totals.size)
    if not totals.size:
        return weights
    values, inverse, counts = np.unique(-totals, return_inverse=True, return_counts=True)
    before = np.concatenate([[0], np.cumsum(counts)[:-1]])
    inside = np.clip((size - before) / counts, 0.0, 1.0)
    weights[:] = inside[inverse.reshape(-1)] if values.size else 0.0
    return weights


def weighted_share(chosen: Bools, weights: Floats) -> float:
    """The share of a group for which something holds; NaN for a group of nobody."""
    total = weights.sum()
    return float(weights[chosen].sum() / total) if total else float("nan")


def upper_lower(passed: Bools, totals: Floats) -> float:
    """The share of the upper group that passes, less that of the lower group."""
    upper, lower = group_weights(totals)
    return weighted_share(passed, upper) - weighted_share(passed, lower)
