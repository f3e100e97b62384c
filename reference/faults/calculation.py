"""The lesson's calculation once more, taken apart into steps that a fault may replace.

`reference.attention` and `reference.multihead` are the plain reading; this one exists to be got
wrong. A *form* of a fault maps names of steps to other functions. Forms that touch different steps
can be on together. With none on, the results equal the reference's.
"""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np

Step = Callable[..., Any]
Form = dict[str, Step]


class Work(SimpleNamespace):
    """What the steps of one call can see; `do` runs another step by its name."""

    def do(self, step: str, *values: Any) -> Any:
        return self.steps[step](self, *values)


def turned(array: Any) -> Any:
    """The last two axes exchanged."""
    return np.swapaxes(array, -1, -2)


def later(n: int, offset: int = 1) -> Any:
    """True where the column is at least `offset` after the row: (n, n)."""
    return np.triu(np.ones((n, n), dtype=bool), k=offset)


def _masked(w: Work, scores: Any) -> Any:
    if not w.do("flag"):
        return scores
    return w.do("fill", scores, w.do("hidden", scores.shape[-1]))


def _softmax(w: Work, scores: Any) -> Any:
    powers = w.do("power", scores - w.do("shift", scores))
    return powers / w.do("total", powers)


def _split(w: Work, projected: Any, role: str) -> Any:
    return projected.reshape(w.n, w.heads, w.d_k).transpose(1, 0, 2)


def _join(w: Work, parts: Any) -> Any:
    heads, n, d_k = parts.shape
    return parts.transpose(1, 0, 2).reshape(n, heads * d_k)


def _project(w: Work, role: str) -> Any:
    return w.do("affine", w.X, w.do(f"weight_{role}"), w.do(f"bias_{role}"))


STEPS: dict[str, Step] = {
    "begin": lambda w: None,
    # projections; a weight step gives the matrix as it stands right of X
    "weight_q": lambda w: w.W_q.T,
    "weight_k": lambda w: w.W_k.T,
    "weight_v": lambda w: w.W_v.T,
    "weight_o": lambda w: w.W_o.T,
    "bias_q": lambda w: w.b_q,
    "bias_k": lambda w: w.b_k,
    "bias_v": lambda w: w.b_v,
    "bias_o": lambda w: w.b_o,
    "affine": lambda w, x, matrix, bias: x @ matrix + bias,
    "project_q": lambda w: _project(w, "q"),
    "project_k": lambda w: _project(w, "k"),
    "project_v": lambda w: _project(w, "v"),
    "count": lambda w: w.heads,
    "width": lambda w: w.d_model // w.heads,
    "split": _split,
    # one head, or all of them along the first axis
    "compare": lambda w, Q, K: Q @ turned(K),
    "scale": lambda w, raw: raw / np.sqrt(w.d_k),
    "default": lambda w: False,
    "flag": lambda w: w.causal,
    "unasked": lambda w: None,  # does nothing: marks the functions that mask without a flag
    "hidden": lambda w, n: later(n),
    "fill": lambda w, scores, hidden: np.where(hidden, -np.inf, scores),
    "mask": _masked,
    "shift": lambda w, scores: scores.max(axis=-1, keepdims=True),
    "power": lambda w, shifted: np.exp(shifted),
    "total": lambda w, powers: powers.sum(axis=-1, keepdims=True),
    "softmax": _softmax,
    "after": lambda w, shares: shares,
    "combine": lambda w, shares, V: shares @ V,
    # heads together again
    "join": _join,
    "output": lambda w, joined: w.do("affine", joined, w.do("weight_o"), w.do("bias_o")),
    # what each function gives back
    "give_scores": lambda w, scores: scores,
    "give_weights": lambda w, shares: shares,
    "give_mask": lambda w, masked: masked,
    "give_attention": lambda w, context, shares: (context, shares),
    "give_heads": lambda w, output: output,
}


def _attend(w: Work) -> Any:
    """Q, K, V of the work → context; what was on the way stays in the work."""
    w.scaled = w.do("scale", w.do("compare", w.Q, w.K))
    w.masked = w.do("mask", w.scaled)
    w.shares = w.do("after", w.do("softmax", w.masked))
    return w.do("combine", w.shares, w.V)


def attention_scores(w: Work, Q: Any, K: Any) -> Any:
    w.Q, w.K, w.n, w.d_k, w.causal = Q, K, Q.shape[0], Q.shape[1], False
    w.do("begin")
    return w.do("give_scores", w.do("scale", w.do("compare", w.Q, w.K)))


def attention_weights(w: Work, scores: Any) -> Any:
    w.given, w.n, w.causal = scores, len(scores), False
    w.do("begin")
    return w.do("give_weights", w.do("after", w.do("softmax", w.given)))


def causal_mask(w: Work, scores: Any) -> Any:
    w.given, w.n, w.causal = scores, len(scores), True
    w.do("begin")
    return w.do("give_mask", w.do("mask", w.given))


def masked_attention(w: Work, Q: Any, K: Any, V: Any) -> Any:
    w.Q, w.K, w.V, w.n, w.d_k, w.causal = Q, K, V, Q.shape[0], Q.shape[1], True
    w.do("begin")
    context = _attend(w)
    return w.do("give_attention", context, w.shares)


def multi_head_attention(w: Work, X: Any, *rest: Any) -> Any:
    *weights, w.heads, w.causal = rest if len(rest) == 10 else (*rest, w.do("default"))
    w.X, (w.n, w.d_model) = X, X.shape
    for name, value in zip(("q", "k", "v", "o"), weights[::2], strict=True):
        setattr(w, f"W_{name}", value)
    for name, value in zip(("q", "k", "v", "o"), weights[1::2], strict=True):
        setattr(w, f"b_{name}", value)
    w.do("begin")
    w.heads = w.do("count")
    w.d_k = w.do("width")
    w.Q = w.do("split", w.do("project_q"), "q")
    w.K = w.do("split", w.do("project_k"), "k")
    w.V = w.do("split", w.do("project_v"), "v")
    return w.do("give_heads", w.do("output", w.do("join", _attend(w))))


_SHARING = {"shift", "power", "total", "softmax", "after"}
_MASKING = {"hidden", "fill", "mask"}
_ATTENDING = {"compare", "scale", "combine"} | _SHARING | _MASKING
_LAYER = {
    "begin",
    "default",
    "flag",
    "affine",
    "count",
    "width",
    "split",
    "join",
    "output",
    "give_heads",
}
_HEADS = {name for name in STEPS if name.startswith(("weight_", "bias_", "project_"))}
FUNCTIONS: dict[str, tuple[Callable[..., Any], set[str]]] = {
    "attention_scores": (attention_scores, {"begin", "compare", "scale", "give_scores"}),
    "attention_weights": (attention_weights, {"begin", "give_weights"} | _SHARING),
    "causal_mask": (causal_mask, {"begin", "unasked", "give_mask"} | _MASKING),
    "masked_attention": (masked_attention, {"begin", "unasked", "give_attention"} | _ATTENDING),
    "multi_head_attention": (
        multi_head_attention,
        _LAYER | _HEADS | _ATTENDING,
    ),
}
"""The functions that students write, each with the steps that it runs."""


def calculate(function: str, *forms: Form) -> Callable[..., Any]:
    """A student function with the given forms of faults on; KeyError for an unknown name."""
    body, _ = FUNCTIONS[function]
    steps = dict(STEPS)
    for form in forms:
        steps.update(form)

    def faulty(*arguments: Any) -> Any:
        with np.errstate(all="ignore"):
            return body(Work(steps=steps, function=function), *arguments)

    return faulty
