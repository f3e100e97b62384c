"""The colour example: tokens with assigned vectors of width 4, identity projections, no bias.

Every figure of the lesson is calculated here; content calls these functions by name.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .attention import Array, scores, softmax, softmax_backward
from .multihead import Saved, Weights, forward
from .positions import positional_encoding

WIDTH = 4
COLOURS = {name: np.eye(WIDTH)[i] for i, name in enumerate(("red", "blue", "green", "yellow"))}
"""The assigned vector of each token: (4,)."""


def token_vectors(tokens: Sequence[str], positions: bool = False) -> Array:
    """One assigned vector a row, with positional encoding added if asked: (n, 4)."""
    unknown = [token for token in tokens if token not in COLOURS]
    if unknown or not tokens:
        known = ", ".join(COLOURS)
        raise ValueError(f"unknown token '{unknown[0]}' ({known})" if unknown else "no tokens")
    X = np.array([COLOURS[token] for token in tokens])
    return X + positional_encoding(len(tokens), WIDTH) if positions else X


def colour_attention(
    tokens: Sequence[str], heads: int = 1, causal: bool = False, positions: bool = False
) -> dict[str, Any]:
    """Every step of the example.

    `tokens`, `X` (n, 4), `output` (n, 4); `heads`: for each head `Q`, `K`, `V` (n, d_k), `raw`,
    `scaled` (−∞ where blocked), `shares` (n, n), `result` (n, d_k), `row_totals`, `column_totals`
    (n,). The steps of the first head are at the top level too.
    """
    X = token_vectors(tokens, positions)
    identity, none = np.eye(WIDTH), np.zeros(WIDTH)
    weights = Weights(identity, none, identity, none, identity, none, identity, none)
    output, saved = forward(X, weights, heads, causal)
    each = [_head(saved, i, causal) for i in range(heads)]
    return {"tokens": list(tokens), "X": X, "output": output, "heads": each, **each[0]}


def _head(saved: Saved, index: int, causal: bool) -> dict[str, Array]:
    Q, K, V, shares = (a[index] for a in (saved.Q, saved.K, saved.V, saved.shares))
    scaled = scores(Q, K)
    if causal:
        scaled = np.where(np.tri(len(Q), dtype=bool), scaled, -np.inf)
    return {
        "Q": Q,
        "K": K,
        "V": V,
        "raw": Q @ K.T,
        "scaled": scaled,
        "shares": shares,
        "result": shares @ V,
        "row_totals": shares.sum(axis=1),
        "column_totals": shares.sum(axis=0),
    }


def zeroed_shares(tokens: Sequence[str]) -> dict[str, Array]:
    """What goes wrong when finished shares of later tokens are set to zero.

    `shares` (n, n), their `row_totals` (n,), below one, and the shrunken `result` (n, 4).
    """
    X = token_vectors(tokens)
    shares = np.tril(softmax(scores(X, X)))
    return {"shares": shares, "row_totals": shares.sum(axis=1), "result": shares @ X}


def softmax_row(scores: Sequence[float]) -> list[float]:
    """The shares of one row of scores."""
    return [float(share) for share in softmax(np.array(scores, np.float64))]


def softmax_row_gradient(scores: Sequence[float], arriving: Sequence[float]) -> list[float]:
    """What passes back through softmax to one row of scores."""
    shares = softmax(np.array(scores, np.float64))
    return [float(d) for d in softmax_backward(np.array(arriving, np.float64), shares)]


def share_count(tokens: int, heads: int = 1) -> int:
    """How many shares are calculated: one for each pair of tokens, in each head."""
    return tokens * tokens * heads
