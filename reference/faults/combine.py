"""Faults in combining values with shares, and in what masked_attention gives back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .calculation import Form, turned


def _combined(function: Callable[[Any, Any], Any]) -> Form:
    return {"combine": lambda w, shares, V: function(shares, V)}


def _given(function: Callable[[Any, Any], Any]) -> Form:
    return {"give_attention": lambda w, context, shares: function(context, shares)}


def _best(shares: Any, V: Any) -> Any:
    return np.take_along_axis(V, shares.argmax(axis=-1)[..., None], axis=-2)


FAULTS: dict[str, list[Form]] = {
    "combined-entry-by-entry": [
        _combined(lambda a, v: a * v),
        _combined(lambda a, v: a.max(axis=-1, keepdims=True) * v),
        _combined(lambda a, v: np.diagonal(a, axis1=-2, axis2=-1)[..., None] * v),
    ],
    "shares-turned-for-combining": [
        _combined(lambda a, v: turned(a) @ v),
        _combined(lambda a, v: a.sum(axis=-2)[..., None] * v),
    ],
    "wrong-order-of-product": [
        _combined(lambda a, v: v @ a),
        _combined(lambda a, v: a @ turned(v)),
        _combined(lambda a, v: turned(v) @ a),
        _combined(lambda a, v: turned(v) @ turned(a)),
        _combined(lambda a, v: a @ v.reshape(*v.shape[:-2], v.shape[-1], v.shape[-2])),
    ],
    "combines-wrong-rows": [
        {"combine": lambda w, shares, V: shares @ w.K},
        {"combine": lambda w, shares, V: shares @ w.Q},
    ],
    "combines-scores": [
        {"combine": lambda w, shares, V: w.scaled @ V},
        {"combine": lambda w, shares, V: np.where(np.isfinite(w.masked), w.masked, 0.0) @ V},
        {"combine": lambda w, shares, V: w.masked @ V},
    ],
    "values-scaled-too": [
        {"combine": lambda w, shares, V: shares @ V / w.n},
        {"combine": lambda w, shares, V: shares @ V / w.d_k},
        {"combine": lambda w, shares, V: shares @ V / np.arange(1, w.n + 1)[:, None]},
    ],
    "values-unweighted": [
        _combined(lambda a, v: v + 0.0),
        _combined(lambda a, v: np.ones(a.shape) @ v / a.shape[-1]),
        _combined(lambda a, v: np.ones(a.shape) @ v),
        _combined(lambda a, v: np.cumsum(v, axis=-2)),
        _combined(lambda a, v: (a > 0) @ v / (a > 0).sum(axis=-1, keepdims=True)),
    ],
    "rows-lost": [
        _combined(lambda a, v: (a @ v).sum(axis=-2)),
        _combined(lambda a, v: (a @ v).sum(axis=-2, keepdims=True) + 0 * v),
        _combined(lambda a, v: (a @ v).sum(axis=-1)),
        _combined(lambda a, v: np.cumsum(a @ v, axis=-2)),
        _combined(lambda a, v: (a @ v).mean(axis=-2, keepdims=True) + 0 * v),
        _combined(lambda a, v: (a @ v)[..., -1:, :] + 0 * v),
        _combined(lambda a, v: (a @ v)[..., -1:, :]),
        _combined(lambda a, v: (a @ v)[..., -1, :]),
        _combined(lambda a, v: (a @ v)[..., :1, :] + 0 * v),
        _combined(lambda a, v: (a @ v)[..., 0, :]),
    ],
    "only-best-match-passed-on": [_combined(_best)],
    "input-added-to-result": [
        {"combine": lambda w, shares, V: shares @ V + w.Q},
        {"combine": lambda w, shares, V: shares @ V + V},
        {"give_heads": lambda w, output: output + w.X},
        {"output": lambda w, joined: w.do("affine", joined + w.X, w.W_o.T, w.b_o)},
    ],
    "last-token-not-combined": [
        _combined(lambda a, v: a[..., :-1] @ v[..., :-1, :]),
        _combined(lambda a, v: a[..., 1:] @ v[..., 1:, :]),
        _combined(lambda a, v: np.tril(a, -1) @ v),
        _combined(lambda a, v: a[..., :1] @ v[..., :1, :]),
        _combined(lambda a, v: np.concatenate([a[..., :-1, :] @ v, 0 * v[..., :1, :]], axis=-2)),
    ],
    "returns-swapped": [_given(lambda c, a: (a, c))],
    "returns-context-only": [_given(lambda c, a: c)],
    "returns-weights-only": [_given(lambda c, a: a)],
    "returns-three": [
        {"give_attention": lambda w, c, a: (c, a, w.masked)},
        {"give_attention": lambda w, c, a: (c, w.masked, a)},
        {"give_attention": lambda w, c, a: (w.masked, a, c)},
        {"give_attention": lambda w, c, a: (w.scaled, w.masked, a, c)},
        {"give_attention": lambda w, c, a: (c, a, w.scaled)},
    ],
    "returns-one-container": [
        _given(lambda c, a: [c, a]),
        _given(lambda c, a: {"context": c, "weights": a}),
        _given(lambda c, a: np.concatenate([c, a], axis=1)),
        _given(lambda c, a: np.concatenate([a, c], axis=1)),
    ],
    "returns-scores-for-weights": [
        {"give_attention": lambda w, c, a: (c, w.masked)},
        {"give_attention": lambda w, c, a: (c, w.scaled)},
        {"give_attention": lambda w, c, a: (c, np.exp(w.masked))},
        {
            "give_attention": lambda w, c, a: (
                c,
                np.exp(w.masked - w.masked.max(axis=-1, keepdims=True)),
            )
        },
    ],
    "returns-weights-turned": [_given(lambda c, a: (c, turned(a))), _given(lambda c, a: (c, a.T))],
    "returns-mask-for-weights": [
        _given(lambda c, a: (c, np.tri(len(a)))),
        _given(lambda c, a: (c, np.tri(len(a), dtype=bool))),
        _given(lambda c, a: (c, np.triu(np.ones(a.shape), k=1))),
        _given(lambda c, a: (c, np.triu(np.ones(a.shape, dtype=bool), k=1))),
    ],
    "returns-values-for-context": [
        {"give_attention": lambda w, c, a: (w.V + 0.0, a)},
        {"give_attention": lambda w, c, a: (a, a + 0.0)},
        {"give_attention": lambda w, c, a: (c, c + 0.0)},
        {"give_attention": lambda w, c, a: (a @ a, a)},
        {"give_attention": lambda w, c, a: (a @ c, a)},
    ],
}
