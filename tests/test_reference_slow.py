"""The reference against a slow version written from the lesson's sentences in plain Python."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

import reference

Table = list[list[float]]

RNG = np.random.default_rng
SIZES = [(heads, n, width) for heads in (1, 2, 4) for n, width in ((1, 8), (3, 8), (7, 12))]


def slow_project(X: Table, W: Table, b: Sequence[float]) -> Table:
    return [
        [sum(x * w for x, w in zip(row, unit, strict=True)) + b[i] for i, unit in enumerate(W)]
        for row in X
    ]


def slow_scores(Q: Table, K: Table) -> Table:
    root = math.sqrt(len(Q[0]))
    return [[sum(a * b for a, b in zip(q, k, strict=True)) / root for k in K] for q in Q]


def slow_shares(row: Sequence[float]) -> list[float]:
    top = max(row)
    powers = [math.exp(score - top) if score > -math.inf else 0.0 for score in row]
    return [power / math.fsum(powers) for power in powers]


def slow_attention(Q: Table, K: Table, V: Table, causal: bool) -> tuple[Table, Table]:
    scores = slow_scores(Q, K)
    if causal:
        scores = [
            [score if j <= i else -math.inf for j, score in enumerate(row)]
            for i, row in enumerate(scores)
        ]
    shares = [slow_shares(row) for row in scores]
    context = [
        [math.fsum(a * v[c] for a, v in zip(row, V, strict=True)) for c in range(len(V[0]))]
        for row in shares
    ]
    return context, shares


def slow_multi_head(
    X: Table, weights: list[Table | list[float]], heads: int, causal: bool
) -> Table:
    W_q, b_q, W_k, b_k, W_v, b_v, W_o, b_o = weights
    Q, K, V = (
        slow_project(X, W, b)  # type: ignore[arg-type]
        for W, b in ((W_q, b_q), (W_k, b_k), (W_v, b_v))
    )
    d_k = len(X[0]) // heads
    rows: Table = [[] for _ in X]
    for head in range(heads):
        q, k, v = ([row[head * d_k : (head + 1) * d_k] for row in table] for table in (Q, K, V))
        context, _ = slow_attention(q, k, v, causal)
        for row, part in zip(rows, context, strict=True):
            row.extend(part)
    return slow_project(rows, W_o, b_o)  # type: ignore[arg-type]


def draw_weights(width: int, seed: int) -> list[np.ndarray]:
    generator = RNG(seed)
    return [generator.normal(size=(width,) * (2 - i % 2)) for i in range(8)]


@pytest.mark.parametrize(("n", "d_k"), [(1, 3), (3, 5), (6, 2)])
def test_single_functions_match(n: int, d_k: int) -> None:
    Q, K, V = RNG(n).normal(size=(3, n, d_k))
    scores = reference.FUNCTIONS["attention_scores"](Q, K)
    np.testing.assert_allclose(scores, slow_scores(Q.tolist(), K.tolist()), rtol=1e-12)
    np.testing.assert_allclose(
        reference.FUNCTIONS["attention_weights"](40 * scores),
        [slow_shares(row) for row in (40 * np.asarray(scores)).tolist()],
        rtol=1e-12,
    )
    context, shares = slow_attention(Q.tolist(), K.tolist(), V.tolist(), causal=True)
    got = reference.FUNCTIONS["masked_attention"](Q, K, V)
    np.testing.assert_allclose(got[0], context, rtol=1e-12)
    np.testing.assert_allclose(got[1], shares, rtol=1e-12)


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize(("heads", "n", "width"), SIZES)
def test_multi_head_matches(heads: int, n: int, width: int, causal: bool) -> None:
    X = RNG(n).normal(size=(n, width))
    weights = draw_weights(width, seed=heads)
    got = reference.FUNCTIONS["multi_head_attention"](X, *weights, heads, causal)
    expected = slow_multi_head(X.tolist(), [w.tolist() for w in weights], heads, causal)
    np.testing.assert_allclose(got, expected, rtol=1e-10, atol=1e-12)
