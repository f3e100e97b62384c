"""The judge's order, its words, and the edge of the tolerance."""

import numpy as np
import pytest

from challenges.comparison import Problem, check_result

SCORES = np.array([[0.5, -np.inf], [0.25, 1.0]])
ONE = [("scores", "(n, n)")]
PAIR = [("context", "(n, d_k)"), ("weights", "(n, n)")]


def compare(got: object, right: np.ndarray = SCORES, *, hidden: bool = False) -> Problem | None:
    return check_result(got, (right,), ONE, relative=1e-6, absolute=1e-8, show_values=not hidden)


def message(problem: Problem | None) -> str:
    assert problem is not None
    return problem.message


def test_equal_arrays_pass_with_equal_infinities() -> None:
    assert compare(SCORES.copy()) is None


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.longdouble, ">f8"])
def test_every_real_float_type_passes_when_its_values_do(dtype: object) -> None:
    assert compare(SCORES.astype(np.dtype(dtype))) is None  # type: ignore[call-overload]


@pytest.mark.parametrize("order", ["F", "C"])
def test_memory_order_and_read_only_do_not_matter(order: str) -> None:
    array = np.asarray(SCORES, order=order)  # type: ignore[call-overload]
    array.flags.writeable = False
    assert compare(array) is None


@pytest.mark.parametrize(
    ("got", "words"),
    [
        (None, "None (is a return missing?)"),
        ([[0.5, 0.1], [0.2, 1.0]], "a list"),
        (0.5, "a plain number"),
        (np.float64(0.5), "a float64"),
        (np.zeros((2, 2)).view(np.matrix), "a numpy.matrix"),
        ((SCORES,), "a tuple"),
        ("0.5", "text"),
    ],
)
def test_anything_but_an_array_is_named(got: object, words: str) -> None:
    problem = compare(got)
    assert problem is not None
    assert problem.kind == "type"
    assert problem.message.startswith("scores: a numpy.ndarray is asked for")
    assert words in problem.message


@pytest.mark.parametrize("dtype", ["int64", "bool", "complex128", "object"])
def test_an_array_of_no_real_floats_is_named(dtype: str) -> None:
    problem = compare(np.zeros((2, 2)).astype(dtype))
    assert problem is not None
    assert (problem.kind, dtype in problem.message) == ("type", True)


def test_a_shape_that_would_broadcast_is_wrong() -> None:
    assert message(compare(np.zeros((1, 2)))) == (
        "scores: the shape is (1, 2); (n, n) = (2, 2) is expected."
    )
    assert "2" not in message(compare(np.zeros((1, 2)), hidden=True))


@pytest.mark.parametrize(
    ("got", "words"),
    [
        ([[np.nan, -np.inf], [0.25, 1.0]], "an entry is nan where a finite number is expected"),
        ([[np.inf, -np.inf], [0.25, 1.0]], "an entry is ∞ where a finite number is expected"),
        ([[0.5, np.inf], [0.25, 1.0]], "an entry is ∞ where −∞ is expected"),
        ([[0.5, np.nan], [0.25, 1.0]], "an entry is nan where −∞ is expected"),
    ],
)
def test_not_finite_comes_before_values(got: list[list[float]], words: str) -> None:
    problem = compare(np.array(got))
    assert problem is not None
    assert problem.kind == "not-finite"
    assert words in problem.message


def test_nan_never_equals_nan() -> None:
    assert compare(np.array([[np.nan]]), np.array([[np.nan]])) is not None


def test_a_finite_number_in_place_of_infinity_is_a_wrong_value() -> None:
    problem = compare(np.array([[0.5, -1e9], [0.25, 1.0]]))
    assert problem is not None
    assert problem.kind == "values"
    assert "row 0, column 1: got -1e+09, expected −∞" in problem.message


def test_the_worst_entry_is_shown_and_counted() -> None:
    got = SCORES.copy()
    got[0, 0], got[1, 0] = 0.75, 1.25
    assert message(compare(got)) == (
        "scores: 2 of 4 entries differ. The worst is at row 1, column 0: got 1.25, expected 0.25."
    )


def test_hidden_cases_show_no_number() -> None:
    for got in (SCORES + 0.25, np.full((2, 2), np.nan), np.zeros((3, 3))):
        text = message(compare(got, hidden=True))
        assert not any(character.isdigit() for character in text), text


@pytest.mark.parametrize("right", [0.0, 1.0, -1.0, 1024.0])
def test_the_edge_of_the_tolerance_belongs_to_the_student(right: float) -> None:
    # Powers of two, so that the sums below are exact in binary.
    relative, absolute = 2.0**-20, 2.0**-30
    edge = abs(right) * relative + absolute
    expected = (np.array([[right]]),)

    def passes(got: float) -> bool:
        value = np.array([[got]])
        return check_result(value, expected, ONE, relative=relative, absolute=absolute) is None

    assert passes(right + edge)
    assert passes(right - edge)
    assert not passes(np.nextafter(right + edge, np.inf))
    assert not passes(np.nextafter(right - edge, -np.inf))


def test_several_values_are_asked_for_by_name() -> None:
    right = (np.zeros((2, 3)), np.eye(2))

    def compare_pair(got: object) -> Problem | None:
        return check_result(got, right, PAIR, relative=1e-6, absolute=1e-8)

    assert compare_pair(right) is None
    assert message(compare_pair((*right, 1))) == (
        "2 values are asked for (context, weights); 3 values came back."
    )
    assert "a numpy.ndarray came back" in message(compare_pair(right[0]))
    assert "a list came back" in message(compare_pair(list(right)))
    assert message(compare_pair((right[0], np.eye(2) * 2))).startswith("weights: 2 of 4")
    assert message(compare_pair(right[::-1])).startswith("context: the shape is (2, 2)")
