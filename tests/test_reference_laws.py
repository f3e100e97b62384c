"""Laws that attention keeps whatever the numbers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from reference import attention
from reference.multihead import Weights, forward, join, split
from reference.positions import positional_encoding

finite = st.floats(-1e6, 1e6)


def draw(n: int, width: int, seed: int = 0) -> tuple[np.ndarray, Weights]:
    generator = np.random.default_rng(seed)
    weights = Weights(*(generator.normal(size=(width,) * (2 - i % 2)) for i in range(8)))
    return generator.normal(size=(n, width)), weights


@given(hnp.arrays(np.float64, st.tuples(st.integers(1, 6), st.integers(1, 6)), elements=finite))
def test_rows_of_shares_total_one_and_ignore_a_shift(scores: np.ndarray) -> None:
    shares = attention.softmax(scores)
    assert (shares >= 0).all()
    np.testing.assert_allclose(shares.sum(axis=1), 1.0, rtol=1e-12)
    shifted = attention.softmax(scores - scores.min(axis=1, keepdims=True))
    np.testing.assert_allclose(shifted, shares, rtol=1e-6, atol=1e-12)


def test_a_larger_score_gets_a_larger_share() -> None:
    row = np.sort(np.random.default_rng(1).normal(size=6))
    assert (np.diff(attention.softmax(row)) > 0).all()


@pytest.mark.parametrize("extreme", [1e3, 1e6, 1e300])
def test_softmax_of_any_size(extreme: float) -> None:
    rows = np.array([[extreme, 0.0], [-extreme, 0.0], [extreme, extreme], [-np.inf, -extreme]])
    np.testing.assert_array_equal(attention.softmax(rows), [[1, 0], [0, 1], [0.5, 0.5], [0, 1]])


@pytest.mark.parametrize("bad", [[-np.inf, -np.inf], [np.nan, 0.0], [np.inf, 0.0]])
def test_a_row_with_nothing_to_read_is_refused(bad: list[float]) -> None:
    with pytest.raises(ValueError, match="at least one finite score"):
        attention.softmax(np.array([bad]))


@pytest.mark.parametrize("heads", [1, 2, 4])
def test_later_tokens_do_not_change_earlier_rows(heads: int) -> None:
    X, weights = draw(5, 8)
    before, saved = forward(X, weights, heads, causal=True)
    assert not saved.shares[:, *np.triu_indices(5, k=1)].any()
    for changed in range(1, 5):
        other = X.copy()
        other[changed:] += 10.0
        after, _ = forward(other, weights, heads, causal=True)
        np.testing.assert_allclose(after[:changed], before[:changed], rtol=1e-12)
        assert np.abs(after[changed:] - before[changed:]).min(axis=1).max() > 1e-3


@pytest.mark.parametrize("heads", [1, 2, 4])
def test_results_move_with_their_tokens_without_a_mask(heads: int) -> None:
    X, weights = draw(6, 8, seed=2)
    order = np.array([3, 0, 5, 1, 4, 2])
    plain, _ = forward(X, weights, heads)
    moved, _ = forward(X[order], weights, heads)
    np.testing.assert_allclose(moved, plain[order], rtol=1e-12)
    masked, _ = forward(X, weights, heads, causal=True)
    moved_masked, _ = forward(X[order], weights, heads, causal=True)
    assert np.abs(moved_masked - masked[order]).max() > 1e-2


@pytest.mark.parametrize("causal", [False, True])
def test_one_head_is_plain_attention(causal: bool) -> None:
    X, w = draw(3, 4)
    context, _ = attention.attention(
        X @ w.W_q.T + w.b_q, X @ w.W_k.T + w.b_k, X @ w.W_v.T + w.b_v, causal
    )
    output, _ = forward(X, w, 1, causal)
    np.testing.assert_allclose(output, context @ w.W_o.T + w.b_o, rtol=1e-12)


def test_heads_do_not_see_each_other() -> None:
    X, w = draw(5, 6)
    _, before = forward(X, w, 3)
    changed = Weights(**{**vars(w), "W_q": w.W_q.copy()})
    changed.W_q[2:4] += 1.0  # output units 2 and 3 belong to the second of three heads
    _, after = forward(X, changed, 3)
    same = [bool(np.allclose(a, b)) for a, b in zip(before.shares, after.shares, strict=True)]
    assert same == [True, False, True]


def test_one_token_reads_itself() -> None:
    X, w = draw(1, 8)
    output, saved = forward(X, w, 4, causal=True)
    np.testing.assert_array_equal(saved.shares, np.ones((4, 1, 1)))
    np.testing.assert_allclose(output, (X @ w.W_v.T + w.b_v) @ w.W_o.T + w.b_o, rtol=1e-12)


def test_inputs_stay_as_they_were() -> None:
    X, w = draw(4, 8)
    arrays = [X, *(getattr(w, name) for name in Weights.names())]
    before = [array.copy() for array in arrays]
    forward(X, w, 2, causal=True)
    scores = X[:, :4]
    attention.causal_mask(scores)
    for array, old in zip(arrays, before, strict=True):
        np.testing.assert_array_equal(array, old)


@pytest.mark.parametrize("heads", [1, 2, 3, 6])
def test_split_and_join_undo_each_other(heads: int) -> None:
    X, _ = draw(5, 6)
    parts = split(X, heads)
    assert parts.shape == (heads, 5, 6 // heads)
    np.testing.assert_array_equal(parts[-1], X[:, -(6 // heads) :])
    np.testing.assert_array_equal(join(parts), X)


@pytest.mark.parametrize("heads", [0, -1, 4])
def test_a_width_that_does_not_divide_is_refused(heads: int) -> None:
    with pytest.raises(ValueError, match="cannot be shared"):
        split(np.ones((2, 6)), heads)


def test_positions_turn_by_the_same_angle_at_each_step() -> None:
    encoding = positional_encoding(9, 6)
    np.testing.assert_allclose((encoding**2).sum(axis=1), 3.0, rtol=1e-12)
    products = encoding @ encoding.T  # depends on the distance of two positions only
    for distance in range(9):
        diagonal = np.diagonal(products, distance)
        np.testing.assert_allclose(diagonal, diagonal[0], rtol=1e-12)
    with pytest.raises(ValueError, match="even"):
        positional_encoding(3, 5)
