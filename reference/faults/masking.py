"""Faults in using the mask: when, on what, and whether at all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .calculation import Form, Work, later, turned
from .softmax import softmax


def _after(w: Work, shares: Any, function: Callable[[Any, Any], Any]) -> Any:
    return function(shares, later(shares.shape[-1])) if w.do("flag") else shares


def _late(function: Callable[[Any, Any], Any]) -> Form:
    """Finished shares are masked; the scores are not."""
    return {
        "mask": lambda w, scores: scores,
        "after": lambda w, shares: _after(w, shares, function),
    }


def _zeroed(shares: Any, hidden: Any) -> Any:
    return np.where(hidden, 0.0, shares)


def _renormalised(shares: Any, hidden: Any) -> Any:
    kept = _zeroed(shares, hidden)
    return kept / kept.sum(axis=-1, keepdims=True)


def _on_input(name: str, cut: Callable[[Any], Any]) -> Form:
    """A triangle is laid over queries, keys or values; the scores are not masked."""
    if name == "V":
        return {
            "mask": lambda w, scores: scores,
            "combine": lambda w, shares, V: shares @ (cut(V) if w.do("flag") else V),
        }
    first = name == "Q"
    return {
        "mask": lambda w, scores: scores,
        "compare": lambda w, Q, K: (
            (cut(Q) if first else Q) @ turned(K if first else cut(K))
            if w.do("flag")
            else Q @ turned(K)
        ),
    }


def _cut_below(array: Any) -> Any:
    return np.tril(array)


def _cut_above(array: Any) -> Any:
    return np.triu(array)


def _one_head(index: int) -> Form:
    def mask(w: Work, scores: Any) -> Any:
        if not w.do("flag"):
            return scores
        masked = scores.copy()
        masked[index] = w.do("fill", masked[index], w.do("hidden", scores.shape[-1]))
        return masked

    return {"mask": mask}


def _over_heads(w: Work, scores: Any, rows: bool) -> Any:
    if not w.do("flag"):
        return scores
    visible = np.tri(scores.shape[0], scores.shape[1], dtype=bool)
    return np.where(visible[:, :, None] if rows else visible[:, None, :], scores, -np.inf)


FAULTS: dict[str, list[Form]] = {
    "mask-after-softmax": [_late(_zeroed), _late(lambda a, h: np.where(h, -np.inf, a))],
    "shares-zeroed-and-divided-again": [
        _late(_renormalised),
        _late(lambda a, h: softmax(_zeroed(a, h))),
        _late(lambda a, h: softmax(np.where(h, -np.inf, a))),
    ],
    "mask-not-used-for-context": [
        {
            "combine": lambda w, shares, V: w.do("softmax", w.scaled) @ V,
            "unasked": lambda w: None,
        },
    ],
    "mask-not-used-for-weights": [
        {"give_attention": lambda w, context, shares: (context, w.do("softmax", w.scaled))}
    ],
    "mask-on-queries-or-keys": [
        _on_input("K", _cut_below),
        _on_input("K", _cut_above),
        _on_input("K", lambda K: np.tril(K, -1)),
        _on_input("Q", _cut_below),
        _on_input("Q", _cut_above),
    ],
    "mask-on-values": [
        _on_input("V", _cut_below),
        _on_input("V", _cut_above),
        {"combine": lambda w, shares, V: shares @ np.tril(V)},
    ],
    "mask-on-context": [
        {
            "mask": lambda w, scores: scores,
            "combine": lambda w, a, V: np.tril(a @ V) if w.do("flag") else a @ V,
        },
        {"combine": lambda w, a, V: np.tril(a @ V) if w.do("flag") else a @ V},
    ],
    "causal-flag-ignored": [{"flag": lambda w: False}],
    "causal-always": [{"flag": lambda w: True}],
    "causal-default-wrong": [{"default": lambda w: True}],
    "causal-flag-inverted": [{"flag": lambda w: not w.causal}],
    "mask-on-one-head": [_one_head(0), _one_head(-1)],
    "mask-over-heads": [
        {"mask": lambda w, scores: _over_heads(w, scores, rows=False)},
        {"mask": lambda w, scores: _over_heads(w, scores, rows=True)},
    ],
}
