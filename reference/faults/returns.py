"""Faults in what a function gives back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .calculation import Form

GIVE = ("give_scores", "give_weights", "give_mask", "give_heads")


def _each(function: Callable[[Any], Any]) -> list[Form]:
    """One form for each function: its arrays changed by `function`."""
    singles: list[Form] = [{name: lambda w, array: function(array)} for name in GIVE]
    pair: Form = {"give_attention": lambda w, c, a: (function(c), function(a))}
    return [*singles, pair]


def _rounded(decimals: int) -> list[Form]:
    return _each(lambda array: np.round(array, decimals))


def _first(array: Any) -> Any:
    return array[0]


FAULTS: dict[str, list[Form]] = {
    "rounded": [form for decimals in range(1, 8) for form in _rounded(decimals)],
    "whole-numbers": [
        *_each(lambda array: array.astype(int)),
        *_each(np.floor),
        *_each(np.trunc),
    ],
    "half-precision-result": _each(lambda array: array.astype(np.float16)),
    "returns-list": [*_each(lambda array: array.tolist()), *_each(list)],
    "returns-nothing": [
        *({name: lambda w, array: None} for name in GIVE),
        {"give_attention": lambda w, c, a: None},
    ],
    "returns-extra-axis": [
        *_each(lambda array: array[None]),
        *_each(lambda array: array[..., None]),
        *_each(np.squeeze),
        *_each(lambda array: array.ravel()),
    ],
    "returns-too-early": [
        *_each(_first),
        *_each(lambda array: array[:1]),
        *_each(lambda array: array[-1]),
        *_each(lambda array: array[0, 0]),
        *_each(lambda array: array[-1, -1]),
        {"join": lambda w, H: H[0], "output": lambda w, joined: joined},
    ],
    "result-turned": _each(lambda array: array.T),
    "not-a-plain-array": [
        *_each(lambda array: array.view(np.matrix)),
        *_each(np.ma.masked_invalid),
    ],
    "scores-go-on-to-shares": [
        {"give_scores": lambda w, s: _softmax(s, -1)},
        {"give_scores": lambda w, s: _softmax(s, 0)},
        {"give_scores": lambda w, s: np.exp(s)},
        {"give_scores": lambda w, s: np.exp(s - s.max(axis=1, keepdims=True))},
        {"give_scores": lambda w, s: np.where(np.tri(w.n) > 0, s, -np.inf)},
        {"give_scores": lambda w, s: s / s.sum(axis=1, keepdims=True)},
        {"give_scores": lambda w, s: s - s.max(axis=1, keepdims=True)},
    ],
    "returns-extra-values": [
        {"give_scores": lambda w, s: (s, _softmax(s, -1))},
        {"give_scores": lambda w, s: (_softmax(s, -1), s)},
        {"give_weights": lambda w, a: (a, w.given)},
        {"give_weights": lambda w, a: (w.given, a)},
        {"give_weights": lambda w, a: (a,)},
        {"give_mask": lambda w, m: (m, np.tri(w.n))},
        {"give_mask": lambda w, m: (m, np.triu(np.ones((w.n, w.n), dtype=bool), k=1))},
        {"give_mask": lambda w, m: (m, _softmax(m, -1))},
        {"give_heads": lambda w, o: (o, w.shares)},
        {"give_heads": lambda w, o: [o, w.shares]},
        {"give_heads": lambda w, o: (o, w.shares.mean(axis=0))},
        {"give_heads": lambda w, o: (o,)},
    ],
    "returns-intermediate": [
        {"give_scores": lambda w, s: w.Q + 0.0},
        {"give_heads": lambda w, o: w.X + 0.0},
        {"give_heads": lambda w, o: w.shares},
        {"give_heads": lambda w, o: w.shares.mean(axis=0)},
    ],
}


def _softmax(scores: Any, axis: int) -> Any:
    powers = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)
