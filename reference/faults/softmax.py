"""Faults of softmax in which numbers stand together: axes, maxima, ranges."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .calculation import Form, later, turned


def softmax(scores: Any, axis: Any = -1) -> Any:
    powers = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def giving(function: Callable[[Any], Any]) -> Form:
    """Other shares from the same scores."""
    return {"softmax": lambda w, scores: function(scores)}


def shift(function: Callable[[Any], Any]) -> Form:
    return {"shift": lambda w, scores: function(scores)}


def total(function: Callable[[Any], Any]) -> Form:
    return {"total": lambda w, powers: function(powers)}


def _along(axis: Any) -> Form:
    return {
        "shift": lambda w, scores: scores.max(axis=axis, keepdims=True),
        "total": lambda w, powers: powers.sum(axis=axis, keepdims=True),
    }


def raw(function: Callable[[Any], Any]) -> Form:
    """Powers without a shift, or something else in their place."""
    return {"shift": lambda w, scores: 0.0, "power": lambda w, shifted: function(shifted)}


def row(scores: Any) -> Any:
    return scores.max(axis=-1, keepdims=True)


def shares_of_total(values: Any) -> Any:
    return values / values.sum(axis=-1, keepdims=True)


def _clipped(limit: float) -> Form:
    return {
        "shift": lambda w, scores: 0.0,
        "power": lambda w, shifted: np.exp(np.clip(shifted, -limit, limit)),
    }


def _hidden_as_zero(scores: Any) -> Any:
    return np.where(np.isinf(scores), 0.0, scores)


def _equal(scores: Any) -> Any:
    return shares_of_total(np.isfinite(scores).astype(np.float64))


def _zeros_hidden(scores: Any) -> Any:
    return np.where(scores == 0, 0.0, softmax(scores))


def _raised_to(floor: float) -> Callable[[Any], Any]:
    return lambda scores: softmax(np.maximum(scores, floor))


def nothing(scores: Any) -> Any:
    return np.where(np.isfinite(scores), scores, 0.0)


FAULTS: dict[str, list[Form]] = {
    "softmax-over-columns": [
        _along(-2),
        total(lambda e: e.sum(axis=-2, keepdims=True)),
        raw(np.exp) | total(lambda e: e.sum(axis=-2, keepdims=True)),
        raw(np.exp) | total(lambda e: e.sum(axis=-2)),
        shift(np.max) | total(lambda e: e.sum(axis=-2, keepdims=True)),
    ],
    "softmax-over-heads": [_along(0) | {"count": lambda w: w.heads}],
    "softmax-over-everything": [
        _along((-2, -1)),
        _along(None),
        total(lambda e: e.sum()),
        raw(np.exp) | total(lambda e: e.sum()),
        total(lambda e: e.sum(axis=(-2, -1), keepdims=True)),
    ],
    "maximum-lost-its-axis": [
        shift(lambda s: s.max(axis=-1)[..., None, :]),
        shift(lambda s: s.max(axis=-1)),
        shift(lambda s: s.max(axis=-2, keepdims=True)),
        shift(lambda s: s.max(axis=-2)),
    ],
    "total-lost-its-axis": [
        total(lambda e: e.sum(axis=-1)[..., None, :]),
        raw(np.exp) | total(lambda e: e.sum(axis=-1)[..., None, :]),
        shift(lambda s: s.max(axis=-1)[..., None, :])
        | total(lambda e: e.sum(axis=-1)[..., None, :]),
        total(lambda e: e.sum(axis=-1)),
        raw(np.exp) | total(lambda e: e.sum(axis=-1)),
        shift(np.max) | total(lambda e: e.sum(axis=-1)),
        shift(lambda s: s.max(axis=-1)) | total(lambda e: e.sum(axis=-1)),
        total(lambda e: e.sum(axis=-1)[..., ::-1, None]),
    ],
    "maximum-not-subtracted": [
        raw(np.exp),
        giving(lambda s: np.nan_to_num(shares_of_total(np.exp(s)))),
        giving(lambda s: shares_of_total(np.nan_to_num(np.exp(s)))),
        giving(lambda s: np.exp(s - np.log(np.exp(s).sum(axis=-1, keepdims=True)))),
    ],
    "maximum-of-everything": [
        shift(np.max),
        {"shift": lambda w, scores: w.scaled.max(axis=-1, keepdims=True)},  # before the mask
        shift(lambda s: s.max(axis=(-2, -1), keepdims=True)),
        giving(lambda s: np.nan_to_num(shares_of_total(np.exp(s - s.max())))),
        shift(lambda s: np.abs(s).max()),
    ],
    "not-the-maximum-subtracted": [
        shift(lambda s: s.min(axis=-1, keepdims=True)),
        shift(lambda s: s.mean(axis=-1, keepdims=True)),
        shift(np.min),
        shift(np.mean),
        shift(lambda s: np.abs(s).max(axis=-1, keepdims=True)),
        shift(lambda s: -row(s)),
        shift(lambda s: s[..., :1]),
        shift(lambda s: s.sum(axis=-1, keepdims=True)),
        shift(lambda s: np.median(s, axis=-1, keepdims=True)),
        shift(lambda s: np.diagonal(s, axis1=-2, axis2=-1)[..., None]),
    ],
    "scores-squeezed": [
        *(_clipped(c) for c in (1, 5, 10, 20, 30, 50, 88, 100, 200, 500, 700, 709)),
        giving(lambda s: shares_of_total(np.exp(s / row(s)))),
        giving(lambda s: shares_of_total(np.exp(s / s.max()))),
        giving(lambda s: shares_of_total(np.exp(s / np.abs(s).max()))),
    ],
    "softmax-twice": [
        giving(lambda s: softmax(softmax(s))),
        giving(lambda s: softmax(softmax(s), -2)),
        giving(lambda s: softmax(softmax(s, -2))),
        giving(lambda s: softmax(s) / softmax(s).sum(axis=-2, keepdims=True)),
        giving(lambda s: softmax(s) / softmax(s).sum(axis=-2)),
        giving(lambda s: shares_of_total(softmax(s, -2))),
    ],
    "softmax-missing": [giving(nothing), giving(lambda s: s)],
    "equal-shares": [giving(_equal), giving(lambda s: np.full(s.shape, 1 / s.shape[-1]))],
    "scaled-before-softmax": [
        giving(lambda s: softmax(s / np.sqrt(s.shape[-1]))),
        giving(lambda s: softmax(s / s.shape[-1])),
        giving(lambda s: softmax(s * np.sqrt(s.shape[-1]))),
    ],
    "zeros-left-out": [
        giving(_zeros_hidden),
        giving(lambda s: shares_of_total(_zeros_hidden(s))),
        giving(lambda s: softmax(np.where(s == 0, -1e9, s))),
    ],
    "infinity-replaced": [
        giving(lambda s: softmax(_hidden_as_zero(s))),
        giving(lambda s: softmax(np.where(np.isinf(s), -1.0, s))),
        giving(lambda s: np.where(np.isinf(s), s, softmax(s))),
        *(giving(_raised_to(-c)) for c in (1, 10, 20, 50, 100, 1000)),
    ],
    "mask-inside-weights": [
        {"give_weights": lambda w, a: softmax(np.where(later(w.n), -np.inf, w.given))},
        {"give_weights": lambda w, a: np.tril(a)},
    ],
    "shares-transposed": [
        {"after": lambda w, shares: turned(shares)},
        giving(lambda s: softmax(turned(s))),
    ],
}
