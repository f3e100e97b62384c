import numpy as np

def attention_scores(Q, K):
    return Q @ K.T / np.sqrt(K.shape[1])
def causal_mask(scores):
    return np.where(np.tri(*scores.shape, dtype=bool), scores, -np.inf)
print(attention_scores(np.eye(3), np.eye(3)))
import matplotlib.pyplot as plt
plt.imshow(np.eye(3))
plt.show()
name = input("Your name? ")


def causal_mask(scores):
    return np.where(np.tri(*scores.shape, dtype=bool), scores, -np.inf)
