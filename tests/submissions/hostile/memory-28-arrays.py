import numpy as np


def attention_scores(Q, K):
    x = []
    while True:
        x.append(np.ones(1 << 20))


def causal_mask(scores):
    return np.where(np.tri(*scores.shape, dtype=bool), scores, -np.inf)
