import numpy as np


def attention_scores(Q, K):
    return np.ones((1 << 20, 1 << 17))


def causal_mask(scores):
    return np.where(np.tri(*scores.shape, dtype=bool), scores, -np.inf)
