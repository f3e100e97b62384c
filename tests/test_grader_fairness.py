"""Full marks for every right implementation, whatever its style; ties at the tolerance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import reference
from challenges.load import LESSON_ROOT
from grader.audit.bench import Bench
from grader.judge import judge
from grader.lesson import GradedLesson, load_graded_lesson
from grader.outcome import Array, Items, Load, Outcome, Value

SCORES = {
    "a power": "return Q @ K.T * K.shape[1] ** -0.5",
    "einsum": "return np.einsum('id,jd->ij', Q, K) / np.sqrt(Q.shape[1])",
    "inner": "return np.inner(Q, K) / math.sqrt(len(Q[0]))",
    "a list of lists": (
        "return np.array([[np.dot(q, k) / math.sqrt(len(k)) for k in K] for q in Q])"
    ),
    "both sides scaled": "d = Q.shape[1] ** 0.25\nreturn (Q / d) @ (K / d).T",
    "the transpose transposed": "return (K @ Q.T).T / np.sqrt(K.shape[-1])",
    "Fortran order": "return np.asfortranarray(Q @ K.T / np.sqrt(K.shape[1]))",
    "a read-only view": "s = Q @ K.T / np.sqrt(K.shape[1])\ns.flags.writeable = False\nreturn s[:]",
    "strides": "return (Q @ K.T / np.sqrt(K.shape[1]))[::-1][::-1]",
    "float32": "return Q.astype('f4') @ K.astype('f4').T / np.sqrt(np.float32(K.shape[1]))",
    "long double": "return np.longdouble(Q) @ np.longdouble(K).T / np.sqrt(K.shape[1])",
}
SHARES = {
    "log-sum-exp": "return np.exp(scores - np.logaddexp.reduce(scores, axis=1, keepdims=True))",
    "columns of the transpose": (
        "s = scores.T\ne = np.exp(s - s.max(axis=0))\nreturn (e / e.sum(axis=0)).T"
    ),
    "rows one by one": (
        "out = np.empty_like(scores)\nfor i, row in enumerate(scores):\n"
        "    e = np.exp(row - row.max())\n    out[i] = e / e.sum()\nreturn out"
    ),
    "plain Python": (
        "rows = []\nfor row in scores.tolist():\n    top = max(row)\n"
        "    e = [math.exp(s - top) for s in row]\n    rows.append([p / math.fsum(e) for p in e])\n"
        "return np.array(rows)"
    ),
    "apply_along_axis": (
        "def share(r):\n    e = np.exp(r - r.max())\n    return e / e.sum()\n"
        "return np.apply_along_axis(share, 1, scores)"
    ),
    "float32": (
        "s = scores.astype('f4')\ne = np.exp(s - s.max(axis=1, keepdims=True))\n"
        "return e / e.sum(axis=1, keepdims=True)"
    ),
    "a tiny number against zero": (
        "e = np.exp(scores - scores.max(axis=1, keepdims=True))\n"
        "return e / (e.sum(axis=1, keepdims=True) + 1e-12)"
    ),
    "two steps of exp": (
        "s = scores - scores.max(axis=1, keepdims=True)\n"
        "return np.exp(s - np.log(np.exp(s).sum(axis=1, keepdims=True)))"
    ),
}
MASKS = {
    "a loop": (
        "out = scores.copy()\nfor i in range(len(out)):\n    out[i, i + 1:] = -np.inf\nreturn out"
    ),
    "indices": "out = np.array(scores)\nout[np.triu_indices(len(out), 1)] = -np.inf\nreturn out",
    "a sum": "return scores + np.triu(np.full(scores.shape, -np.inf), 1)",
    "a list": (
        "n = len(scores)\nreturn np.array([[scores[i, j] if j <= i else -math.inf"
        " for j in range(n)] for i in range(n)])"
    ),
    "putmask": (
        "out = scores.copy()\nnp.putmask(out, np.tri(*out.shape) == 0, -np.inf)\nreturn out"
    ),
    "float32": "return np.where(np.tri(len(scores)) > 0, scores, -np.inf).astype('f4')",
}
ATTENTION = {
    "row by row": (
        "n, d = Q.shape\nA, C = np.zeros((n, n)), np.zeros(V.shape)\nfor i in range(n):\n"
        "    s = K[: i + 1] @ Q[i] / np.sqrt(d)\n    e = np.exp(s - s.max())\n"
        "    A[i, : i + 1] = e / e.sum()\n    C[i] = A[i] @ V\nreturn C, A"
    ),
    "values first": (
        "s = np.where(np.tri(len(Q)) > 0, Q @ K.T / np.sqrt(K.shape[1]), -np.inf)\n"
        "e = np.exp(s - s.max(axis=1, keepdims=True))\nt = e.sum(axis=1, keepdims=True)\n"
        "return (e @ V) / t, e / t"
    ),
    "turned twice": (
        "s = np.where(np.tri(len(Q)).T > 0, K @ Q.T / np.sqrt(K.shape[1]), -np.inf)\n"
        "e = np.exp(s - s.max(axis=0))\nA = (e / e.sum(axis=0)).T\nreturn (V.T @ A.T).T, A"
    ),
}
LAYER = {
    "a loop over heads": """n, d = X.shape
w = d // num_heads
Q, K, V = (X @ W.T + b for W, b in ((W_q, b_q), (W_k, b_k), (W_v, b_v)))
Z = np.zeros((n, d))
for h in range(num_heads):
    c = slice(h * w, (h + 1) * w)
    s = Q[:, c] @ K[:, c].T / np.sqrt(w)
    if causal:
        s[np.triu_indices(n, 1)] = -np.inf
    e = np.exp(s - s.max(axis=1, keepdims=True))
    Z[:, c] = e / e.sum(axis=1, keepdims=True) @ V[:, c]
return Z @ W_o.T + b_o""",
    "without the key's bias": """n, d = X.shape
w = d // num_heads
cut = lambda M: np.stack(np.split(M, num_heads, axis=1))
Q, K, V = cut(X @ W_q.T + b_q), cut(X @ W_k.T), cut(X @ W_v.T + b_v)
s = np.einsum('hid,hjd->hij', Q, K) / np.sqrt(w)
s = np.where(np.tri(n, dtype=bool) | (not causal), s, -np.inf)
e = np.exp(s - s.max(axis=-1, keepdims=True))
A = e / e.sum(axis=-1, keepdims=True)
return np.concatenate(list(A @ V), axis=1) @ W_o.T + b_o""",
    "weights scaled beforehand": """n, d = X.shape
w = d // num_heads
Q = (X @ W_q.T + b_q) * w ** -0.5
K, V = X @ W_k.T + b_k, X @ W_v.T + b_v
parts = []
for q, k, v in zip(*(np.hsplit(M, num_heads) for M in (Q, K, V))):
    s = q @ k.T + (np.triu(np.full((n, n), -np.inf), 1) if causal else 0)
    a = np.exp(s - np.logaddexp.reduce(s, axis=1, keepdims=True))
    parts.append(a @ v)
return np.hstack(parts) @ W_o.T + b_o""",
}
STYLES = {
    "attention_scores": ("Q, K", SCORES),
    "attention_weights": ("scores", SHARES),
    "causal_mask": ("scores", MASKS),
    "masked_attention": ("Q, K, V", ATTENTION),
    "multi_head_attention": (
        "X, W_q, b_q, W_k, b_k, W_v, b_v, W_o, b_o, num_heads, causal=False",
        LAYER,
    ),
}


@pytest.fixture(scope="module")
def lesson() -> GradedLesson:
    return load_graded_lesson(LESSON_ROOT)


def made(function: str, body: str) -> Callable[..., Any]:
    """The function with this body; our own code, so it may run here."""
    parameters, _ = STYLES[function]
    lines = "\n    ".join(body.split("\n"))
    namespace: dict[str, Any] = {}
    exec(
        f"import math\nimport numpy as np\ndef {function}({parameters}):\n    {lines}\n", namespace
    )
    result: Callable[..., Any] = namespace[function]
    return result


@pytest.mark.parametrize(
    ("function", "style"),
    [(function, style) for function, (_, styles) in STYLES.items() for style in styles],
)
def test_full_marks(function: str, style: str, lesson: GradedLesson) -> None:
    bench = Bench(lesson, function)
    outcomes = bench.outcomes(made(function, STYLES[function][1][style]))
    failed = [n for n, ok in zip(bench.names, bench.passes(outcomes), strict=True) if not ok]
    assert failed == []
    assert bench.points(outcomes) == sum(case.prepared.case.points for case in bench.cases)


def test_a_matrix_is_refused_with_words(lesson: GradedLesson) -> None:
    bench = Bench(lesson, "attention_scores")
    body = "return np.matrix(Q) * np.matrix(K).T / np.sqrt(K.shape[1])"
    with pytest.warns(PendingDeprecationWarning):
        outcomes = bench.outcomes(made("attention_scores", body))
    named = {c.name: outcome for c, outcome in zip(bench.cases, outcomes, strict=True)}
    verdicts = judge(bench.cases, (), Load(), named)
    assert {v.verdict for v in verdicts} <= {"fail", "error"}
    assert "numpy.matrix" in verdicts[0].message


def shifted(value: Value, by: float, relative: bool) -> Value:
    if isinstance(value, Items):
        return Items(value.kind, tuple(shifted(item, by, relative) for item in value.items))
    assert isinstance(value, Array)
    data = np.asarray(value.data, np.float64)
    data = data * (1 + by) if relative else data + by
    return Array(value.dtype, data)


@pytest.mark.parametrize(
    ("by", "relative", "passes"),
    [
        (0.9e-6, True, True),
        (-0.9e-6, True, True),
        (2e-6, True, False),
        (-2e-6, True, False),
        (0.9e-8, False, True),
        (-0.9e-8, False, True),
    ],
)
def test_the_boundary_of_the_tolerance(
    by: float, relative: bool, passes: bool, lesson: GradedLesson
) -> None:
    """A value that is 1e-6 of itself off, or 1e-8, still counts; twice that does not."""
    for function in STYLES:
        bench = Bench(lesson, function)
        right = bench.outcomes(reference.FUNCTIONS[function])
        moved = [
            replace(o, values=tuple(shifted(v, by, relative) for v in o.values)) for o in right
        ]
        assert all(bench.passes(moved)) is passes, function


def test_absolute_tolerance_alone_decides_where_zero_is_expected(lesson: GradedLesson) -> None:
    bench = Bench(lesson, "attention_scores")
    case = next(c for c in bench.cases if (c.prepared.expected[0] == 0).any())
    where = tuple(np.argwhere(case.prepared.expected[0] == 0)[0])
    for error, kind in ((0.99e-8, "pass"), (1.01e-8, "fail")):
        wrong = case.prepared.expected[0].copy()
        wrong[where] = error
        outcome = Outcome("returned", (Array("<f8", wrong),) * case.prepared.case.repeat)
        assert judge([case], (), Load(), {case.name: outcome})[0].verdict == kind
