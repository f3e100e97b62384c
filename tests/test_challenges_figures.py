"""Figures in prose: calculated, shown as a reader expects, and safe."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from challenges.figures import FigureCall, FigureError, evaluate, fill, show

FIGURES: dict[str, Any] = {"red": {"shares": np.array([[0.38365, 0.23270], [0.5, 0.5]])}}


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.383651, "0.3837"),
        (0.5, "0.5"),
        (1.0, "1"),
        (np.cos(2.0), "−0.4161"),
        (-1e-12, "0"),
        (-np.inf, "−∞"),
        (np.inf, "∞"),
        (9, "9"),
        (np.array([1.0, 0.25]), "[1, 0.25]"),
        (["red", "blue"], "[red, blue]"),
    ],
)
def test_numbers_are_shown_rounded_with_a_real_minus(value: object, text: str) -> None:
    assert show(value) == text


def test_decimals_are_the_author_s_choice() -> None:
    assert fill("{{ red.shares[0][0] | fig(2) }}", FIGURES) == "0.38"


def test_prose_without_figures_is_left_as_it_is() -> None:
    assert fill("d_{k} and {x}", FIGURES) == "d_{k} and {x}"


@pytest.mark.parametrize(
    "text",
    [
        "{{ green.shares }}",
        "{{ red.share }}",
        "{{ red.shares[7][0] }}",
        "{{ red.shares",
        "{{ red.shares | figg }}",
        "{{ red.__class__.__mro__ }}",
        "{{ ().__class__.__base__.__subclasses__() }}",
    ],
)
def test_a_figure_that_is_not_there_or_not_safe_is_an_error(text: str) -> None:
    with pytest.raises(FigureError):
        fill(text, FIGURES)


def test_expressions_give_values() -> None:
    assert evaluate("red.shares[0][1]", FIGURES) == pytest.approx(0.2327)
    with pytest.raises(FigureError):
        evaluate("red.sharez", FIGURES)
    with pytest.raises(FigureError):
        evaluate("red.shares[", FIGURES)


def test_an_unknown_calculation_suggests_a_known_one() -> None:
    reference: Any = SimpleNamespace(FIGURES={"colour_attention": dict})
    with pytest.raises(FigureError, match="did you mean 'colour_attention'"):
        FigureCall(call="color_attention").calculate(reference)


def test_arguments_that_do_not_fit_are_an_error_not_a_crash() -> None:
    reference: Any = SimpleNamespace(FIGURES={"double": lambda x: 2 * x})
    with pytest.raises(FigureError, match="double cannot be calculated"):
        FigureCall(call="double", arguments={"y": 1}).calculate(reference)
