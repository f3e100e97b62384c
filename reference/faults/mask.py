"""Faults in the mask itself: which positions are blocked, and with what."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .calculation import Form, later
from .softmax import softmax


def _hidden(which: Callable[[int], Any]) -> Form:
    """Another set of blocked pairs; `which` gives it for n tokens, to broadcast to (n, n)."""
    return {"hidden": lambda w, n: np.broadcast_to(which(n), (n, n))}


def _fill(value: float) -> Form:
    return {"fill": lambda w, scores, hidden: np.where(hidden, value, scores)}


def _applied(function: Callable[[Any, Any], Any]) -> Form:
    """Another way to apply the blocked pairs to the scores."""
    return {"fill": lambda w, scores, hidden: function(scores, hidden)}


def _lowered_by(value: float) -> Callable[[Any, Any], Any]:
    return lambda scores, hidden: scores - value * hidden


def _given(function: Callable[[int], Any]) -> Form:
    """causal_mask gives back something else than masked scores."""
    return {"give_mask": lambda w, masked: function(w.n)}


def _half_columns(n: int) -> Any:
    return np.arange(n) >= max(1, n // 2)


def _entry(n: int, row: int, column: int) -> Any:
    table = np.zeros((n, n), dtype=bool)
    table[row, column] = True
    return table


FINITE = (
    *(10.0**k for k in (9, 10, 4, 5, 6, 3, 2, 1, 7, 8, 12, 15, 18, 20, 30, 38, 100, 300)),
    *(50.0, 999.0, 9999.0, 99999.0, 65504.0, 2.0**31),
    float(np.finfo(np.float64).max),
    float(np.finfo(np.float32).max),
)
"""Large numbers that people write for −∞, the commonest first."""

FAULTS: dict[str, list[Form]] = {
    "mask-missing": [{"mask": lambda w, scores: scores, "unasked": lambda w: None}],
    "mask-starts-too-late": [_hidden(lambda n: later(n, 2)), _hidden(lambda n: later(n, 3))],
    "mask-hides-the-token-itself": [
        _hidden(lambda n: later(n, 0)),
        _hidden(lambda n: later(n, -1)),
        _hidden(lambda n: later(n, 0) & ~_entry(n, 0, 0)),
    ],
    "mask-inverted": [
        _hidden(lambda n: later(n).T),
        _hidden(lambda n: later(n, 0).T),
        _hidden(lambda n: later(n, -1).T),
        _hidden(lambda n: later(n, 2).T),
    ],
    "mask-not-a-triangle": [
        _hidden(_half_columns),
        _hidden(lambda n: _half_columns(n)[:, None]),
        _hidden(lambda n: np.arange(n) >= 1),
        _hidden(lambda n: (np.arange(n) >= 1)[:, None]),
        _hidden(lambda n: np.arange(n) == n - 1),
        _hidden(lambda n: (np.arange(n) == n - 1)[:, None]),
        _hidden(lambda n: np.arange(n) == 0),
        _hidden(lambda n: np.arange(n) > n // 2),
        _hidden(lambda n: np.eye(n, k=1, dtype=bool)),
        _hidden(lambda n: np.eye(n, k=-1, dtype=bool)),
        _hidden(lambda n: ~np.eye(n, dtype=bool)),
        _hidden(lambda n: np.eye(n, dtype=bool)),
        _hidden(lambda n: later(n)[::-1]),
        _hidden(lambda n: later(n)[:, ::-1]),
        _hidden(lambda n: later(n, 0)[::-1]),
        _hidden(lambda n: later(n, 0)[:, ::-1]),
        _hidden(lambda n: later(n) & (np.arange(n) != n - 1)),
        _hidden(lambda n: later(n) & (np.arange(n) != n - 1)[:, None]),
        _hidden(lambda n: later(n) & (np.arange(n) == n - 1)),
        _hidden(lambda n: later(n) & (np.arange(n) == 0)[:, None]),
        _hidden(lambda n: later(n) & (np.arange(n) != 0)[:, None]),
        _hidden(lambda n: later(n) | (np.tri(n, k=-2) > 0)),
        _hidden(lambda n: later(n) | (np.tri(n, k=-3) > 0)),
        _hidden(lambda n: later(n) | (np.arange(n) == n - 1)),
        _hidden(lambda n: _entry(n, 0, n - 1)),
        _hidden(lambda n: np.ones((n, n), dtype=bool)),
    ],
    "mask-by-value": [
        _applied(lambda s, h: np.where(s < 0, -np.inf, s)),
        _applied(lambda s, h: np.where(s <= 0, -np.inf, s)),
        _applied(lambda s, h: np.where(s > 0, -np.inf, s)),
        _applied(lambda s, h: np.where(h & (s > 0), -np.inf, s)),
        _applied(lambda s, h: np.where(h & (s != 0), -np.inf, s)),
        _applied(
            lambda s, h: np.where(s > np.diagonal(s, axis1=-2, axis2=-1)[..., None], -np.inf, s)
        ),
    ],
    "zeros-become-blocked": [
        _applied(lambda s, h: np.where(np.where(h, 0.0, s) == 0, -np.inf, s)),
        _applied(lambda s, h: np.where(np.where(h, 0.0, s) == 0, -1e9, s)),
    ],
    "mask-zero-fill": [_fill(0.0)],
    "mask-finite-fill": [
        *(_fill(-value) for value in FINITE),
        *(_applied(_lowered_by(value)) for value in FINITE),
        _applied(lambda s, h: np.where(h, s.min(), s)),
        _applied(lambda s, h: np.where(h, s.min(axis=-1, keepdims=True), s)),
        _applied(lambda s, h: np.where(h, s.min() - 1, s)),
        _applied(lambda s, h: np.where(h, -1e9 * np.abs(s), s)),
    ],
    "mask-small-fill": [
        *(_fill(sign * value) for value in (1.0, 2.0, 0.1) for sign in (1, -1)),
        *(_fill(sign * 10.0**-k) for k in range(9, 1, -1) for sign in (1, -1)),
    ],
    "mask-plus-infinity": [
        _fill(np.inf),
        _fill(1e9),
        _fill(1e10),
        _fill(float(np.finfo(np.float64).max)),
    ],
    "mask-makes-nan": [
        _fill(np.nan),
        _applied(lambda s, h: s + h * -np.inf),
        _applied(lambda s, h: s * ~h - np.inf * h),
        _applied(lambda s, h: s * ~h + np.where(h, -np.inf, 0.0) * h),
        _applied(lambda s, h: np.where(h, np.nan, s) * 1.0),
    ],
    "mask-multiplied": [
        _applied(lambda s, h: s * np.where(h, -np.inf, 1.0)),
        _applied(lambda s, h: s * np.where(h, -np.inf, 0.0)),
        _applied(lambda s, h: s * np.where(h, -1e9, 1.0)),
        _applied(lambda s, h: s * h),
        _applied(lambda s, h: -s * h + s * ~h),
    ],
    "mask-added-as-number": [
        _applied(lambda s, h: s + ~h),
        _applied(lambda s, h: s + h),
        _applied(lambda s, h: s - h),
        _applied(lambda s, h: s - ~h),
        _applied(lambda s, h: np.where(h, -np.inf, 1.0) + s),
        _applied(lambda s, h: np.where(h, -np.inf, 1.0)),
        _applied(lambda s, h: np.where(h, s, -np.inf) + 0.0),
    ],
    "mask-alone-returned": [
        _given(lambda n: ~later(n)),
        _given(later),
        _given(lambda n: np.where(later(n), 0.0, 1.0)),
        _given(lambda n: np.where(later(n), 1.0, 0.0)),
        _given(lambda n: np.where(later(n), -np.inf, 0.0)),
        _given(lambda n: np.where(later(n), -np.inf, 1.0)),
        _given(lambda n: np.where(later(n), -1e9, 0.0)),
        _given(lambda n: np.where(later(n), 0, 1)),
        _given(lambda n: np.where(later(n), 1, 0)),
    ],
    "mask-goes-on": [
        {"give_mask": lambda w, masked: softmax(masked)},
        {"give_mask": lambda w, masked: np.exp(masked)},
        {"give_mask": lambda w, masked: np.tril(softmax(w.given))},
        {"give_mask": lambda w, masked: masked / np.sqrt(w.n)},
        {"give_mask": lambda w, masked: masked / w.n},
        {"give_mask": lambda w, masked: masked - np.max(masked, axis=-1, keepdims=True)},
    ],
}
