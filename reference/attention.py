"""Scaled dot-product attention, each forward step beside its backward step.

All arrays are float64. `...` stands for no axis (one head) or for an axis of heads. `d_name` is the
arriving or resulting derivative of one number with respect to `name`; n tokens, head width d_k.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def scores(Q: Array, K: Array) -> Array:
    """Compare every query with every key, scaled: (..., n, d_k) twice → (..., n, n)."""
    scaled: Array = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    return scaled


def scores_backward(d_scores: Array, Q: Array, K: Array) -> tuple[Array, Array]:
    """(..., n, n) → d_Q, d_K, each (..., n, d_k)."""
    # forward: scores[i, j] = Q[i] · K[j] / √d_k, so each side gets the other, weighted
    d_raw = d_scores / np.sqrt(Q.shape[-1])  # (..., n, n)
    return d_raw @ K, d_raw.swapaxes(-1, -2) @ Q


def causal_mask(scores: Array) -> Array:
    """A copy in which each token's scores for later tokens are −∞: (..., n, n) → (..., n, n)."""
    masked = np.array(scores, np.float64)
    masked[..., _later(scores.shape[-1])] = -np.inf
    return masked


def causal_mask_backward(d_masked: Array) -> Array:
    """A blocked score has no influence, so nothing passes back: (..., n, n) → (..., n, n)."""
    d_scores = np.array(d_masked, np.float64)
    d_scores[..., _later(d_masked.shape[-1])] = 0.0
    return d_scores


def _later(n: int) -> Array:
    return np.triu(np.ones((n, n), dtype=bool), k=1)  # row reads column, column is later


def softmax(scores: Array) -> Array:
    """Shares of each row by itself: (..., n, n) → (..., n, n), every row totals one.

    Raises ValueError for a row that holds nothing to read (all −∞).
    """
    largest = scores.max(axis=-1, keepdims=True)  # (..., n, 1)
    if not np.isfinite(largest).all():
        raise ValueError("every row needs at least one finite score and no +∞ or NaN")
    powers: Array = np.exp(scores - largest)  # at most e⁰: never too large; −∞ gives 0
    shares: Array = powers / powers.sum(axis=-1, keepdims=True)
    return shares


def softmax_backward(d_shares: Array, shares: Array) -> Array:
    """d_scores = shares ⊙ (d_shares − share-weighted average of d_shares in the row)."""
    average = (d_shares * shares).sum(axis=-1, keepdims=True)  # (..., n, 1)
    d_scores: Array = shares * (d_shares - average)
    return d_scores


def combine(shares: Array, V: Array) -> Array:
    """Share times value, summed: (..., n, n), (..., n, d_k) → context (..., n, d_k)."""
    return shares @ V


def combine_backward(d_context: Array, shares: Array, V: Array) -> tuple[Array, Array]:
    """(..., n, d_k) → d_shares (..., n, n), d_V (..., n, d_k)."""
    return d_context @ V.swapaxes(-1, -2), shares.swapaxes(-1, -2) @ d_context


def attention(Q: Array, K: Array, V: Array, causal: bool = False) -> tuple[Array, Array]:
    """Compare, scale, block the future if asked, share out, combine.

    Three (..., n, d_k) → context (..., n, d_k) and shares (..., n, n).
    """
    compared = scores(Q, K)
    shares = softmax(causal_mask(compared) if causal else compared)
    return combine(shares, V), shares


def attention_backward(
    d_context: Array, Q: Array, K: Array, V: Array, shares: Array, causal: bool = False
) -> tuple[Array, Array, Array]:
    """The forward steps in reverse: (..., n, d_k) → d_Q, d_K, d_V, each (..., n, d_k)."""
    d_shares, d_V = combine_backward(d_context, shares, V)
    d_compared = softmax_backward(d_shares, shares)
    if causal:
        d_compared = causal_mask_backward(d_compared)
    d_Q, d_K = scores_backward(d_compared, Q, K)
    return d_Q, d_K, d_V
