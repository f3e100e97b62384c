import numpy as np


def attention_scores(Q, K):
    import ctypes
    return ctypes.string_at(0)


def causal_mask(scores):
    return np.where(np.tri(*scores.shape, dtype=bool), scores, -np.inf)
