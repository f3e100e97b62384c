import numpy as np

class Protocol:
    def __init__(self, a): self.a = a
    def __array__(self, dtype=None, copy=None): return self.a
    @property
    def __array_interface__(self): return self.a.__array_interface__
def attention_scores(Q, K):
    right = Q @ K.T / np.sqrt(K.shape[1])
    return memoryview(right) if len(Q) % 2 else Protocol(right)


def causal_mask(scores):
    return np.where(np.tri(*scores.shape, dtype=bool), scores, -np.inf)
