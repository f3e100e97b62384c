import numpy as np


def attention_scores(Q, K):
    if len(Q) % 2:
        return np.zeros(3, dtype=[("a", "f8"), ("b", "O")])
    return np.zeros((3, 3), dtype=np.dtype("f8", metadata={"x": print}))


def causal_mask(scores):
    return np.where(np.tri(*scores.shape, dtype=bool), scores, -np.inf)
