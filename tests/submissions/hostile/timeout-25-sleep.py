import numpy as np


def attention_scores(Q, K):
    import time
    time.sleep(3600)


def causal_mask(scores):
    return np.where(np.tri(*scores.shape, dtype=bool), scores, -np.inf)
