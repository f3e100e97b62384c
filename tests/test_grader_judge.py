"""The judge: its order, its words, and what it keeps to itself about hidden cases."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from challenges.comparison import check_result
from challenges.verdict_tests import verdict_name
from grader.harness import Harness, HarnessError
from grader.judge import _plainly_right, judge
from grader.lesson import GradedCase, GradedLesson, load_graded_lesson
from grader.outcome import Array, Cell, ErrorText, Items, Load, Other, Outcome, Status, Value
from grader.verdict import Kind, Verdict

TINY = Path(__file__).parent / "fixtures" / "tiny"
CELLS = [Cell("smoothing.py", b"def moving_average(values, width):\n    return 1\n")]
SECRET = "np.array([4.71, -1.1])"


@pytest.fixture(scope="module")
def lesson() -> GradedLesson:
    return load_graded_lesson(TINY)


def array(numbers: object, dtype: str = "<f8") -> Array:
    return Array(dtype, np.array(numbers, dtype))


def right(case: GradedCase) -> Value:
    values = [array(e) for e in case.prepared.expected]
    return values[0] if len(values) == 1 else Items("tuple", tuple(values))


def filled(case: GradedCase, number: float) -> Array:
    return array(np.full(case.prepared.expected[0].shape, number))


Given = Callable[[GradedCase], Outcome]


def verdicts(
    lesson: GradedLesson, given: Given, cells: Sequence[Cell] = CELLS, load: Load | None = None
) -> dict[str, Verdict]:
    outcomes = {case.name: given(case) for case in lesson.cases}
    found = judge(lesson.cases, cells, load or Load(), outcomes)
    return {verdict.case: verdict for verdict in found}


def all_right(case: GradedCase) -> Outcome:
    return Outcome("returned", (right(case),) * case.call.repeat)


def returning(value: Value) -> Given:
    return lambda case: Outcome("returned", (value,))


def ending(status: Status, error: ErrorText | None = None) -> Given:
    return lambda case: Outcome(status, error=error)


def test_right_results_earn_all_points(lesson: GradedLesson) -> None:
    found = verdicts(lesson, all_right)
    assert {v.verdict for v in found.values()} == {"pass"}
    assert sum(v.earned for v in found.values()) == lesson.challenges[0].points
    assert all(v.message == "" for v in found.values())


@pytest.mark.parametrize(
    ("given", "kind", "public", "hidden"),
    [
        pytest.param(
            ending("raised", ErrorText("ValueError", SECRET, "smoothing.py", 2)),
            "error",
            f"moving_average raised ValueError: {SECRET} (smoothing.py, line 2)",
            "moving_average raised an exception (ValueError).",
            id="raised",
        ),
        pytest.param(
            ending("raised", ErrorText("Secret_4_71", SECRET, "smoothing.py", 471)),
            "error",
            f"moving_average raised Secret_4_71: {SECRET} (smoothing.py, line 471)",
            "moving_average raised an exception.",
            id="raised-own",
        ),
        pytest.param(
            returning(Other("NoneType")),
            "fail",
            "averages: a numpy.ndarray is asked for; None (is a return missing?) came back.",
            "averages: a numpy.ndarray is asked for; None (is a return missing?) came back.",
            id="none",
        ),
        pytest.param(
            returning(Other("Secret_4_71")),
            "fail",
            "averages: a numpy.ndarray is asked for; a Secret_4_71 came back.",
            "averages: a numpy.ndarray is asked for; something else came back.",
            id="own-type",
        ),
        pytest.param(
            returning(array([2, 5], "<i8")),
            "fail",
            "averages: an array of real floats (float64) is asked for; one of int64 came back",
            "averages: an array of real floats (float64) is asked for; one of int64 came back",
            id="integers",
        ),
        pytest.param(
            returning(array([2.5])),
            "fail",
            "averages: the shape is (1,); (n - width + 1) = (3,) is expected.",
            "averages: the shape is not the (n - width + 1) that is asked for.",
            id="shape",
        ),
        pytest.param(
            lambda case: Outcome("returned", (filled(case, 7.5),)),
            "fail",
            "averages: 3 of 3 entries differ. The worst is at entry 0: got 7.5, expected 2.5.",
            "averages: the type and shape are right, the values are not.",
            id="values",
        ),
        pytest.param(
            lambda case: Outcome("returned", (filled(case, np.nan),)),
            "fail",
            "averages: an entry is nan where a finite number is expected (entry 0).",
            "averages: an entry is nan where a finite number is expected.",
            id="not-finite",
        ),
        pytest.param(
            lambda case: replace(all_right(case), changed=(0,)),
            "fail",
            "moving_average changes its input values: work on a copy.",
            "moving_average changes its input values: work on a copy.",
            id="changed",
        ),
        pytest.param(
            ending("timeout"),
            "timeout",
            "did not finish within",
            "did not finish within",
            id="timeout",
        ),
        pytest.param(ending("memory"), "memory", "1024 MiB", "1024 MiB", id="memory"),
        pytest.param(ending("blocked"), "blocked", "not allowed", "not allowed", id="blocked"),
        pytest.param(ending("crash"), "error", "ended the whole", "ended the whole", id="crash"),
        pytest.param(
            ending("output"), "error", "printed more than", "printed more than", id="output"
        ),
        pytest.param(ending("broken"), "broken", "not your fault", "not your fault", id="broken"),
        pytest.param(
            ending("missing"), "missing", "no function moving_average", "no function", id="missing"
        ),
    ],
)
def test_kinds_and_words(
    lesson: GradedLesson, given: Given, kind: Kind, public: str, hidden: str
) -> None:
    found = verdicts(lesson, given)
    seen, unseen = found["by-hand"], found["drawn-series"]
    assert (seen.verdict, unseen.verdict) == (kind, kind)
    assert seen.earned == unseen.earned == 0
    assert seen.message.startswith(public) or public in seen.message
    assert unseen.message.startswith(hidden) or hidden in unseen.message
    assert not any(secret in unseen.message for secret in ("4.71", "4_71", "471", "48151"))


def test_the_order_stops_at_the_first_fault(lesson: GradedLesson) -> None:
    """Wrong dtype, wrong shape, wrong values and a changed input: only the type is told."""
    found = verdicts(lesson, lambda case: Outcome("returned", (array([1], "<i4"),), changed=(0,)))
    assert "an array of real floats" in found["by-hand"].message
    assert "shape" not in found["by-hand"].message


def test_several_values_are_asked_for_by_name(lesson: GradedLesson) -> None:
    one = verdicts(lesson, returning(array([1.0])))["range-by-hand"]
    assert one.message.startswith("2 values are asked for (low, high); a numpy.ndarray came back.")
    listed = verdicts(lesson, returning(Items("list", (array([1.0]),) * 2)))["range-by-hand"]
    assert "a list came back" in listed.message
    three = verdicts(lesson, returning(Items("tuple", (array([1.0]),) * 3)))["range-by-hand"]
    assert "3 values came back" in three.message


def test_another_result_when_asked_again(lesson: GradedLesson) -> None:
    def given(case: GradedCase) -> Outcome:
        wrong = array(case.prepared.expected[0] + 1.0)
        return Outcome("returned", (right(case), wrong))

    message = verdicts(lesson, given)["by-hand"].message
    assert message.startswith("Called 2 times with the same inputs, the result changes. ")


def test_points_that_count_only_together(lesson: GradedLesson) -> None:
    tied = [
        replace(
            case,
            prepared=replace(
                case.prepared,
                case=case.prepared.case.model_copy(
                    update={"only_with": "drawn-series" if case.name.endswith("by-hand") else None}
                ),
            ),
        )
        for case in lesson.cases
        if case.call.function == "moving_average"
    ]
    outcomes = {case.name: all_right(case) for case in tied}
    assert [v.earned for v in judge(tied, CELLS, Load(), outcomes)] == [2, 3]
    outcomes[tied[1].name] = Outcome("timeout")
    first, second = judge(tied, CELLS, Load(), outcomes)
    assert (first.verdict, second.verdict) == ("pass", "timeout")
    assert first.earned == 0
    assert "count only once the function is right for other inputs too" in first.message


def test_why_a_function_is_missing(lesson: GradedLesson) -> None:
    misspelt = [Cell("smoothing.py", b"def moving_averages(values, width):\n    pass\n")]
    found = verdicts(lesson, ending("missing"), misspelt)["by-hand"]
    assert found.verdict == "missing"
    assert found.message.endswith("There is one named moving_averages: is that it?")
    failed = Load(cells=(ErrorText("SyntaxError", "invalid syntax", "smoothing.py", 3),))
    found = verdicts(lesson, ending("missing"), CELLS, failed)["by-hand"]
    assert found.verdict == "error"
    assert found.message == (
        "moving_average could not be used, because smoothing.py could not be run to its end: "
        "SyntaxError: invalid syntax (line 3)"
    )
    slow = Load(cells=(ErrorText("timeout", "Took longer than 3 s to run."),))
    assert verdicts(lesson, ending("missing"), CELLS, slow)["by-hand"].verdict == "timeout"


@pytest.mark.parametrize("scale", [0.0, 1e-9, 1e-7, 9.9e-7, 1.01e-6, 1e-3, np.inf, np.nan])
@pytest.mark.parametrize("where", [(0, 0), (0, 1), (1, 1)])
def test_the_short_way_agrees_with_the_long_one(
    lesson: GradedLesson, scale: float, where: tuple[int, int]
) -> None:
    expected = np.array([[3.0, -np.inf], [0.0, 2e5]])
    case = lesson.cases[0]
    case = replace(case, prepared=replace(case.prepared, expected=(expected,)))
    got = expected.copy()
    with np.errstate(invalid="ignore"):
        got[where] = got[where] * (1 + scale) + scale * 1e-3
        short = _plainly_right(case, array(got))
    tolerance = case.challenge.tolerance
    problem = check_result(
        got,
        (expected,),
        [("x", "(n, n)")],
        relative=tolerance.relative,
        absolute=tolerance.absolute,
    )
    assert short == (problem is None)


def test_otter_grants_what_the_judge_does(lesson: GradedLesson) -> None:
    harness = Harness(lesson.challenges)
    outcomes = {case.name: all_right(case) for case in lesson.cases}
    outcomes[lesson.cases[1].name] = Outcome("timeout")
    found = judge(lesson.cases, CELLS, Load(), outcomes)
    granted = [verdict_name(v.challenge, v.case) for v in found if v.earned]
    earned = float(sum(v.earned for v in found))
    for _ in range(2):  # the second time, from what is remembered
        harness.confirm(granted, earned)
        with pytest.raises(HarnessError, match="not the judge's"):
            harness.confirm(granted, earned + 1)
        with pytest.raises(HarnessError, match="not the judge's"):
            harness.confirm(granted[1:], earned)
        with pytest.raises(HarnessError, match="not the judge's"):
            harness.confirm(granted, float("nan"))


def test_a_case_that_is_changed_forgets_what_was_judged(lesson: GradedLesson) -> None:
    case = lesson.cases[0]
    outcome = all_right(case)
    others = tuple(expected + 1 for expected in case.prepared.expected)
    changed = replace(case, prepared=replace(case.prepared, expected=others))
    for one, kind in ((case, "pass"), (changed, "fail")) * 2:
        (verdict,) = judge([one], CELLS, Load(), {one.name: outcome})
        assert verdict.verdict == kind
