import sys

import numpy as np

seen = []


def hook(event, arguments):
    seen.append(event)
    if event in {"sys._getframe", "os.fork", "socket.connect"}:
        raise RuntimeError("no")


sys.addaudithook(hook)


def attention_scores(Q, K):
    return Q @ K.T / np.sqrt(K.shape[1])


def causal_mask(scores):
    return np.where(np.tri(*scores.shape, dtype=bool), scores, -np.inf)
