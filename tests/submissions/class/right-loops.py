import numpy as np


def attention_scores(Q, K):
    n, d = Q.shape
    out = np.empty((n, n))
    for i in range(n):
        for j in range(n):
            total = 0.0
            for c in range(d):
                total += Q[i, c] * K[j, c]
            out[i, j] = total / d ** 0.5
    return out


def attention_weights(scores):
    out = np.empty(scores.shape, dtype=float)
    for i in range(scores.shape[0]):
        m = max(scores[i])
        e = [np.exp(v - m) for v in scores[i]]
        out[i] = [v / sum(e) for v in e]
    return out


def causal_mask(scores):
    n = scores.shape[0]
    row, col = np.arange(n)[:, None], np.arange(n)[None, :]
    out = scores.astype(float)
    out[col > row] = -np.inf
    return out


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
    S = Kh @ Qh.transpose(0, 2, 1) / np.sqrt(d_k)
    if causal:
        S = np.where(np.triu(np.ones((n, n), dtype=bool)), S, -np.inf)
    E = np.exp(S - S.max(axis=1, keepdims=True))
    A = E / E.sum(axis=1, keepdims=True)
    heads = A.transpose(0, 2, 1) @ Vh
    concat = heads.transpose(1, 0, 2).reshape(n, d_model)
    return concat @ W_o.T + b_o
