"""Inputs of cases: drawn from the seed, edited, in signature order."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from challenges.cases import arguments_of, prepare
from challenges.figures import FigureError
from challenges.model import Case, Function

REFERENCE: Any = SimpleNamespace(
    FUNCTIONS={"total": lambda A, B, k: (A + B) * k}, FIGURES={"ones": lambda n: np.ones((n, n))}
)
TOTAL = Function.model_validate(
    {
        "name": "total",
        "signature": "total(A, B, k)",
        "purpose": "add",
        "parameters": [{"name": name, "text": name} for name in ("A", "B", "k")],
        "returns": [{"name": "total", "shape": ["n", "n"]}],
    }
)


def case(**inputs: object) -> Case:
    given = {"A": [[1, 2], [3, 4]], "B": {"call": "ones", "arguments": {"n": 2}}, "k": 2}
    return Case.model_validate(
        {
            "id": "c",
            "function": "total",
            "visibility": "hidden",
            "points": "1/3",
            "title": "t",
            "hint": "h",
            "seed": 5,
            "inputs": given | inputs,
        }
    )


def first(given: object) -> np.ndarray:
    argument = arguments_of(case(A=given), TOTAL, REFERENCE)[0]
    assert isinstance(argument, np.ndarray)
    return argument


def test_arguments_come_in_signature_order_and_as_float64() -> None:
    a, b, k = arguments_of(case(), TOTAL, REFERENCE)
    assert isinstance(a, np.ndarray)
    assert a.dtype == np.float64
    assert a.tolist() == [[1, 2], [3, 4]]
    assert isinstance(b, np.ndarray)
    assert b.tolist() == [[1, 1], [1, 1]]
    assert (k, type(k)) == (2, int)


def test_the_reference_gives_what_is_expected() -> None:
    assert prepare(case(), TOTAL, REFERENCE).expected[0].tolist() == [[4, 6], [8, 10]]


def test_a_draw_is_the_generator_s_own() -> None:
    drawn = first({"draw": "normal", "shape": [2, 3], "scale": 10, "shift": 1})
    right = 10 * np.random.default_rng(5).standard_normal((2, 3)) + 1
    assert np.array_equal(drawn, right)


def test_draws_of_one_case_differ_and_are_repeatable() -> None:
    draw = {"draw": "uniform", "shape": [3, 3]}
    a, b, _ = arguments_of(case(A=draw, B=draw), TOTAL, REFERENCE)
    again, *_ = arguments_of(case(A=draw, B=draw), TOTAL, REFERENCE)
    assert not np.array_equal(a, b)
    assert np.array_equal(a, again)


def test_edits_follow_in_order() -> None:
    edited = first(
        {
            "numbers": [[1, 2, 3], [4, 5, 6], [7, 8, 9]],
            "edits": [
                {"where": "above-diagonal", "add": 100},
                {"where": "diagonal", "set": 0},
                {"where": [2, None], "set": -1},
                {"where": [0, 1], "set": float("-inf")},
            ],
        }
    )
    assert edited.tolist() == [[0, -np.inf, 103], [4, 0, 106], [-1, -1, -1]]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ([[1, 2], [3]], "rectangular"),
        ([["a"]], "rectangular"),
        ({"call": "one"}, "did you mean 'ones'"),
        ({"numbers": [[1]], "edits": [{"where": [4, 4], "set": 1}]}, "edit at"),
    ],
)
def test_inputs_that_cannot_be_made_are_named(given: object, words: str) -> None:
    with pytest.raises(FigureError, match=words):
        first(given)


def test_a_reference_that_cannot_calculate_is_named() -> None:
    with pytest.raises(FigureError, match="the reference cannot calculate this case"):
        prepare(case(A=[[1, 2, 3]]), TOTAL, REFERENCE)
