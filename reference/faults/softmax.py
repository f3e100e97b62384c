"""Faults in turning scores into shares."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from .calculation import Form, later, turned


def _softmax(scores: Any, axis: Any = -1) -> Any:
    powers = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def _shares(function: Callable[[Any], Any]) -> Form:
    return {"softmax": lambda w, scores: function(scores)}


def _shift(function: Callable[[Any], Any]) -> Form:
    return {"shift": lambda w, scores: function(scores)}


def _power(function: Callable[[Any], Any]) -> Form:
    return {"power": lambda w, shifted: function(shifted)}


def _total(function: Callable[[Any], Any]) -> Form:
    return {"total": lambda w, powers: function(powers)}


def _along(axis: Any) -> Form:
    return {
        "shift": lambda w, scores: scores.max(axis=axis, keepdims=True),
        "total": lambda w, powers: powers.sum(axis=axis, keepdims=True),
    }


def _raw(function: Callable[[Any], Any]) -> Form:
    """Powers without a shift, or something else in their place."""
    return {"shift": lambda w, scores: 0.0, "power": lambda w, shifted: function(shifted)}


def _row(scores: Any) -> Any:
    return scores.max(axis=-1, keepdims=True)


def _shares_of_total(values: Any) -> Any:
    return values / values.sum(axis=-1, keepdims=True)


def _clipped(limit: float) -> Form:
    return {
        "shift": lambda w, scores: 0.0,
        "power": lambda w, shifted: np.exp(np.clip(shifted, -limit, limit)),
    }


def _hidden_as_zero(scores: Any) -> Any:
    return np.where(np.isinf(scores), 0.0, scores)


def _hard(scores: Any) -> Any:
    return np.eye(scores.shape[-1])[scores.argmax(axis=-1)]


def _half(scores: Any) -> Any:
    shifted = (scores - _row(scores)).astype(np.float16)
    return _shares_of_total(np.exp(shifted)).astype(np.float64)


def _equal(scores: Any) -> Any:
    return _shares_of_total(np.isfinite(scores).astype(np.float64))


def _zeros_hidden(scores: Any) -> Any:
    return np.where(scores == 0, 0.0, _softmax(scores))


def _exp_plus(number: float) -> Callable[[Any], Any]:
    return lambda shifted: np.exp(shifted) + number


def _raised_to(floor: float) -> Callable[[Any], Any]:
    return lambda scores: _softmax(np.maximum(scores, floor))


def _plus_epsilon(epsilon: float) -> Form:
    return _total(lambda e: e.sum(axis=-1, keepdims=True) + epsilon)


def _nothing(scores: Any) -> Any:
    return np.where(np.isfinite(scores), scores, 0.0)


FAULTS: dict[str, list[Form]] = {
    "softmax-over-columns": [
        _along(-2),
        _total(lambda e: e.sum(axis=-2, keepdims=True)),
        _raw(np.exp) | _total(lambda e: e.sum(axis=-2, keepdims=True)),
        _raw(np.exp) | _total(lambda e: e.sum(axis=-2)),
        _shift(np.max) | _total(lambda e: e.sum(axis=-2, keepdims=True)),
    ],
    "softmax-over-heads": [_along(0) | {"count": lambda w: w.heads}],
    "softmax-over-everything": [
        _along((-2, -1)),
        _along(None),
        _total(lambda e: e.sum()),
        _raw(np.exp) | _total(lambda e: e.sum()),
        _total(lambda e: e.sum(axis=(-2, -1), keepdims=True)),
    ],
    "maximum-lost-its-axis": [
        _shift(lambda s: s.max(axis=-1)[..., None, :]),
        _shift(lambda s: s.max(axis=-1)),
        _shift(lambda s: s.max(axis=-2, keepdims=True)),
        _shift(lambda s: s.max(axis=-2)),
    ],
    "total-lost-its-axis": [
        _total(lambda e: e.sum(axis=-1)[..., None, :]),
        _raw(np.exp) | _total(lambda e: e.sum(axis=-1)[..., None, :]),
        _shift(lambda s: s.max(axis=-1)[..., None, :])
        | _total(lambda e: e.sum(axis=-1)[..., None, :]),
        _total(lambda e: e.sum(axis=-1)),
        _raw(np.exp) | _total(lambda e: e.sum(axis=-1)),
        _shift(np.max) | _total(lambda e: e.sum(axis=-1)),
        _shift(lambda s: s.max(axis=-1)) | _total(lambda e: e.sum(axis=-1)),
        _total(lambda e: e.sum(axis=-1)[..., ::-1, None]),
    ],
    "maximum-not-subtracted": [
        _raw(np.exp),
        _shares(lambda s: np.nan_to_num(_shares_of_total(np.exp(s)))),
        _shares(lambda s: _shares_of_total(np.nan_to_num(np.exp(s)))),
        _shares(lambda s: np.exp(s - np.log(np.exp(s).sum(axis=-1, keepdims=True)))),
    ],
    "maximum-of-everything": [
        _shift(np.max),
        {"shift": lambda w, scores: w.scaled.max(axis=-1, keepdims=True)},  # before the mask
        _shift(lambda s: s.max(axis=(-2, -1), keepdims=True)),
        _shares(lambda s: np.nan_to_num(_shares_of_total(np.exp(s - s.max())))),
        _shift(lambda s: np.abs(s).max()),
    ],
    "not-the-maximum-subtracted": [
        _shift(lambda s: s.min(axis=-1, keepdims=True)),
        _shift(lambda s: s.mean(axis=-1, keepdims=True)),
        _shift(np.min),
        _shift(np.mean),
        _shift(lambda s: np.abs(s).max(axis=-1, keepdims=True)),
        _shift(lambda s: -_row(s)),
        _shift(lambda s: s[..., :1]),
        _shift(lambda s: s.sum(axis=-1, keepdims=True)),
        _shift(lambda s: np.median(s, axis=-1, keepdims=True)),
        _shift(lambda s: np.diagonal(s, axis1=-2, axis2=-1)[..., None]),
    ],
    "scores-squeezed": [
        *(_clipped(c) for c in (1, 5, 10, 20, 30, 50, 88, 100, 200, 500, 700, 709)),
        _shares(lambda s: _shares_of_total(np.exp(s / _row(s)))),
        _shares(lambda s: _shares_of_total(np.exp(s / s.max()))),
        _shares(lambda s: _shares_of_total(np.exp(s / np.abs(s).max()))),
    ],
    "powers-missing": [
        _shares(_shares_of_total),
        _shares(lambda s: _shares_of_total(_nothing(s))),
        _shares(lambda s: _shares_of_total(np.abs(s))),
        _shares(lambda s: np.abs(s) / np.abs(s).sum(axis=-1, keepdims=True)),
        _shares(lambda s: _shares_of_total(s - s.min(axis=-1, keepdims=True))),
        _shares(lambda s: _shares_of_total(s - _row(s))),
        _shares(lambda s: _shares_of_total(np.maximum(s, 0.0))),
        _shares(lambda s: s / s.sum()),
        _shares(lambda s: (s - s.min()) / (s.max() - s.min())),
        _shares(lambda s: s / _row(s)),
        _shares(lambda s: s / np.sqrt((s * s).sum(axis=-1, keepdims=True))),
    ],
    "other-base": [
        _power(lambda z: 2.0**z),
        _power(lambda z: 10.0**z),
        _raw(lambda z: 2.0**z),
        _raw(lambda z: 10.0**z),
        *(_power(partial(np.power, base)) for base in (2.7, 2.71, 2.718, 2.7183, 2.71828, 3.0)),
        *(_raw(partial(np.power, base)) for base in (2.7, 2.71, 2.718, 2.7183, 3.0)),
    ],
    "powers-of-minus": [
        _shares(lambda s: _softmax(-s)),
        _raw(lambda z: np.exp(-z)),
        _shares(lambda s: _shares_of_total(np.exp(_row(s) - s))),
    ],
    "sigmoid-for-softmax": [
        _shares(lambda s: 1 / (1 + np.exp(-s))),
        _shares(lambda s: _shares_of_total(1 / (1 + np.exp(-s)))),
        _shares(np.tanh),
    ],
    "other-than-powers": [
        _power(np.expm1),
        _raw(np.expm1),
        _raw(lambda z: np.log1p(np.exp(z))),
        _power(lambda z: np.exp(2 * z)),
        _power(lambda z: np.exp(z / 2)),
        _raw(lambda z: z**2),
        _raw(lambda z: np.maximum(z, 0.0)),
        _raw(lambda z: 1.0 + z),
        _power(lambda z: np.exp(z) + 1.0),
        _power(lambda z: np.exp(np.exp(z))),
    ],
    "shares-not-divided": [
        _total(lambda e: 1.0),
        _raw(np.exp) | _total(lambda e: 1.0),
        _shift(np.max) | _total(lambda e: 1.0),
    ],
    "wrong-total": [
        _total(lambda e: e.shape[-1]),
        _total(lambda e: e.mean(axis=-1, keepdims=True)),
        _total(_row),
        _total(np.max),
        _total(lambda e: 1.0 + e.sum(axis=-1, keepdims=True)),
        _total(lambda e: np.sqrt((e * e).sum(axis=-1, keepdims=True))),
        _total(lambda e: np.cumsum(e, axis=-1)),
        _total(lambda e: np.cumsum(e.sum(axis=-1, keepdims=True), axis=-2)),
        _total(lambda e: e[..., :-1].sum(axis=-1, keepdims=True)),
        _total(lambda e: e[..., 1:].sum(axis=-1, keepdims=True)),
        _total(lambda e: e.sum(axis=-1, keepdims=True) - e),
        _total(lambda e: e[..., :1, :].sum(axis=-1, keepdims=True)),
        _total(lambda e: e[..., -1:, :].sum(axis=-1, keepdims=True)),
        _total(lambda e: e.prod(axis=-1, keepdims=True)),
        _raw(np.exp) | _total(lambda e: e.shape[-1]),
        _raw(np.exp) | _total(_row),
        _shares(lambda s: np.exp(s - _row(s)) / s.sum(axis=-1, keepdims=True)),
        _shares(lambda s: np.exp(s) / s.sum(axis=-1, keepdims=True)),
        _shares(lambda s: np.exp(s - _row(s)) / np.exp(s).sum(axis=-1, keepdims=True)),
        _shares(lambda s: np.exp(s) / np.exp(s - _row(s)).sum(axis=-1, keepdims=True)),
        _shares(lambda s: np.exp(s) / np.exp(s.sum(axis=-1, keepdims=True))),
    ],
    "small-number-added": [
        *(_plus_epsilon(epsilon) for epsilon in (1e-2, 1e-3, 1e-4, 1e-5)),
        *(_power(_exp_plus(c)) for c in (1e-3, 1e-4, 1e-5, 1e-6, 1e-7)),
        _shift(_row) | _total(lambda e: np.maximum(e.sum(axis=-1, keepdims=True), 2)),
    ],
    "half-precision": [_shares(_half)],
    "hard-choice": [
        _shares(_hard),
        _shares(lambda s: (s == _row(s)).astype(np.float64)),
    ],
    "logarithm-of-shares": [
        _shares(lambda s: np.log(_softmax(s))),
        _shares(lambda s: s - _row(s)),
    ],
    "softmax-twice": [
        _shares(lambda s: _softmax(_softmax(s))),
        _shares(lambda s: _softmax(_softmax(s), -2)),
        _shares(lambda s: _softmax(_softmax(s, -2))),
        _shares(lambda s: _softmax(s) / _softmax(s).sum(axis=-2, keepdims=True)),
        _shares(lambda s: _softmax(s) / _softmax(s).sum(axis=-2)),
        _shares(lambda s: _shares_of_total(_softmax(s, -2))),
    ],
    "softmax-missing": [_shares(_nothing), _shares(lambda s: s)],
    "equal-shares": [_shares(_equal), _shares(lambda s: np.full(s.shape, 1 / s.shape[-1]))],
    "scaled-before-softmax": [
        _shares(lambda s: _softmax(s / np.sqrt(s.shape[-1]))),
        _shares(lambda s: _softmax(s / s.shape[-1])),
        _shares(lambda s: _softmax(s * np.sqrt(s.shape[-1]))),
    ],
    "zeros-left-out": [
        _shares(_zeros_hidden),
        _shares(lambda s: _shares_of_total(_zeros_hidden(s))),
        _shares(lambda s: _softmax(np.where(s == 0, -1e9, s))),
    ],
    "infinity-replaced": [
        _shares(lambda s: _softmax(_hidden_as_zero(s))),
        _shares(lambda s: _softmax(np.where(np.isinf(s), -1.0, s))),
        _shares(lambda s: np.where(np.isinf(s), s, _softmax(s))),
        *(_shares(_raised_to(-c)) for c in (1, 10, 20, 50, 100, 1000)),
    ],
    "mask-inside-weights": [
        {"give_weights": lambda w, a: _softmax(np.where(later(w.n), -np.inf, w.given))},
        {"give_weights": lambda w, a: np.tril(a)},
    ],
    "shares-transposed": [
        {"after": lambda w, shares: turned(shares)},
        _shares(lambda s: _softmax(turned(s))),
    ],
}
