"""The audit: clean on the lesson, and it speaks up when a case is weakened."""

from __future__ import annotations

import ast
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import reference
from challenges.load import LESSON_ROOT
from grader.__main__ import main
from grader.audit.bench import Bench, benches
from grader.audit.command import _case_problems, _stub_problems
from grader.audit.matrix import escaping_pairs, fault_matrix
from grader.audit.mutants import CHANGES, mutants
from grader.audit.stubs import stubs
from grader.diagnosis import Diagnoser
from grader.lesson import GradedLesson, load_graded_lesson

TINY = Path(__file__).parent / "fixtures" / "tiny"


@pytest.fixture(scope="module")
def lesson() -> GradedLesson:
    return load_graded_lesson(LESSON_ROOT)


def without(lesson: GradedLesson, *ids: str) -> GradedLesson:
    """The lesson with some cases dropped."""
    kept = tuple(case for case in lesson.cases if case.prepared.case.id not in ids)
    assert len(kept) == len(lesson.cases) - len(ids)
    return replace(lesson, cases=kept)


@pytest.mark.campaign
def test_the_lesson_is_clean(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit"]) == 0
    shown = capsys.readouterr().out
    assert "60 stored implementations: 48 wrong, 48 of them named" in shown
    assert "Clean" in shown
    assert "●" in shown
    assert "scores/wrong-scale-by-n, attention_scores" in shown


def test_a_lesson_without_faults_can_be_audited(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "--lesson", str(TINY), "--brief"]) in {0, 1}
    assert "mutants of the reference" in capsys.readouterr().out


@pytest.mark.parametrize("function", ["attention_scores", "attention_weights", "causal_mask"])
def test_small_functions_are_clean(function: str, lesson: GradedLesson) -> None:
    bench, diagnoser = Bench(lesson, function), Diagnoser.of(lesson)
    matrix = fault_matrix(bench, diagnoser)
    assert len(matrix.rows) > 20
    assert matrix.problems == []
    assert list(escaping_pairs(bench, diagnoser)) == []


def test_every_stub_earns_nothing(lesson: GradedLesson) -> None:
    for bench in benches(lesson).values():
        tried = list(stubs(bench))
        assert len(tried) > 10
        assert [(bench.function, name) for name, got in tried if bench.points(got)] == []


def test_the_right_function_earns_everything_on_the_bench(lesson: GradedLesson) -> None:
    earned = Fraction(0)
    for name, bench in benches(lesson).items():
        right = reference.FUNCTIONS[name]
        earned += bench.points(bench.outcomes(right))
        assert bench.passes_all(right)
        assert not bench.differs(right)
    assert earned == 100


def test_a_dropped_case_lets_a_fault_escape(lesson: GradedLesson) -> None:
    weak = without(lesson, "shares-of-large-scores", "shares-of-uneven-rows")
    matrix = fault_matrix(Bench(weak, "attention_weights"), Diagnoser.of(weak))
    escaped = [text for text in matrix.problems if "passes all cases" in text]
    assert any("maximum-not-subtracted" in text for text in escaped)


def test_points_without_a_partner_are_a_stubs_gain(lesson: GradedLesson) -> None:
    cases = tuple(
        replace(case, prepared=replace(case.prepared, case=free))
        for case in lesson.cases
        for free in [case.prepared.case.model_copy(update={"only_with": None})]
    )
    found = list(_stub_problems(Bench(replace(lesson, cases=cases), "causal_mask")))
    assert any("input 1 returned" in text and "earns" in text for text in found)
    assert any("by their inputs" in text for text in found)


def test_a_case_that_adds_nothing_must_say_why_it_stays(lesson: GradedLesson) -> None:
    bench, diagnoser = Bench(lesson, "causal_mask"), Diagnoser.of(lesson)
    matrix = fault_matrix(bench, diagnoser)
    assert matrix.dominated
    assert list(_case_problems(matrix)) == []
    bench.cases = [
        replace(case, prepared=replace(case.prepared, case=bare))
        for case in bench.cases
        for bare in [case.prepared.case.model_copy(update={"reason": ""})]
    ]
    assert len(list(_case_problems(matrix))) == len(matrix.dominated)


def test_mutants_are_put_back() -> None:
    def run() -> object:
        return reference.FUNCTIONS["attention_weights"](np.array([[1.0, 2.0], [0.5, 0.0]]))

    right = run()
    found = list(mutants(reference, run))
    different = 0
    for mutant in found:
        with mutant.in_place():
            try:
                different += not np.array_equal(np.asarray(run()), np.asarray(right))
            except Exception:
                different += 1
        np.testing.assert_array_equal(np.asarray(run()), np.asarray(right))
    assert len(found) > 20
    assert different > len(found) / 2
    assert {mutant.function.__name__ for mutant in found} == {"attention_weights", "softmax"}


@pytest.mark.parametrize(
    ("source", "changed"),
    [
        ("a - b", {"a + b", "b - a", "a", "b"}),
        ("a < b", {"a <= b", "a >= b"}),
        ("-a", {"a"}),
        ("True", {"False"}),
        ("2", {"3", "1"}),
        ("f(a, b)", {"a", "f(b, a)", "f(a)"}),
        ("a.sum(axis=1)", {"a", "a.sum()"}),
        ("a.T", {"a"}),
        ("a[1:2]", {"a[:2]", "a[1:]"}),
        ("a if b else c", {"a", "c", "c if b else a"}),
        ("a and b", {"a or b"}),
    ],
)
def test_operators(source: str, changed: set[str]) -> None:
    node = ast.parse(source, mode="eval").body
    made = [new for kind, of in CHANGES.items() if isinstance(node, kind) for _, new in of(node)]
    assert {ast.unparse(ast.fix_missing_locations(new)) for new in made} == changed
