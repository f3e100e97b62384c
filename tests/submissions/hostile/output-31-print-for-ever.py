import numpy as np


def attention_scores(Q, K):
    while True:
        print('x' * 1000)


def causal_mask(scores):
    return np.where(np.tri(*scores.shape, dtype=bool), scores, -np.inf)
