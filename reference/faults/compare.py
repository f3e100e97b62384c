"""Faults in comparing queries with keys."""

from __future__ import annotations

from typing import Any

import numpy as np

from .calculation import Form, Step, Work, turned


def _pairs(Q: Any, K: Any) -> Any:
    return Q[..., :, None, :] - K[..., None, :, :]  # (..., n, n, d_k)


def _unit(A: Any) -> Any:
    return A / np.sqrt((A * A).sum(axis=-1, keepdims=True))


def _kept(keep: Any) -> Form:
    """Only some entries of the table are filled; `keep` gives them for n tokens."""
    return {"compare": lambda w, Q, K: np.where(keep(Q.shape[-2]), Q @ turned(K), 0.0)}


def _mirrored(w: Work, Q: Any, K: Any, lower: bool) -> Any:
    raw = Q @ turned(K)
    half = np.tril(raw) if lower else np.triu(raw)
    return half + turned(half) - half * np.eye(raw.shape[-1])


def _short(rows: slice, columns: slice) -> Any:
    def keep(n: int) -> Any:
        kept = np.zeros((n, n), dtype=bool)
        kept[rows, columns] = True
        return kept

    return keep


def _reshaped(w: Work, Q: Any, K: Any) -> Any:
    return Q @ K.reshape(*K.shape[:-2], K.shape[-1], K.shape[-2])


def _fixed_loop(count: int) -> Step:
    """Loops over as many tokens as an example has."""

    def compare(w: Work, Q: Any, K: Any) -> Any:
        table = np.zeros((*Q.shape[:-1], Q.shape[-2]))
        for i in range(count):
            for j in range(count):
                table[..., i, j] = (Q[..., i, :] * K[..., j, :]).sum(axis=-1)
        return table

    return compare


def _rows(table: Any, kept: slice) -> Any:
    """Only these rows were filled."""
    filled = np.zeros_like(table)
    filled[..., kept, :] = table[..., kept, :]
    return filled


ALL, LAST_LEFT, FIRST_LEFT = slice(None), slice(None, -1), slice(1, None)

FAULTS: dict[str, list[Form]] = {
    "scores-transposed": [{"compare": lambda w, Q, K: K @ turned(Q)}],
    "transpose-missing": [{"compare": lambda w, Q, K: Q @ K}],
    "transpose-on-query": [
        {"compare": lambda w, Q, K: turned(Q) @ K},
        {"compare": lambda w, Q, K: turned(K) @ Q},
        {"compare": lambda w, Q, K: turned(Q) @ turned(K)},
    ],
    "reshape-for-transpose": [{"compare": _reshaped}],
    "pairs-entry-by-entry": [{"compare": lambda w, Q, K: Q * K}],
    "only-matching-pairs": [
        {"compare": lambda w, Q, K: (Q * K).sum(axis=-1)},
        {"compare": lambda w, Q, K: (Q * K).sum(axis=-1, keepdims=True)},
        {"compare": lambda w, Q, K: (Q @ turned(K)) * np.eye(Q.shape[-2])},
        {"compare": lambda w, Q, K: (Q * K).sum(axis=-1)[..., None] + np.zeros(Q.shape[-2])},
        {"compare": lambda w, Q, K: (Q * K).sum(axis=-1)[..., None, :] * np.ones((w.n, 1))},
    ],
    "pairs-summed-away": [
        {"compare": lambda w, Q, K: (Q * K).sum()},
        {"compare": lambda w, Q, K: (Q @ turned(K)).sum(axis=-1)},
        {"compare": lambda w, Q, K: (Q @ turned(K)).sum(axis=-2)},
        {"compare": lambda w, Q, K: (Q @ turned(K)).sum(axis=-1, keepdims=True)},
    ],
    "compared-with-itself": [
        {"compare": lambda w, Q, K: Q @ turned(Q)},
        {"compare": lambda w, Q, K: K @ turned(K)},
    ],
    "values-as-keys": [{"compare": lambda w, Q, K: Q @ turned(w.V)}],
    "distance-for-product": [
        {"compare": lambda w, Q, K: -(_pairs(Q, K) ** 2).sum(axis=-1)},
        {"compare": lambda w, Q, K: (_pairs(Q, K) ** 2).sum(axis=-1)},
        {"compare": lambda w, Q, K: np.sqrt((_pairs(Q, K) ** 2).sum(axis=-1))},
        {"compare": lambda w, Q, K: -np.sqrt((_pairs(Q, K) ** 2).sum(axis=-1))},
        {"compare": lambda w, Q, K: np.abs(_pairs(Q, K)).sum(axis=-1)},
        {"compare": lambda w, Q, K: -np.abs(_pairs(Q, K)).sum(axis=-1)},
        {"compare": lambda w, Q, K: _pairs(Q, K).sum(axis=-1)},
    ],
    "cosine-for-product": [
        {"compare": lambda w, Q, K: _unit(Q) @ turned(_unit(K))},
        {"compare": lambda w, Q, K: _unit(Q) @ turned(_unit(K)), "scale": lambda w, raw: raw},
        {"compare": lambda w, Q, K: _unit(Q) @ turned(K)},
        {"compare": lambda w, Q, K: Q @ turned(_unit(K))},
        {"compare": lambda w, Q, K: _unit(Q) @ turned(K), "scale": lambda w, raw: raw},
    ],
    "no-dot-product": [
        {"compare": lambda w, Q, K: _pairs(Q, -K).sum(axis=-1)},
        {"compare": lambda w, Q, K: np.sum(Q, axis=-1)[..., None] * K.sum(axis=-1)[..., None, :]},
        {"compare": lambda w, Q, K: Q + K},
        {"compare": lambda w, Q, K: np.outer(Q, K)},
        {"compare": lambda w, Q, K: Q - K},
        {"compare": lambda w, Q, K: (Q[..., :, None, :] * K[..., None, :, :]).max(axis=-1)},
    ],
    "loop-leaves-tokens-out": [
        _kept(_short(LAST_LEFT, LAST_LEFT)),
        _kept(_short(LAST_LEFT, ALL)),
        _kept(_short(ALL, LAST_LEFT)),
        _kept(_short(FIRST_LEFT, FIRST_LEFT)),
        _kept(_short(FIRST_LEFT, ALL)),
        _kept(_short(ALL, FIRST_LEFT)),
        _kept(_short(slice(1), ALL)),
        _kept(_short(slice(1), slice(1))),
        *({"compare": _fixed_loop(count)} for count in (2, 3, 4)),
        {"after": lambda w, shares: _rows(shares, slice(1))},
        {"after": lambda w, shares: _rows(shares, slice(-1))},
        {"after": lambda w, shares: _rows(shares, slice(1, None))},
    ],
    "half-table": [
        _kept(lambda n: np.tri(n, dtype=bool)),
        _kept(lambda n: np.tri(n, dtype=bool).T),
        _kept(lambda n: np.tri(n, k=-1, dtype=bool)),
        _kept(lambda n: np.tri(n, k=-1, dtype=bool).T),
        {"compare": lambda w, Q, K: _mirrored(w, Q, K, lower=True)},
        {"compare": lambda w, Q, K: _mirrored(w, Q, K, lower=False)},
        {"compare": lambda w, Q, K: (Q @ turned(K) + K @ turned(Q)) / 2},
        {"compare": lambda w, Q, K: Q @ turned(K) + K @ turned(Q)},
    ],
    "self-comparison-left-out": [_kept(lambda n: ~np.eye(n, dtype=bool))],
    "coordinate-left-out": [
        {"compare": lambda w, Q, K: Q[..., :-1] @ turned(K[..., :-1])},
        {"compare": lambda w, Q, K: Q[..., 1:] @ turned(K[..., 1:])},
        {"compare": lambda w, Q, K: Q[..., :1] @ turned(K[..., :1])},
        {"compare": lambda w, Q, K: Q[..., -1:] @ turned(K[..., -1:])},
    ],
    "total-never-reset": [
        {"compare": lambda w, Q, K: np.cumsum(Q @ turned(K), axis=-1)},
        {"compare": lambda w, Q, K: np.cumsum((Q @ turned(K)).ravel()).reshape(Q.shape[-2], -1)},
        {"compare": lambda w, Q, K: np.cumsum(Q @ turned(K), axis=-2)},
    ],
    "sign-lost": [
        {"compare": lambda w, Q, K: np.abs(Q @ turned(K))},
        {"compare": lambda w, Q, K: (Q @ turned(K)) ** 2},
        {"compare": lambda w, Q, K: np.maximum(Q @ turned(K), 0.0)},
        {"compare": lambda w, Q, K: np.abs(Q) @ turned(np.abs(K))},
        {"compare": lambda w, Q, K: -(Q @ turned(K))},
    ],
    "wrong-order-of-keys": [
        {"compare": lambda w, Q, K: Q @ turned(K[..., ::-1, :])},
        {"compare": lambda w, Q, K: Q @ turned(K[..., ::-1])},
        {"compare": lambda w, Q, K: Q[..., ::-1, :] @ turned(K)},
    ],
}
