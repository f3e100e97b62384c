"""The kit's own lesson: complete, with every figure calculated and every formula readable."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from latex2mathml.converter import convert

from challenges.cases import Prepared, prepare
from challenges.figures import FigureCall, evaluate, fill, show
from challenges.load import LESSON_ROOT
from course.lesson import Lesson, load_lesson
from course.model import ChallengeBlock, ExplorerBlock, Quiz, WorkedExample
from course.pointers import LoadedSection


@pytest.fixture(scope="module")
def lesson() -> Lesson:
    return load_lesson(LESSON_ROOT)


# What the lesson must say, worked out by hand from its definition: section → shown figures.
FIGURES = {
    "explorer": ["[1, 0, 0, 0]", "[0, 1, 0, 0]", "[0, 0, 1, 0]", "[0, 0, 0, 1]"],
    "three-roles": ["[1, 0, 0, 0]"],
    "shares": [
        "[1, 0, 1]",
        "[0.5, 0, 0.5]",
        "[0.3837, 0.2327, 0.3837]",
        "[0.7673, 0.2327, 0, 0]",
        "[0, 1, 0]",
        "[0, 0.5, 0]",
        "[0.2741, 0.4519, 0.2741]",
        "[0.5481, 0.4519, 0, 0]",
    ],
    "matrices": [
        "[[1, 0, 1], [0, 1, 0], [1, 0, 1]]",
        "[[0.5, 0, 0.5], [0, 0.5, 0], [0.5, 0, 0.5]]",
        "[[0.3837, 0.2327, 0.3837], [0.2741, 0.4519, 0.2741], [0.3837, 0.2327, 0.3837]]",
        "[[0.7673, 0.2327, 0, 0], [0.5481, 0.4519, 0, 0], [0.7673, 0.2327, 0, 0]]",
        "0.9173",
    ],
    "heads": [
        "[1, 0]",
        "[0, 1]",
        "[0, 0]",
        "[0.7071, 0, 0.7071]",
        "[0.4011, 0.1978, 0.4011]",
        "[0.3333, 0.3333, 0.3333]",
        "[0.8022, 0.1978, 0, 0]",
        "[0.3837, 0.2327, 0.3837]",
        r"\sqrt{2}",
        r"\sqrt{4}",
    ],
    "causal-mask": [
        "[[0.5, −∞, −∞], [0, 0.5, −∞], [0.5, 0, 0.5]]",
        "[[1, 0, 0], [0.3775, 0.6225, 0], [0.3837, 0.2327, 0.3837]]",
        "[[1, 0, 0, 0], [0.3775, 0.6225, 0, 0], [0.7673, 0.2327, 0, 0]]",
        "from 0.4519 to 0.6225",
    ],
    "transformer": [
        "[0.5481, 0.4519, 0, 0]",
        "[0.7673, 0.2327, 0, 0]",
        "[1, 1, 0, 1]",
        "[1.9093, −0.4161, 0.02, 0.9998]",
        "| 0.3349 | 0.4053 | 0.2599 |",
        "| 0.2013 | 0.1547 | 0.6440 |",
        "needs 9 shares",
        "needs 36.",
        "become 4 times",
    ],
}
SECTIONS = [
    "one-summary", "neighbours", "explorer", "three-roles", "shares",
    "matrices", "heads", "causal-mask", "transformer", "build-it",
]  # fmt: skip


def test_ten_sections_ten_questions_three_challenges(lesson: Lesson) -> None:
    assert [s.section.id for s in lesson.sections] == SECTIONS
    assert [(c.challenge.id, c.challenge.points) for c in lesson.challenges] == [
        ("scores", 30),
        ("masking", 30),
        ("multihead", 40),
    ]
    asked = {
        loaded.number: block.questions
        for loaded in lesson.sections
        for block in loaded.section.body
        if isinstance(block, Quiz)
    }
    order = [q.question.id for q in lesson.questions]
    assert asked == {7: order[:5], 9: order[5:]}
    assert len(order) == 10
    assert {q.question.kind for q in lesson.questions} == {
        "true-false",
        "single-choice",
        "several-choices",
        "number",
    }


def test_sections_five_to_nine_open_the_explorer_and_ten_holds_the_challenges(
    lesson: Lesson,
) -> None:
    for loaded in lesson.sections[4:9]:
        links = [b for b in loaded.section.body if isinstance(b, ExplorerBlock)]
        assert links and all(b.link for b in links)
    (explorer,) = (b for b in lesson.sections[2].section.body if isinstance(b, ExplorerBlock))
    assert not explorer.link and len(explorer.walks) == 3
    build_it = lesson.sections[9].section.body
    carried = [b.challenge for b in build_it if isinstance(b, ChallengeBlock)]
    assert carried == ["scores", "masking", "multihead"]


@pytest.mark.parametrize(
    ("section", "figure"), [(s, figure) for s, figures in FIGURES.items() for figure in figures]
)
def test_figure_is_shown(lesson: Lesson, section: str, figure: str) -> None:
    (loaded,) = (s for s in lesson.sections if s.section.id == section)
    assert figure in " ".join("\n".join(_shown(loaded, lesson)).split())


def test_blue_answers_its_number_question(lesson: Lesson) -> None:
    question = lesson.question("blue-masked-share")
    assert show(question.numbers[("answer",)]) == "0.6225"


def test_no_decimal_is_typed_into_prose(lesson: Lesson) -> None:
    typed = [
        (where, text)
        for where, text in [
            *((s.section.id, t) for s in lesson.sections for t in _texts(s.section.model_dump())),
            *((q.question.id, t) for q in lesson.questions for t in _prose(q.question)),
        ]
        if re.search(r"\d[.,]\d", re.sub(r"{{.*?}}", "", text))
    ]
    assert typed == []


def test_every_formula_converts(lesson: Lesson) -> None:
    formulas = []
    for loaded in lesson.sections:
        formulas += _latex(loaded.section.model_dump())
        formulas += _inline("\n".join(_shown(loaded, lesson)))
    for question in lesson.questions:
        formulas += _inline("\n".join(question.texts.values()))
    for challenge in lesson.challenges:
        formulas += _inline(challenge.challenge.prompt + "\n".join(challenge.challenge.hints))
    assert len(formulas) > 60
    for formula in formulas:
        mathml = convert(formula)
        assert mathml.startswith("<math") and "\\" not in mathml, formula


def test_public_cases_carry_one_point_in_five_and_open_with_a_hidden_one(lesson: Lesson) -> None:
    for loaded in lesson.challenges:
        challenge = loaded.challenge
        hidden = {case.id for case in challenge.visible("hidden")}
        public = challenge.visible("public")
        share = sum(case.points for case in public) / Fraction(challenge.points)
        assert Fraction(1, 5) <= share <= Fraction(1, 4)
        assert all(case.only_with in hidden for case in public)


def test_hidden_cases_do_not_give_themselves_away(lesson: Lesson) -> None:
    for loaded in lesson.challenges:
        for case in loaded.challenge.visible("hidden"):
            assert not re.search(r"\d", case.title)
            assert case.reason
        twins = "same-start"  # cases that are meant to begin alike
        seeds = Counter(c.seed for c in loaded.challenge.cases if c.seed and twins not in c.tags)
        assert set(seeds.values()) <= {1}


def test_starters_say_what_to_write(lesson: Lesson) -> None:
    for loaded in lesson.challenges:
        namespace: dict[str, Any] = {}
        exec(loaded.starter, namespace)
        for function in loaded.challenge.functions:
            written = namespace[function.name]
            assert "NumPy" in written.__doc__
            with pytest.raises(NotImplementedError, match=f"^{function.name} is not written yet"):
                written(*range(len(function.parameters)))


def test_an_arithmetic_in_float32_stays_well_within_tolerance(lesson: Lesson) -> None:
    for prepared, tolerance in _prepared(lesson):
        got = _FLOAT32[prepared.function.name](
            *(a.astype(np.float32) if isinstance(a, np.ndarray) else a for a in prepared.arguments)
        )
        for value, right in zip(
            got if isinstance(got, tuple) else (got,), prepared.expected, strict=True
        ):
            finite = np.isfinite(right)
            assert (np.isfinite(value) == finite).all(), prepared.case.id
            allowed = tolerance.absolute + tolerance.relative * abs(right[finite])
            worst = (abs(value[finite] - right[finite]) / allowed).max()
            assert worst < 0.25, f"{prepared.case.id}: {worst:.2f} of the tolerance"


def _prepared(lesson: Lesson) -> Iterator[tuple[Prepared, Any]]:
    for loaded in lesson.challenges:
        challenge = loaded.challenge
        for case in challenge.cases:
            function = challenge.function(case.function)
            yield prepare(case, function, lesson.reference), challenge.tolerance


def _scores32(Q: np.ndarray, K: np.ndarray) -> np.ndarray:
    scores: np.ndarray = Q @ K.T / np.sqrt(np.float32(Q.shape[1]))
    assert scores.dtype == np.float32
    return scores


def _weights32(scores: np.ndarray) -> np.ndarray:
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights: np.ndarray = powers / powers.sum(axis=1, keepdims=True)
    return weights


def _mask32(scores: np.ndarray) -> np.ndarray:
    return np.where(np.tri(len(scores), dtype=bool), scores, np.float32(-np.inf))


def _attention32(Q: np.ndarray, K: np.ndarray, V: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    weights = _weights32(_mask32(_scores32(Q, K)))
    return weights @ V, weights


def _layer32(X: np.ndarray, *rest: Any) -> np.ndarray:
    W_q, b_q, W_k, b_k, W_v, b_v, W_o, b_o, heads, *causal = rest
    attend = _attention32 if causal and causal[0] else _open32
    parts = [np.split(X @ W.T + b, heads, axis=1) for W, b in ((W_q, b_q), (W_k, b_k), (W_v, b_v))]
    joined = np.hstack([attend(Q, K, V)[0] for Q, K, V in zip(*parts, strict=True)])
    output: np.ndarray = joined @ W_o.T + b_o
    return output


def _open32(Q: np.ndarray, K: np.ndarray, V: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    weights = _weights32(_scores32(Q, K))
    return weights @ V, weights


_FLOAT32: dict[str, Any] = {
    "attention_scores": _scores32,
    "attention_weights": _weights32,
    "causal_mask": _mask32,
    "masked_attention": _attention32,
    "multi_head_attention": _layer32,
}


def _shown(loaded: LoadedSection, lesson: Lesson) -> Iterator[str]:
    """Every text of a section with its figures put in, and every shown value."""
    for block in loaded.section.body:
        namespace = dict(loaded.figures)
        if isinstance(block, WorkedExample):
            call = FigureCall(call=block.call, arguments=block.arguments)
            namespace["it"] = call.calculate(lesson.reference)
            for step in block.steps:
                if step.value:
                    yield show(evaluate(step.value, namespace), step.decimals)
        for text in _texts(block.model_dump()):
            yield fill(text, namespace)


def _texts(data: Any) -> Iterator[str]:
    """Every text of a dumped model but LaTeX and code."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict):
        for key, value in data.items():
            if key not in {"latex", "value", "rows", "columns", "call", "id", "kind", "notebook"}:
                yield from _texts(value)
    elif isinstance(data, list):
        for item in data:
            yield from _texts(item)


def _prose(question: Any) -> Iterator[str]:
    yield from _texts(question.model_dump(exclude={"answer", "figures", "variants"}))


def _latex(data: Any) -> list[str]:
    if isinstance(data, dict):
        own = [data["latex"]] if "latex" in data else []
        return own + [found for value in data.values() for found in _latex(value)]
    return [found for item in data for found in _latex(item)] if isinstance(data, list) else []


def _inline(text: str) -> list[str]:
    return re.findall(r"\$([^$\n]+)\$", text)
