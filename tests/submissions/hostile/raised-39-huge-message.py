import numpy as np


def attention_scores(Q, K):
    raise ValueError('x' * 10**8)


def causal_mask(scores):
    return np.where(np.tri(*scores.shape, dtype=bool), scores, -np.inf)
