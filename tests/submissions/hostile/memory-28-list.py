import numpy as np


def attention_scores(Q, K):
    x = [0]
    while True:
        x += x


def causal_mask(scores):
    return np.where(np.tri(*scores.shape, dtype=bool), scores, -np.inf)
