"""Make a case's inputs from its YAML, and ask the reference what is expected of them."""

from __future__ import annotations

from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

from challenges.figures import FigureCall, FigureError
from challenges.model import Case, Draw, Edit, Function, Input, Numbers

Argument = np.ndarray | float | int | bool


@dataclass(frozen=True)
class Prepared:
    """A case ready to run: positional arguments, and the expected arrays (none for a law)."""

    case: Case
    function: Function
    arguments: tuple[Argument, ...]
    expected: tuple[np.ndarray, ...]


def prepare(case: Case, function: Function, reference: ModuleType) -> Prepared:
    """Inputs in signature order and the reference's result; raises FigureError."""
    arguments = arguments_of(case, function, reference)
    if function.name not in reference.FUNCTIONS:
        raise FigureError(f"the reference has no function '{function.name}'")
    copies = [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]
    try:
        result = reference.FUNCTIONS[function.name](*copies)
    except Exception as error:
        raise FigureError(f"the reference cannot calculate this case: {error}") from error
    expected = result if isinstance(result, tuple) else (result,)
    if len(expected) != len(function.returns):
        raise FigureError(
            f"{function.name} declares {len(function.returns)} returned values; "
            f"the reference returns {len(expected)}"
        )
    return Prepared(case, function, arguments, tuple(np.asarray(e, np.float64) for e in expected))


def arguments_of(case: Case, function: Function, reference: ModuleType) -> tuple[Argument, ...]:
    """The inputs in signature order; all draws of a case share one generator."""
    generator = np.random.default_rng(case.seed)
    return tuple(
        _argument(case.inputs[parameter.name], generator, reference)
        for parameter in function.parameters
        if parameter.name in case.inputs
    )


def _argument(given: Input, generator: np.random.Generator, reference: ModuleType) -> Argument:
    if isinstance(given, bool | int | float):
        return given
    if isinstance(given, Draw):
        return _edited(_drawn(given, generator), given.edits)
    if isinstance(given, FigureCall):
        return _array(given.calculate(reference))
    if isinstance(given, Numbers):
        return _edited(_array(given.numbers), given.edits)
    return _array(given)


def _drawn(draw: Draw, generator: np.random.Generator) -> np.ndarray:
    if draw.draw == "normal":
        raw = generator.standard_normal(draw.shape)
    elif draw.draw == "uniform":
        raw = generator.uniform(-1.0, 1.0, draw.shape)
    else:
        raw = generator.integers(-3, 4, draw.shape).astype(np.float64)
    return np.asarray(draw.scale * raw + draw.shift, np.float64)


def _array(numbers: Any) -> np.ndarray:
    try:
        return np.array(numbers, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise FigureError("a rectangular table of numbers is expected") from error


def _edited(array: np.ndarray, edits: list[Edit]) -> np.ndarray:
    for edit in edits:
        index: Any
        if edit.where == "above-diagonal":
            index = np.triu_indices_from(array, k=1)
        elif edit.where == "diagonal":
            index = np.diag_indices_from(array)
        else:
            index = tuple(slice(None) if part is None else part for part in edit.where)
        try:
            if edit.set is not None:
                array[index] = edit.set
            else:
                array[index] += edit.add
        except IndexError as error:
            raise FigureError(f"edit at {edit.where}: {error}") from error
    return array
