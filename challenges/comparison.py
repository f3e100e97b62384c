"""Compare what a student function returned with what was expected, and say it in plain words.

The public tests that students get carry this file's text, so it needs NumPy only, imports nothing
of ours and holds no secret. The judge calls the same functions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Problem:
    """The first thing wrong with a returned value: its kind, and a sentence for the student."""

    kind: str
    message: str


def type_text(value: Any) -> str:
    """The name of a value's type in words that a NumPy beginner knows."""
    names = {
        "NoneType": "None (is a return missing?)",
        "ndarray": "a numpy.ndarray",
        "list": "a list",
        "tuple": "a tuple",
        "float": "a plain number",
        "int": "a plain number",
        "bool": "a plain True or False",
        "str": "text",
        "matrix": "a numpy.matrix (its * and shapes follow other rules; use plain arrays)",
    }
    name = getattr(value, "type_name", type(value).__name__)
    return names.get(name, f"a {name}" if name else "something else")


def missing_text(function: str) -> str:
    """What a student reads whose file lacks a function."""
    return f"There is no function {function} in your file: was it renamed or left out?"


def changed_text(function: str, parameters: list[str]) -> str:
    """What a student reads whose function wrote into its inputs."""
    return f"{function} changes its input {' and '.join(parameters)}: work on a copy."


def check_result(
    got: Any,
    expected: tuple[np.ndarray, ...],
    parts: list[tuple[str, str]],
    *,
    relative: float,
    absolute: float,
    show_values: bool = True,
) -> Problem | None:
    """Compare a returned value with the arrays that are expected, one for each part.

    `parts` holds a (name, shape in symbols) for each. The order is fixed: type, shape, not finite,
    values; the first problem is returned. With `show_values` false no number of the inputs or of
    the expected result is in the message.
    """
    if len(parts) == 1:
        got = (got,)
    elif type(got) is not tuple or len(got) != len(parts):
        names = ", ".join(name for name, _ in parts)
        came = f"{len(got)} values" if type(got) is tuple else type_text(got)
        return Problem("type", f"{len(parts)} values are asked for ({names}); {came} came back.")
    for check in (_type_problem, _shape_problem):
        for value, right, (name, shape) in zip(got, expected, parts, strict=True):
            problem = check(value, right, name, shape, show_values)
            if problem is not None:
                return problem
    for value, right, (name, _) in zip(got, expected, parts, strict=True):
        problem = _value_problem(value, right, name, relative, absolute, show_values)
        if problem is not None:
            return problem
    return None


def _type_problem(
    value: Any, right: np.ndarray, name: str, shape: str, show_values: bool
) -> Problem | None:
    if type(value) is not np.ndarray:
        return Problem(
            "type", f"{name}: a numpy.ndarray is asked for; {type_text(value)} came back."
        )
    if value.dtype.kind != "f":
        reason = " (whole numbers cannot hold a share)" if value.dtype.kind in "iu" else ""
        return Problem(
            "type",
            f"{name}: an array of real floats (float64) is asked for; "
            f"one of {value.dtype.name} came back{reason}.",
        )
    return None


def _shape_problem(
    value: Any, right: np.ndarray, name: str, shape: str, show_values: bool
) -> Problem | None:
    if value.shape == right.shape:
        return None
    if show_values:
        return Problem(
            "shape", f"{name}: the shape is {value.shape}; {shape} = {right.shape} is expected."
        )
    return Problem("shape", f"{name}: the shape is not the {shape} that is asked for.")


def _value_problem(
    value: np.ndarray,
    right: np.ndarray,
    name: str,
    relative: float,
    absolute: float,
    show_values: bool,
) -> Problem | None:
    value, right = np.asarray(value, np.float64), np.asarray(right, np.float64)
    bad = ~np.isfinite(value) & ((value != right) | np.isnan(right))
    if bad.any():
        where = np.unravel_index(int(np.argmax(bad)), value.shape)
        what = "nan" if np.isnan(value[where]) else "−∞" if value[where] < 0 else "∞"
        text = f"{name}: an entry is {what} where a finite number is expected"
        if np.isinf(right[where]):
            text = f"{name}: an entry is {what} where {_number(right[where])} is expected"
            text = text if show_values else f"{name}: an entry is {what} where it must not be"
        return Problem("not-finite", text + (f" ({_place(where)})." if show_values else "."))
    with np.errstate(invalid="ignore"):
        distance = np.where(value == right, 0.0, np.abs(value - right))
        allowed = absolute + relative * np.where(np.isfinite(right), np.abs(right), 0.0)
    wrong = distance > allowed
    if not wrong.any():
        return None
    count = int(wrong.sum())
    if not show_values:
        return Problem("values", f"{name}: the type and shape are right, the values are not.")
    where = np.unravel_index(int(np.argmax(np.where(wrong, distance, -1.0))), value.shape)
    return Problem(
        "values",
        f"{name}: {count} of {value.size} entries differ. The worst is at {_place(where)}: "
        f"got {_number(value[where])}, expected {_number(right[where])}.",
    )


def _place(where: tuple[Any, ...]) -> str:
    words = ("row", "column") if len(where) == 2 else ("entry",) * len(where)
    return ", ".join(f"{word} {int(index)}" for word, index in zip(words, where, strict=True))


def _number(value: Any) -> str:
    if np.isinf(value):
        return "∞" if value > 0 else "−∞"
    return f"{float(value):.6g}"
