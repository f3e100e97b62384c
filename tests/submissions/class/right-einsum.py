import numpy as np


def attention_scores(Q, K):
    return Q @ K.T / np.sqrt(K.shape[1])


def attention_weights(scores):
    def row(r):
        e = np.exp(r - r.max())
        return e / e.sum()
    return np.apply_along_axis(row, 1, scores)


def causal_mask(scores):
    n = scores.shape[0]
    with np.errstate(divide='ignore'):
        return scores + np.log(np.tri(n))


def masked_attention(Q, K, V):
    s = causal_mask(Q @ K.T / np.sqrt(K.shape[1]))
    e = np.exp(s - s.max(axis=1, keepdims=True))
    A = e / e.sum(axis=1, keepdims=True)
    return A @ V, A


def multi_head_attention(X, W_q, b_q, W_k, b_k, W_v, b_v, W_o, b_o, num_heads, causal=False):
    n, d = X.shape
    w = d // num_heads
    def heads(W, b):
        return np.einsum('nd,hwd->hnw', X, W.reshape(num_heads, w, d)) + b.reshape(num_heads, 1, w)
    q, k, v = heads(W_q, b_q), heads(W_k, b_k), heads(W_v, b_v)
    s = np.einsum('hiw,hjw->hij', q, k) / np.sqrt(w)
    if causal:
        s = s + np.triu(np.full((n, n), -np.inf), 1)
    a = np.exp(s - np.logaddexp.reduce(s, axis=-1, keepdims=True))
    return np.einsum('hij,hjw,ohw->io', a, v, W_o.reshape(d, num_heads, w)) + b_o
