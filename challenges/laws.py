"""Laws: what must hold of a result whatever the inputs, where no reference value is asked for."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

Array = np.ndarray
LAWS: dict[str, Callable[[Array], str]] = {}
"""Name of a law → function of one returned array giving what is wrong, or an empty text."""


def _law(name: str) -> Callable[[Callable[[Array], str]], Callable[[Array], str]]:
    def register(function: Callable[[Array], str]) -> Callable[[Array], str]:
        LAWS[name] = function
        return function

    return register


@_law("rows-total-one")
def _rows_total_one(array: Array) -> str:
    totals = array.sum(axis=-1)
    if not np.allclose(totals, 1.0, rtol=1e-6, atol=1e-8, equal_nan=False):
        return "every row must total one"
    return "" if bool((array >= 0).all()) else "no entry may be negative"


@_law("finite")
def _finite(array: Array) -> str:
    return "" if bool(np.isfinite(array).all()) else "every entry must be a finite number"
