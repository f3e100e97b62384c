"""A mistake that shows in several challenges costs points in the first only."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from challenges.load import LESSON_ROOT
from grader.diagnosis import Diagnoser
from grader.judge import judge
from grader.lesson import GradedLesson, load_graded_lesson
from grader.outcome import Cell, Load
from grader.trial import attempt
from grader.verdict import Verdict

RIGHT = """
import numpy as np
def attention_scores(Q, K):
    return Q @ K.T / np.sqrt(K.shape[1])
def attention_weights(scores):
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)
def causal_mask(scores):
    return np.where(np.tri(len(scores)) > 0, scores, -np.inf)
def masked_attention(Q, K, V):
    A = attention_weights(causal_mask(attention_scores(Q, K)))
    return A @ V, A
def multi_head_attention(X, W_q, b_q, W_k, b_k, W_v, b_v, W_o, b_o, num_heads, causal=False):
    Q, K, V = X @ W_q.T + b_q, X @ W_k.T + b_k, X @ W_v.T + b_v
    results = []
    for q, k, v in zip(*(np.hsplit(M, num_heads) for M in (Q, K, V))):
        s = attention_scores(q, k)
        results.append(attention_weights(causal_mask(s) if causal else s) @ v)
    return np.hstack(results) @ W_o.T + b_o
"""


@pytest.fixture(scope="module")
def lesson() -> GradedLesson:
    return load_graded_lesson(LESSON_ROOT)


@pytest.fixture(scope="module")
def diagnoser(lesson: GradedLesson) -> Diagnoser:
    return Diagnoser.of(lesson)


def graded(
    source: str, lesson: GradedLesson, diagnoser: Diagnoser
) -> tuple[dict[str, Fraction], tuple[Verdict, ...]]:
    """The points of each challenge and all verdicts; our own code, so it may run here."""
    namespace: dict[str, Any] = {}
    exec(source, namespace)
    outcomes = {c.name: attempt(namespace[c.call.function], c.prepared) for c in lesson.cases}
    cells = [Cell("attention.py", source.encode())]
    verdicts = judge(lesson.cases, cells, Load(), outcomes, diagnoser.diagnose)
    points = {c.id: Fraction(0) for c in lesson.challenges}
    for verdict in verdicts:
        points[verdict.challenge] += verdict.earned
    return points, verdicts


def lost(points: dict[str, Fraction], lesson: GradedLesson) -> set[str]:
    return {c.id for c in lesson.challenges if points[c.id] < c.points}


@pytest.mark.parametrize(
    ("before", "after", "challenge"),
    [
        (" / np.sqrt(K.shape[1])", "", "scores"),
        ("np.sqrt(K.shape[1])", "K.shape[1]", "scores"),
        ("Q @ K.T", "K @ Q.T", "scores"),
        ("axis=1, keepdims", "axis=0, keepdims", "scores"),
        (" - scores.max(axis=1, keepdims=True)", "", "scores"),
        ("np.tri(len(scores))", "np.tri(len(scores), k=1)", "masking"),
        ("scores, -np.inf", "scores, 0", "masking"),
        (" + b_v", "", "multihead"),
    ],
)
def test_one_mistake_costs_one_challenge(
    before: str, after: str, challenge: str, lesson: GradedLesson, diagnoser: Diagnoser
) -> None:
    points, verdicts = graded(RIGHT.replace(before, after), lesson, diagnoser)
    assert lost(points, lesson) == {challenge}
    title = next(c.title for c in lesson.challenges if c.id == challenge)
    for verdict in verdicts:
        if verdict.misconception and verdict.challenge != challenge:
            assert verdict.earned == verdict.points
            assert f"“{title}”" in verdict.message


def test_a_second_mistake_costs_points_of_its_own(
    lesson: GradedLesson, diagnoser: Diagnoser
) -> None:
    source = RIGHT.replace(" / np.sqrt(K.shape[1])", "").replace(" + b_v", "")
    points, _ = graded(source, lesson, diagnoser)
    assert lost(points, lesson) == {"scores", "multihead"}
    assert points["multihead"] < 40


def test_a_step_that_is_left_out_is_paid_nowhere(
    lesson: GradedLesson, diagnoser: Diagnoser
) -> None:
    source = RIGHT.replace("return e / e.sum(axis=1, keepdims=True)", "return scores + 0.0")
    points, _ = graded(source, lesson, diagnoser)
    assert lost(points, lesson) == {"scores", "masking", "multihead"}


def test_the_right_solution_is_left_alone(lesson: GradedLesson, diagnoser: Diagnoser) -> None:
    points, verdicts = graded(RIGHT, lesson, diagnoser)
    assert sum(points.values()) == 100
    assert not any(v.misconception or v.message for v in verdicts)
