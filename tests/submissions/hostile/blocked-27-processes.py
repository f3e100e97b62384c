import numpy as np


def attention_scores(Q, K):
    import multiprocessing
    with multiprocessing.get_context("fork").Pool(4) as pool:
        return np.array(pool.map(abs, [1, 2, 3]))


def causal_mask(scores):
    return np.where(np.tri(*scores.shape, dtype=bool), scores, -np.inf)
