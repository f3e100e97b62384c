import numpy as np


def attention_scores(Q, K):
    return np.divide(np.tensordot(Q, K, axes=(1, 1)), np.power(K.shape[1], 0.5))


def attention_weights(scores):
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def causal_mask(scores):
    n = scores.shape[0]
    return np.where(np.triu(np.ones((n, n)), k=1) > 0, -np.inf, scores)


def masked_attention(Q, K, V):
    s = causal_mask(Q @ K.T / np.sqrt(K.shape[1]))
    e = np.exp(s - s.max(axis=1, keepdims=True))
    A = e / e.sum(axis=1, keepdims=True)
    return A @ V, A


def multi_head_attention(X, W_q, b_q, W_k, b_k, W_v, b_v, W_o, b_o, num_heads, causal=False):
    n, d_model = X.shape
    d_k = d_model // num_heads
    Q = X @ W_q.T + b_q
    K = X @ W_k.T + b_k
    V = X @ W_v.T + b_v
    Qh = Q.reshape(n, num_heads, d_k).transpose(1, 0, 2)
    Kh = K.reshape(n, num_heads, d_k).transpose(1, 0, 2)
    Vh = V.reshape(n, num_heads, d_k).transpose(1, 0, 2)
    S = Qh @ Kh.transpose(0, 2, 1) / np.sqrt(d_k)
    if causal:
        S = np.where(np.tril(np.ones((n, n), dtype=bool)), S, -np.inf)
    E = np.exp(S - S.max(axis=-1, keepdims=True))
    A = E / E.sum(axis=-1, keepdims=True)
    heads = A.transpose(0, 2, 1) @ Vh
    concat = heads.transpose(1, 0, 2).reshape(n, d_model)
    return concat @ W_o.T + b_o
