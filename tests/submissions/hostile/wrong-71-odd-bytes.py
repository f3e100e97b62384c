import numpy as np


def attention_scores(Q, K):
    """Not-a-numbers with payloads, in the widest type, with numbers that no processor makes."""
    table = np.empty((len(Q), len(K)), np.longdouble)
    table.view(np.uint8)[...] = 0x7F
    return table


def causal_mask(scores):
    return np.where(np.tri(*scores.shape, dtype=bool), scores, -np.inf)
