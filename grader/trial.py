"""Try trusted code (a fault, a stub, a mutant) on a case, in this process.

What comes back is described as the sandbox describes a student's outcome, so that both can be
compared and judged alike. Never call this with a student's function.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from challenges.cases import Prepared
from grader.outcome import Array, ErrorText, Items, Other, Outcome, Value


def attempt(function: Callable[..., Any], prepared: Prepared) -> Outcome:
    """The outcome of calling `function` with fresh copies of the case's inputs."""
    values: list[Value] = []
    changed: set[int] = set()
    with np.errstate(all="ignore"):
        for _ in range(prepared.case.repeat):
            arguments = [a.copy() if isinstance(a, np.ndarray) else a for a in prepared.arguments]
            try:
                values.append(describe(function(*arguments)))
            except Exception as error:
                text = ErrorText(type(error).__name__, str(error))
                return Outcome("raised", tuple(values), error=text)
            changed |= {
                index
                for index, (given, now) in enumerate(
                    zip(prepared.arguments, arguments, strict=True)
                )
                if isinstance(given, np.ndarray)
                and isinstance(now, np.ndarray)
                and given.tobytes() != now.tobytes()
            }
    return Outcome("returned", tuple(values), tuple(sorted(changed)))


def describe(value: Any) -> Value:
    """A returned object as the sandbox would describe it."""
    if type(value) is np.ndarray and value.dtype.kind in "fiubc":
        return Array(value.dtype.str, value)
    if type(value) is tuple:
        return Items("tuple", tuple(describe(item) for item in value))
    if type(value) is list:
        return Items("list", tuple(describe(item) for item in value))
    name = type(value).__name__
    return Other(f"numpy.{name}" if type(value).__module__.startswith("numpy") else name)
