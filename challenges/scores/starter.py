import numpy as np


def attention_scores(Q, K):
    """Compare every query with every key, and scale.

    Q: (n, d_k), one query per row.
    K: (n, d_k), one key per row.
    Returns the scaled scores, (n, n): row i belongs to the token that
    gathers, column j to the token that is read.
    Use NumPy only, and leave Q and K as they are.
    """
    raise NotImplementedError(
        "attention_scores is not written yet: "
        "it should return the scaled scores, one row per query"
    )


def attention_weights(scores):
    """Turn each row of scores into shares: softmax of each row by itself.

    scores: (n, n), scaled scores of any size. Some entries may be -inf,
        but never a whole row.
    Returns the shares, (n, n). Every row totals one, and a score of -inf
    gets a share of zero.
    Use NumPy only, and leave scores as they are.
    """
    raise NotImplementedError(
        "attention_weights is not written yet: "
        "it should return the shares, each row totalling one"
    )
