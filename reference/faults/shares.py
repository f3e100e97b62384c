"""Faults of softmax in what is done to each score and to each row of powers."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from .calculation import Form
from .softmax import giving, nothing, raw, row, shares_of_total, shift, softmax, total


def _power(function: Callable[[Any], Any]) -> Form:
    return {"power": lambda w, shifted: function(shifted)}


def _hard(scores: Any) -> Any:
    return np.eye(scores.shape[-1])[scores.argmax(axis=-1)]


def _half(scores: Any) -> Any:
    shifted = (scores - row(scores)).astype(np.float16)
    return shares_of_total(np.exp(shifted)).astype(np.float64)


def _exp_plus(number: float) -> Callable[[Any], Any]:
    return lambda shifted: np.exp(shifted) + number


def _plus_epsilon(epsilon: float) -> Form:
    return total(lambda e: e.sum(axis=-1, keepdims=True) + epsilon)


FAULTS: dict[str, list[Form]] = {
    "powers-missing": [
        giving(shares_of_total),
        giving(lambda s: shares_of_total(nothing(s))),
        giving(lambda s: shares_of_total(np.abs(s))),
        giving(lambda s: np.abs(s) / np.abs(s).sum(axis=-1, keepdims=True)),
        giving(lambda s: shares_of_total(s - s.min(axis=-1, keepdims=True))),
        giving(lambda s: shares_of_total(s - row(s))),
        giving(lambda s: shares_of_total(np.maximum(s, 0.0))),
        giving(lambda s: s / s.sum()),
        giving(lambda s: (s - s.min()) / (s.max() - s.min())),
        giving(lambda s: s / row(s)),
        giving(lambda s: s / np.sqrt((s * s).sum(axis=-1, keepdims=True))),
    ],
    "other-base": [
        _power(lambda z: 2.0**z),
        _power(lambda z: 10.0**z),
        raw(lambda z: 2.0**z),
        raw(lambda z: 10.0**z),
        *(_power(partial(np.power, base)) for base in (2.7, 2.71, 2.718, 2.7183, 2.71828, 3.0)),
        *(raw(partial(np.power, base)) for base in (2.7, 2.71, 2.718, 2.7183, 3.0)),
    ],
    "powers-of-minus": [
        giving(lambda s: softmax(-s)),
        raw(lambda z: np.exp(-z)),
        giving(lambda s: shares_of_total(np.exp(row(s) - s))),
    ],
    "sigmoid-for-softmax": [
        giving(lambda s: 1 / (1 + np.exp(-s))),
        giving(lambda s: shares_of_total(1 / (1 + np.exp(-s)))),
        giving(np.tanh),
    ],
    "other-than-powers": [
        _power(np.expm1),
        raw(np.expm1),
        raw(lambda z: np.log1p(np.exp(z))),
        _power(lambda z: np.exp(2 * z)),
        _power(lambda z: np.exp(z / 2)),
        raw(lambda z: z**2),
        raw(lambda z: np.maximum(z, 0.0)),
        raw(lambda z: 1.0 + z),
        _power(lambda z: np.exp(z) + 1.0),
        _power(lambda z: np.exp(np.exp(z))),
    ],
    "shares-not-divided": [
        total(lambda e: 1.0),
        raw(np.exp) | total(lambda e: 1.0),
        shift(np.max) | total(lambda e: 1.0),
    ],
    "wrong-total": [
        total(lambda e: e.shape[-1]),
        total(lambda e: e.mean(axis=-1, keepdims=True)),
        total(row),
        total(np.max),
        total(lambda e: 1.0 + e.sum(axis=-1, keepdims=True)),
        total(lambda e: np.sqrt((e * e).sum(axis=-1, keepdims=True))),
        total(lambda e: np.cumsum(e, axis=-1)),
        total(lambda e: np.cumsum(e.sum(axis=-1, keepdims=True), axis=-2)),
        total(lambda e: e[..., :-1].sum(axis=-1, keepdims=True)),
        total(lambda e: e[..., 1:].sum(axis=-1, keepdims=True)),
        total(lambda e: e.sum(axis=-1, keepdims=True) - e),
        total(lambda e: e[..., :1, :].sum(axis=-1, keepdims=True)),
        total(lambda e: e[..., -1:, :].sum(axis=-1, keepdims=True)),
        total(lambda e: e.prod(axis=-1, keepdims=True)),
        raw(np.exp) | total(lambda e: e.shape[-1]),
        raw(np.exp) | total(row),
        giving(lambda s: np.exp(s - row(s)) / s.sum(axis=-1, keepdims=True)),
        giving(lambda s: np.exp(s) / s.sum(axis=-1, keepdims=True)),
        giving(lambda s: np.exp(s - row(s)) / np.exp(s).sum(axis=-1, keepdims=True)),
        giving(lambda s: np.exp(s) / np.exp(s - row(s)).sum(axis=-1, keepdims=True)),
        giving(lambda s: np.exp(s) / np.exp(s.sum(axis=-1, keepdims=True))),
    ],
    "small-number-added": [
        *(_plus_epsilon(epsilon) for epsilon in (1e-2, 1e-3, 1e-4, 1e-5)),
        *(_power(_exp_plus(c)) for c in (1e-3, 1e-4, 1e-5, 1e-6, 1e-7)),
        shift(row) | total(lambda e: np.maximum(e.sum(axis=-1, keepdims=True), 2)),
    ],
    "half-precision": [giving(_half)],
    "hard-choice": [
        giving(_hard),
        giving(lambda s: (s == row(s)).astype(np.float64)),
    ],
    "logarithm-of-shares": [
        giving(lambda s: np.log(softmax(s))),
        giving(lambda s: s - row(s)),
    ],
}
