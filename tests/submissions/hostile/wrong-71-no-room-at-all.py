import numpy as np


def attention_scores(Q, K):
    """An array of no bytes with sides beyond counting."""
    return np.broadcast_to(np.empty((0, 1)), (0, 1 << 39))


def causal_mask(scores):
    return np.where(np.tri(*scores.shape, dtype=bool), scores, -np.inf)
