"""Multi-head self-attention with learned projections, forward beside backward.

X holds one token a row: (n, d_model). A weight matrix holds one output unit a row, so projections
use its transpose. Head i owns columns i·d_k to (i+1)·d_k of Q, K and V, with d_k = d_model / heads.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

from .attention import Array, attention, attention_backward


@dataclass(frozen=True)
class Weights:
    """All projections: W_* (d_model, d_model) one output unit a row, b_* (d_model,)."""

    W_q: Array
    b_q: Array
    W_k: Array
    b_k: Array
    W_v: Array
    b_v: Array
    W_o: Array
    b_o: Array

    @classmethod
    def names(cls) -> list[str]:
        """The names in signature order."""
        return [field.name for field in fields(cls)]


@dataclass(frozen=True)
class Saved:
    """What the backward pass reads again."""

    X: Array  # (n, d_model)
    Q: Array  # (h, n, d_k), as are K and V
    K: Array
    V: Array
    shares: Array  # (h, n, n)
    joined: Array  # (n, d_model)


def project(X: Array, W: Array, b: Array) -> Array:
    """X Wᵀ + b: (n, d_in) → (n, d_out)."""
    return X @ W.T + b


def project_backward(d_out: Array, X: Array, W: Array) -> tuple[Array, Array, Array]:
    """(n, d_out) → d_X (n, d_in), d_W (d_out, d_in), d_b (d_out,)."""
    return d_out @ W, d_out.T @ X, d_out.sum(axis=0)


def split(X: Array, heads: int) -> Array:
    """Columns into heads: (n, d_model) → (h, n, d_k). Its backward is `join`."""
    n, width = X.shape
    if heads < 1 or width % heads:
        raise ValueError(f"a width of {width} cannot be shared among {heads} heads")
    return X.reshape(n, heads, width // heads).transpose(1, 0, 2)


def join(H: Array) -> Array:
    """Heads side by side: (h, n, d_k) → (n, d_model). Its backward is `split`."""
    heads, n, d_k = H.shape
    return H.transpose(1, 0, 2).reshape(n, heads * d_k)


def forward(X: Array, weights: Weights, heads: int, causal: bool = False) -> tuple[Array, Saved]:
    """(n, d_model) → output (n, d_model), and what `backward` needs."""
    Q = split(project(X, weights.W_q, weights.b_q), heads)  # (h, n, d_k)
    K = split(project(X, weights.W_k, weights.b_k), heads)
    V = split(project(X, weights.W_v, weights.b_v), heads)
    context, shares = attention(Q, K, V, causal)  # (h, n, d_k), (h, n, n)
    joined = join(context)  # (n, d_model)
    output = project(joined, weights.W_o, weights.b_o)
    return output, Saved(X, Q, K, V, shares, joined)


def backward(
    d_output: Array, saved: Saved, weights: Weights, causal: bool = False
) -> tuple[Array, Weights]:
    """(n, d_model) → d_X (n, d_model), and the derivative of every weight and bias."""
    d_joined, d_W_o, d_b_o = project_backward(d_output, saved.joined, weights.W_o)
    d_context = split(d_joined, len(saved.Q))  # (h, n, d_k)
    d_Q, d_K, d_V = attention_backward(d_context, saved.Q, saved.K, saved.V, saved.shares, causal)
    # X fed three projections, so three derivatives come together in it
    d_X_q, d_W_q, d_b_q = project_backward(join(d_Q), saved.X, weights.W_q)
    d_X_k, d_W_k, d_b_k = project_backward(join(d_K), saved.X, weights.W_k)
    d_X_v, d_W_v, d_b_v = project_backward(join(d_V), saved.X, weights.W_v)
    gradients = Weights(d_W_q, d_b_q, d_W_k, d_b_k, d_W_v, d_b_v, d_W_o, d_b_o)
    return d_X_q + d_X_k + d_X_v, gradients
