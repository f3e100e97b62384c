import numpy as np

import builtins, gc, random, sys, warnings
warnings.simplefilter("error")
np.seterr(all="raise")
np.set_printoptions(precision=1, threshold=1)
np.random.seed(0)
random.seed(0)
gc.disable()
sys.setrecursionlimit(50)
sys.excepthook = sys.displayhook = sys.unraisablehook = lambda *a: None
builtins.len_ = len


def attention_scores(Q, K):
    return Q @ K.T / np.sqrt(K.shape[1])


def causal_mask(scores):
    return np.where(np.tri(*scores.shape, dtype=bool), scores, -np.inf)
