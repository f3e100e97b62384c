import numpy as np


def attention_scores(Q, K):
    raise ValueError("\x1b[31m<img src=x onerror=alert(1)>\n=HYPERLINK(\"http://x\")\0\ud800\u202e")


def causal_mask(scores):
    return np.where(np.tri(*scores.shape, dtype=bool), scores, -np.inf)
