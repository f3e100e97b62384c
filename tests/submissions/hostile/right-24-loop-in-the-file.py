import numpy as np

def attention_scores(Q, K):
    return Q @ K.T / np.sqrt(K.shape[1])
def causal_mask(scores):
    return np.where(np.tri(*scores.shape, dtype=bool), scores, -np.inf)
while True:
    pass


def causal_mask(scores):
    return np.where(np.tri(*scores.shape, dtype=bool), scores, -np.inf)
