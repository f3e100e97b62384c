"""Every stored variant by the name of its mistake: none misnamed, right ones left alone.

The variants run here in this process: they are our own files, and what is tested is the naming.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import reference
from challenges.cases import Prepared, prepare
from challenges.faults import FaultTexts, load_faults
from challenges.load import LESSON_ROOT, load_challenges
from grader.agreement import agree
from grader.diagnosis import Diagnoser, Diagnosis
from grader.outcome import Cell, Outcome
from grader.trial import attempt

VARIANTS = Path(__file__).parent / "submissions" / "variants"
FILES = sorted(VARIANTS.glob("*/*.py"))
NAMED = {
    "masking/wrong-att-elementwise-with-V": "combined-entry-by-entry",
    "masking/wrong-att-mask-before-transposed-scores": "scores-transposed",
    "masking/wrong-att-masks-keys": "mask-on-queries-or-keys",
    "masking/wrong-att-masks-only-output": "mask-not-used-for-context",
    "masking/wrong-att-masks-values": "mask-on-values",
    "masking/wrong-att-returns-three": "returns-three",
    "masking/wrong-att-running-mean": "equal-shares",
    "masking/wrong-att-scale-by-dk": "scale-without-root",
    "masking/wrong-att-scale-missing": "scale-missing",
    "masking/wrong-att-softmax-columns": "softmax-over-columns",
    "masking/wrong-att-weights-transposed": "shares-turned-for-combining",
    "masking/wrong-mask-1e-9-fill": "mask-zero-fill",
    "masking/wrong-mask-leaks-next-token": "mask-starts-too-late",
    "masking/wrong-mask-returns-bool": "mask-alone-returned",
    "masking/wrong-mask-returns-weights": "mask-goes-on",
    "masking/wrong-mask-rows-broadcast": "mask-not-a-triangle",
    "multihead/wrong-bias-k-for-q": "biases-exchanged",
    "multihead/wrong-causal-always": "causal-always",
    "multihead/wrong-causal-flag-inverted": "causal-flag-inverted",
    "multihead/wrong-causal-on-heads-axis": "mask-over-heads",
    "multihead/wrong-first-head-repeated": "first-head-repeated",
    "multihead/wrong-head-size-fixed-2": "head-size-fixed",
    "multihead/wrong-heads-averaged": "heads-averaged",
    "multihead/wrong-input-in-place": "sign: inputs-changed",
    "multihead/wrong-input-split-before-projection": "input-split-before-projection",
    "multihead/wrong-output-projection-before-concat": "output-projection-per-head",
    "multihead/wrong-scores-transposed": "scores-transposed",
    "multihead/wrong-slice-off-by-one": "head-slices-off-by-one",
    "multihead/wrong-softmax-missing": "softmax-missing",
    "multihead/wrong-weight-columns-sliced": "weights-not-transposed",
    "multihead/wrong-weights-o-not-transposed": "output-weights-not-transposed",
    "multihead/wrong-weights-transposed": "shares-turned-for-combining",
    "scores/wrong-einsum-wrong-letters": "scores-transposed",
    "scores/wrong-only-matching-pairs": "only-matching-pairs",
    "scores/wrong-scale-by-n": "scale-by-token-count",
    "scores/wrong-scale-by-n-times-d": "scale-by-size",
    "scores/wrong-scale-fourth-root-once": "scale-fourth-root",
    "scores/wrong-scale-global-dk": "scale-fixed",
    "scores/wrong-scale-multiplied": "scale-multiplied",
    "scores/wrong-scale-precedence": "scale-precedence",
    "scores/wrong-scores-already-softmaxed": "scores-go-on-to-shares",
    "scores/wrong-scores-hard-coded-answer": "sign: constant",
    "scores/wrong-scores-loop-short": "loop-leaves-tokens-out",
    "scores/wrong-sigmoid-instead-of-softmax": "sigmoid-for-softmax",
    "scores/wrong-softmax-float16": "half-precision",
    "scores/wrong-softmax-keepdims-max": "maximum-lost-its-axis",
    "scores/wrong-softmax-not-normalised": "shares-not-divided",
    "scores/wrong-transpose-missing": "transpose-missing",
}
"""Each wrong variant's fault in the first of its functions that is wrong."""


@pytest.fixture(scope="module")
def texts() -> FaultTexts:
    loaded, findings = load_faults(LESSON_ROOT, reference)
    assert findings == []
    return loaded


@pytest.fixture(scope="module")
def diagnoser(texts: FaultTexts) -> Diagnoser:
    loaded, findings = load_challenges(LESSON_ROOT, reference)
    assert findings == []
    challenges = [item.challenge for item in loaded]
    prepared: dict[str, list[Prepared]] = {}
    for challenge in challenges:
        for case in challenge.cases:
            ready = prepare(case, challenge.function(case.function), reference)
            prepared.setdefault(case.function, []).append(ready)
    return Diagnoser(challenges, prepared, reference, texts)


def functions_of(source: str) -> dict[str, Callable[..., Any]]:
    namespace: dict[str, Any] = {}
    exec(compile(source, "attention.py", "exec"), namespace)
    return namespace


def diagnose(
    source: str, diagnoser: Diagnoser
) -> tuple[dict[str, list[tuple[Outcome, bool]]], dict[str, Diagnosis]]:
    """The outcome and pass of every case, and what is said about each function."""
    namespace = functions_of(source)
    tried: dict[str, list[tuple[Outcome, bool]]] = {}
    for function in diagnoser.prepared:
        if function in namespace:
            table = diagnoser.table(function)
            outcomes = [attempt(namespace[function], case) for case in table.cases]
            tried[function] = [
                (outcome, agree(outcome, right, table.tolerance) and not outcome.changed)
                for outcome, right in zip(outcomes, table.right, strict=True)
            ]
    return tried, diagnoser.diagnose([Cell("attention.py", source.encode())], tried)


def test_the_list_of_variants_is_whole() -> None:
    wrong = {str(f.relative_to(VARIANTS).with_suffix("")) for f in FILES if "wrong" in f.name}
    assert wrong == NAMED.keys()
    assert len(FILES) == 60


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_variant(file: Path, diagnoser: Diagnoser, texts: FaultTexts) -> None:
    tried, said = diagnose(file.read_text("utf-8"), diagnoser)
    failed = [name for name, cases in tried.items() if not all(ok for _, ok in cases)]
    if file.name.startswith("right"):
        assert not failed
        assert not said
        return
    first = said[failed[0]]
    expected = NAMED[f"{file.parent.name}/{file.stem}"]
    if expected.startswith("sign: "):
        sign = next(o for o in texts.observations if o.sign == expected.removeprefix("sign: "))
        assert (first.student, first.faults) == (sign.student, ())
    else:
        assert first.faults == ((expected,),)
        assert texts.faults[expected].name in first.student
    for later in failed[1:]:
        assert said[later].builds_on == failed[0]
        assert said[later].faults == ()


MASKED = """
import numpy as np
def masked_attention(Q, K, V):
    s = {scores}
    s = np.where(np.triu(np.ones(s.shape), k={k}) > 0, -np.inf, s)
    e = np.exp(s - s.max(axis=1, keepdims=True))
    a = e / e.sum(axis=1, keepdims=True)
    return a @ V, a
"""


def test_two_mistakes_are_both_named(diagnoser: Diagnoser) -> None:
    _, said = diagnose(MASKED.format(scores="Q @ K.T", k=2), diagnoser)
    assert said["masked_attention"].faults == (("scale-missing",), ("mask-starts-too-late",))
    assert said["masked_attention"].student.startswith("Two mistakes at once.")


SHARES_BY_COLUMN = """
import numpy as np
def attention_weights(scores):
    e = np.exp(scores - scores.max(axis=0, keepdims=True))
    return e / e.sum(axis=0, keepdims=True)
"""


def test_the_root_is_named_once_and_what_comes_on_top_by_itself(diagnoser: Diagnoser) -> None:
    source = (
        SHARES_BY_COLUMN
        + """
def helper(Q, K, V):
    s = Q @ K.T / K.shape[1]
    a = attention_weights(np.where(np.tri(len(Q)) > 0, s, -np.inf))
    return a @ V, a
def masked_attention(Q, K, V):
    return helper(Q, K, V)
"""
    )
    _, said = diagnose(source, diagnoser)
    assert said["attention_weights"].faults == (("softmax-over-columns",),)
    later = said["masked_attention"]
    assert later.builds_on == "attention_weights"
    assert later.faults == (("scale-without-root",),)


def test_an_independent_mistake_is_not_blamed_on_a_function_that_is_only_mentioned(
    diagnoser: Diagnoser,
) -> None:
    source = SHARES_BY_COLUMN + MASKED.format(scores="Q @ K.T", k=1).replace(
        "return a @ V, a", "unused = attention_weights(s); return a @ V, a"
    )
    _, said = diagnose(source, diagnoser)
    assert said["masked_attention"].faults == (("scale-missing",),)
    assert said["masked_attention"].builds_on == ""


def test_exceptions_alone_are_given_no_name(diagnoser: Diagnoser) -> None:
    source = "def attention_scores(Q, K):\n    return Q.no_such_thing\n"
    tried, said = diagnose(source, diagnoser)
    assert {outcome.status for outcome, _ in tried["attention_scores"]} == {"raised"}
    assert said == {}


def test_nonsense_is_given_no_name(diagnoser: Diagnoser) -> None:
    source = (
        "import numpy as np\n"
        "def attention_scores(Q, K):\n"
        "    return np.sin(Q @ K.T) * 1.7 + np.arange(len(Q)) ** 1.3\n"
    )
    _, said = diagnose(source, diagnoser)
    assert said == {}


@pytest.mark.parametrize(
    ("body", "sign"),
    [
        ("np.random.default_rng().random((len(Q), len(Q)))", "repeat-differs"),
        ("Q @ K.T / np.sqrt(K.shape[1]) * 1.37", "constant-ratio"),
        ("Q @ K.T / np.sqrt(K.shape[1]) - 0.21", "constant-difference"),
        ("Q @ K.T / np.sqrt(K.shape[1]) * (1 + 1e-4 * np.arange(len(Q)))", "nearly-right"),
        ("np.roll(Q @ K.T / np.sqrt(K.shape[1]), 1, axis=0)", "rearranged"),
    ],
)
def test_signs(body: str, sign: str, diagnoser: Diagnoser, texts: FaultTexts) -> None:
    _, said = diagnose(
        f"import numpy as np\ndef attention_scores(Q, K):\n    return {body}\n", diagnoser
    )
    words: dict[str, str] = {o.sign: o.student for o in texts.observations}
    assert said["attention_scores"].student == words[sign]


def test_a_leak_that_no_fault_explains(diagnoser: Diagnoser, texts: FaultTexts) -> None:
    source = MASKED.format(scores="Q @ K.T / np.sqrt(K.shape[1])", k=1).replace(
        "return a @ V, a", "return a @ V + 0.013 * V[-1], a"
    )
    _, said = diagnose(source, diagnoser)
    words: dict[str, str] = {o.sign: o.student for o in texts.observations}
    assert said["masked_attention"].student == words["first-rows-differ"]
