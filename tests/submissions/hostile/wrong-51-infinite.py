import numpy as np


def attention_scores(Q, K):
    return np.full((len(Q), len(K)), np.inf)


def causal_mask(scores):
    return np.where(np.tri(*scores.shape, dtype=bool), scores, -np.inf)
