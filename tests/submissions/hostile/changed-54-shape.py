import numpy as np


def attention_scores(Q, K):
    right = Q @ K.T / np.sqrt(K.shape[1])
    K.shape = (-1,)
    return right


def causal_mask(scores):
    return np.where(np.tri(*scores.shape, dtype=bool), scores, -np.inf)
