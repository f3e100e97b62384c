import numpy as np


def causal_mask(scores):
    """Block the future: set the scores of later positions to -inf.

    scores: (n, n), row i belongs to the token that gathers, column j to
        the token that is read.
    Returns a new array, (n, n): -inf wherever j is later than i, and the
    score itself everywhere else.
    Use NumPy only, and leave scores as they are.
    """
    raise NotImplementedError(
        "causal_mask is not written yet: "
        "it should return a new array with later positions at -inf"
    )


def masked_attention(Q, K, V):
    """Let each token gather from itself and from earlier tokens only.

    Q, K, V: (n, d_k) each, one query, key and value per row.
    Returns two arrays, in this order: the context, (n, d_k), and the
    shares behind it, (n, n).
    Use NumPy only, and leave Q, K and V as they are.
    """
    raise NotImplementedError(
        "masked_attention is not written yet: "
        "it should return the context and the shares"
    )
