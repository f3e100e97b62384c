"""The functions that students write, with their exact signatures."""

from __future__ import annotations

from . import attention
from .attention import Array
from .multihead import Weights, forward


def attention_scores(Q: Array, K: Array) -> Array:
    """(n, d_k), (n, d_k) → scaled scores (n, n)."""
    return attention.scores(Q, K)


def attention_weights(scores: Array) -> Array:
    """(n, n) → shares (n, n): softmax of each row."""
    return attention.softmax(scores)


def causal_mask(scores: Array) -> Array:
    """(n, n) → a new array with later positions −∞."""
    return attention.causal_mask(scores)


def masked_attention(Q: Array, K: Array, V: Array) -> tuple[Array, Array]:
    """Three (n, d_k) → context (n, d_k), weights (n, n)."""
    return attention.attention(Q, K, V, causal=True)


def multi_head_attention(
    X: Array,
    W_q: Array,
    b_q: Array,
    W_k: Array,
    b_k: Array,
    W_v: Array,
    b_v: Array,
    W_o: Array,
    b_o: Array,
    num_heads: int,
    causal: bool = False,
) -> Array:
    """X (n, d_model), W_* (d_model, d_model), b_* (d_model,) → (n, d_model)."""
    weights = Weights(W_q, b_q, W_k, b_k, W_v, b_v, W_o, b_o)
    output, _ = forward(X, weights, num_heads, causal)
    return output
