import numpy as np


def attention_scores(Q, K):
    return __import__('functools').reduce(lambda a, _: [a], range(10**5), [])


def causal_mask(scores):
    return np.where(np.tri(*scores.shape, dtype=bool), scores, -np.inf)
