import numpy as np


def softmax(table):
    shifted = table - table.max(axis=-1, keepdims=True)
    powers = np.exp(shifted)
    return powers / powers.sum(axis=-1, keepdims=True)


def attention_scores(Q, K):
    return Q @ K.T / np.sqrt(Q.shape[-1])


def attention_weights(scores):
    return softmax(scores + np.random.default_rng().normal(size=scores.shape))


def causal_mask(scores):
    masked = scores.copy()
    masked[np.triu_indices_from(masked, k=1)] = -np.inf
    return masked


def masked_attention(Q, K, V):
    weights = softmax(causal_mask(attention_scores(Q, K)))
    return weights @ V, weights


def multi_head_attention(X, W_q, b_q, W_k, b_k, W_v, b_v, W_o, b_o, num_heads, causal=False):
    Q, K, V = X @ W_q.T + b_q, X @ W_k.T + b_k, X @ W_v.T + b_v
    results = []
    for q, k, v in zip(*(np.split(A, num_heads, axis=1) for A in (Q, K, V))):
        scores = attention_scores(q, k)
        results.append(softmax(causal_mask(scores) if causal else scores) @ v)
    return np.hstack(results) @ W_o.T + b_o
