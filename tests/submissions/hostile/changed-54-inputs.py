import numpy as np


def attention_scores(Q, K):
    Q /= np.sqrt(K.shape[1])
    return Q @ K.T


def causal_mask(scores):
    return np.where(np.tri(*scores.shape, dtype=bool), scores, -np.inf)
