import numpy as np


def attention_scores(Q, K):
    return np.divide(np.tensordot(Q, K, axes=(1, 1)), np.power(K.shape[1], 0.5))


def attention_weights(scores):
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)
