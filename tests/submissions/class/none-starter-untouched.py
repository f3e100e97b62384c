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


import numpy as np


def multi_head_attention(
    X, W_q, b_q, W_k, b_k, W_v, b_v, W_o, b_o, num_heads, causal=False
):
    """Run a whole layer: project, split, attend, join, project.

    X: (n, d_model), one token per row.
    W_q, W_k, W_v, W_o: (d_model, d_model), one output unit per row.
    b_q, b_k, b_v, b_o: (d_model,), added to every token.
    num_heads: how many heads share the width; it divides d_model. The
        first head takes the first block of d_model / num_heads columns
        of the queries, keys and values, the second the next, and so on.
    causal: if True, no token reads a later one.
    Returns the output, (n, d_model).
    Use NumPy only, and leave all inputs as they are.
    """
    raise NotImplementedError(
        "multi_head_attention is not written yet: "
        "it should return one output row per token"
    )
