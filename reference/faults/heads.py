"""Faults in splitting into heads."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .calculation import Form, Work, later

Slices = Callable[[Work, int], slice]
"""The columns that a head takes."""


def side_by_side(parts: Any) -> Any:
    """The right way to join: (h, n, d_k) → (n, d_model)."""
    heads, n, d_k = parts.shape
    return parts.transpose(1, 0, 2).reshape(n, heads * d_k)


def _split(function: Callable[[Work, Any], Any], *roles: str) -> Form:
    """Another split, for all roles or for the given ones."""

    def split(w: Work, A: Any, role: str) -> Any:
        if roles and role not in roles:
            return A.reshape(w.n, w.heads, -1).transpose(1, 0, 2)
        return function(w, A)

    return {"split": split}


def joined(function: Callable[[Work, Any], Any]) -> Form:
    """Another way to lay the heads side by side."""
    return {"join": function}


def _sliced(columns: Slices, *roles: str) -> Form:
    """Each head takes the given columns; what they miss stays zero."""

    def split(w: Work, A: Any) -> Any:
        parts = np.zeros((w.heads, w.n, w.d_k))
        for h in range(w.heads):
            part = A[:, columns(w, h)]
            parts[h, :, : part.shape[1]] = part
        return parts

    return _split(split, *roles)


def _narrow(columns: Slices) -> Form:
    """Each head takes the given columns and is as wide as they are."""
    return _split(lambda w, A: np.stack([A[:, columns(w, h)] for h in range(w.heads)]))


def _by_reshape(w: Work, A: Any) -> Any:
    return A.reshape(w.heads, w.n, w.d_k)


def _interleaved(w: Work, A: Any) -> Any:
    return A.reshape(w.n, w.d_k, w.heads).transpose(2, 0, 1)


def join_reshape(w: Work, parts: Any) -> Any:
    return parts.reshape(w.n, w.d_model)


def join_interleaved(w: Work, parts: Any) -> Any:
    return parts.transpose(1, 2, 0).reshape(w.n, w.d_model)


def _fixed_width(width: int) -> Form:
    return {"count": lambda w: w.d_model // width, "width": lambda w: width}


def _number(count: int) -> Callable[[Work], int]:
    return lambda w: count


def _fixed_slice(width: int) -> Slices:
    return lambda w, h: slice(h * width, (h + 1) * width)


def _across(mask: Callable[[Work, Any], Any]) -> Form:
    """Tokens stay the first axis, so that the heads of a token read each other."""
    return {
        "split": lambda w, A, role: A.reshape(w.n, w.heads, w.d_k),
        "mask": mask,
        "join": join_reshape,
    }


def _across_mask(w: Work, scores: Any) -> Any:
    return np.where(later(scores.shape[-1]), -np.inf, scores) if w.do("flag") else scores


def _across_token_mask(w: Work, scores: Any) -> Any:
    return np.where(later(w.n), -np.inf, scores) if w.do("flag") else scores


def _whole(w: Work, A: Any) -> Any:
    return np.stack([A] * w.heads)


def _whole_scores(root: Callable[[Work], float]) -> Form:
    """Scores from the full width; only the values are divided among the heads."""
    return _split(_whole, "q", "k") | {"scale": lambda w, raw: raw / np.sqrt(root(w))}


def _of_heads(form: Form) -> Form:
    """Only for the function that has heads: it touches a step that no other has."""
    return form | {"count": lambda w: w.heads}


FAULTS: dict[str, list[Form]] = {
    "heads-split-by-reshape": [
        _split(_by_reshape),
        _split(lambda w, A: A.reshape(w.heads, w.d_k, w.n).transpose(0, 2, 1)),
        _split(lambda w, A: A.T.reshape(w.heads, w.n, w.d_k)),
        *(_split(_by_reshape, role) for role in "qkv"),
        _split(_by_reshape) | joined(join_reshape),
    ],
    "heads-interleaved": [
        _split(_interleaved),
        _split(_interleaved) | joined(join_interleaved),
    ],
    "heads-split-on-tokens": [
        _split(lambda w, A: np.stack(np.split(A, w.heads, axis=0)))
        | joined(lambda w, H: np.concatenate(list(H), axis=0))
        | {"mask": _across_mask},
        _split(lambda w, A: np.stack(np.split(A, w.heads, axis=0))) | {"mask": _across_mask},
    ],
    "first-head-repeated": [
        _sliced(lambda w, h: slice(0, w.d_k)),
        _sliced(lambda w, h: slice((w.heads - 1) * w.d_k, None)),
        *(_sliced(lambda w, h: slice(0, w.d_k), role) for role in "qkv"),
        _sliced(lambda w, h: slice(0, w.d_k), "q", "k"),
        joined(lambda w, H: side_by_side(np.stack([H[0]] * len(H)))),
        joined(lambda w, H: side_by_side(np.stack([H[-1]] * len(H)))),
    ],
    "head-slices-off-by-one": [
        _sliced(lambda w, h: slice(h * w.d_k, (h + 1) * w.d_k - 1)),
        _narrow(lambda w, h: slice(h * w.d_k, (h + 1) * w.d_k - 1)),
        _sliced(lambda w, h: slice(h * w.d_k + 1, (h + 1) * w.d_k)),
        _sliced(lambda w, h: slice(h * w.d_k + 1, (h + 1) * w.d_k + 1)),
        _narrow(lambda w, h: slice(h * w.d_k, (h + 1) * w.d_k + 1)),
    ],
    "head-slices-overlap": [
        _sliced(lambda w, h: slice(h, h + w.d_k)),
        _sliced(lambda w, h: slice(h * w.heads, h * w.heads + w.d_k)),
        _split(lambda w, A: np.stack([A[:, h : h + w.d_k] for h in range(w.heads)])),
        _narrow(lambda w, h: slice(0, (h + 1) * w.d_k)),
    ],
    "head-size-fixed": [
        *(_fixed_width(width) for width in (2, 1, 3, 4, 6, 8)),
        *(_narrow(_fixed_slice(width)) for width in (1, 2, 3, 4)),
        *(_narrow(_fixed_slice(c)) | {"width": _number(c)} for c in (1, 2, 3, 4)),
    ],
    "head-count-fixed": [{"count": _number(c)} for c in (2, 3, 4, 8)],
    "heads-ignored": [{"count": lambda w: 1}],
    "heads-and-width-exchanged": [
        {"count": lambda w: w.d_model // w.heads},
        _narrow(lambda w, h: slice(h * w.heads, (h + 1) * w.heads)),
        _narrow(lambda w, h: slice(h * w.heads, (h + 1) * w.heads)) | {"width": lambda w: w.heads},
    ],
    "heads-at-full-width": [
        _whole_scores(lambda w: w.d_model),
        _whole_scores(lambda w: w.d_k),
        _split(_whole)
        | joined(lambda w, H: H.sum(axis=0))
        | {"scale": lambda w, raw: raw / np.sqrt(w.d_model)},
        _split(_whole) | joined(lambda w, H: H.sum(axis=0)),
        _split(_whole) | joined(lambda w, H: H.mean(axis=0)),
    ],
    "shares-averaged-over-heads": [
        _of_heads({"after": lambda w, shares: np.broadcast_to(shares.mean(axis=0), shares.shape)}),
        {
            "compare": lambda w, Q, K: np.broadcast_to(
                (Q @ np.swapaxes(K, -1, -2)).sum(axis=0), (len(Q), w.n, w.n)
            )
        },
        {
            "compare": lambda w, Q, K: np.broadcast_to(
                (Q @ np.swapaxes(K, -1, -2)).mean(axis=0), (len(Q), w.n, w.n)
            )
        },
        _of_heads({"after": lambda w, shares: np.broadcast_to(shares[0], shares.shape)}),
    ],
    "heads-read-each-other": [_across(_across_mask), _across(_across_token_mask)],
}
