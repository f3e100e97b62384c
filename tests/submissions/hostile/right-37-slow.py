import numpy as np


def attention_scores(Q, K):
    n, d = Q.shape
    out = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            for _ in range(20):
                out[i, j] = sum(Q[i, c] * K[j, c] for c in range(d)) / np.sqrt(d)
    return out


def causal_mask(scores):
    return np.where(np.tri(*scores.shape, dtype=bool), scores, -np.inf)
