"""Backward passes against finite differences, with a random upstream gradient."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from reference import attention
from reference.multihead import Weights, backward, forward

STEP = 1e-6


def numerical(loss: Callable[[np.ndarray], float], at: np.ndarray) -> np.ndarray:
    """Central differences of `loss` for every entry of `at`."""
    gradient = np.empty_like(at)
    for index in np.ndindex(at.shape):
        up, down = at.copy(), at.copy()
        up[index] += STEP
        down[index] -= STEP
        gradient[index] = (loss(up) - loss(down)) / (2 * STEP)
    return gradient


def close(got: np.ndarray, expected: np.ndarray) -> None:
    assert np.abs(expected).max() > 1e-3  # a gradient of zeros would prove nothing
    np.testing.assert_allclose(got, expected, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("name", ["X", *Weights.names()])
@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("heads", [1, 2, 4])
def test_multi_head_gradient(heads: int, causal: bool, name: str) -> None:
    n, width = 3, 8  # n, d_model, every d_k and the head counts differ (8, 4, 2)
    generator = np.random.default_rng(heads)
    X, upstream = generator.normal(size=(2, n, width))
    weights = Weights(*(generator.normal(scale=0.5, size=(width,) * (2 - i % 2)) for i in range(8)))
    _, saved = forward(X, weights, heads, causal)
    d_X, d_weights = backward(upstream, saved, weights, causal)

    def loss(value: np.ndarray) -> float:
        if name == "X":
            output, _ = forward(value, weights, heads, causal)
        else:
            output, _ = forward(X, replace(weights, **{name: value}), heads, causal)
        return float((output * upstream).sum())

    expected = numerical(loss, X if name == "X" else getattr(weights, name))
    got = d_X if name == "X" else getattr(d_weights, name)
    if name == "b_k":
        # a key bias raises every score of a row alike, and softmax does not see that
        np.testing.assert_allclose(got, 0.0, atol=1e-12)
        np.testing.assert_allclose(expected, 0.0, atol=1e-7)
    else:
        close(got, expected)


@pytest.mark.parametrize("which", [0, 1, 2])
@pytest.mark.parametrize("causal", [False, True])
def test_attention_gradient(causal: bool, which: int) -> None:
    generator = np.random.default_rng(7)
    inputs = generator.normal(size=(3, 5, 2))
    upstream = generator.normal(size=(5, 2))

    def loss(value: np.ndarray) -> float:
        q, k, v = (value if i == which else inputs[i] for i in range(3))
        return float((attention.attention(q, k, v, causal)[0] * upstream).sum())

    Q, K, V = inputs
    _, shares = attention.attention(Q, K, V, causal)
    got = attention.attention_backward(upstream, Q, K, V, shares, causal)
    close(got[which], numerical(loss, inputs[which]))


def test_softmax_gradient_matches_the_jacobian() -> None:
    generator = np.random.default_rng(3)
    row, upstream = generator.normal(size=(2, 5))
    shares = attention.softmax(row)
    jacobian = np.diag(shares) - np.outer(shares, shares)
    close(attention.softmax_backward(upstream, shares), jacobian @ upstream)


def test_nothing_passes_back_when_the_arriving_derivative_is_the_same_along_a_row() -> None:
    shares = attention.softmax(np.random.default_rng(4).normal(size=(3, 5)))
    same = np.repeat([[2.0], [-1.0], [0.5]], 5, axis=1)
    np.testing.assert_allclose(attention.softmax_backward(same, shares), 0.0, atol=1e-15)


def test_a_blocked_score_gets_no_gradient() -> None:
    d_masked = np.random.default_rng(5).normal(size=(4, 4))
    np.testing.assert_array_equal(attention.causal_mask_backward(d_masked), np.tril(d_masked))
