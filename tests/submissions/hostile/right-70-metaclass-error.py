import numpy as np

class Meta(type):
    __name__ = property(lambda cls: 1 / 0)
    def __instancecheck__(cls, other): return True
class Odd(metaclass=Meta):
    def __getattribute__(self, name): raise SystemExit
def attention_scores(Q, K):
    try:
        Odd().x
    except BaseException:
        pass
    return Q @ K.T / np.sqrt(K.shape[1])


def causal_mask(scores):
    return np.where(np.tri(*scores.shape, dtype=bool), scores, -np.inf)
