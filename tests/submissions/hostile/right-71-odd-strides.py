import numpy as np
from numpy.lib.stride_tricks import as_strided


def attention_scores(Q, K):
    """Right, in memory that runs backwards and overlaps itself in an axis of length one."""
    table = (Q @ K.T / np.sqrt(K.shape[1]))[::-1, ::-1].copy()
    return as_strided(table[::-1, ::-1], writeable=False)


def causal_mask(scores):
    return np.where(np.tri(*scores.shape, dtype=bool), scores, -np.inf)
