"""The public cases as an otter test file that stands alone: students need numpy and otter-grader.

A file holds the text of `challenges/comparison.py`, so that a student reads the words of the judge,
and the inputs and expected arrays of its public cases in full.
"""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import numpy as np

from challenges import comparison, laws
from challenges.cases import Argument, prepare
from challenges.load import LoadedChallenge
from challenges.model import Function
from course.theming import plain_template


def public_tests(loaded: LoadedChallenge, reference: ModuleType) -> str:
    """The text of the test file of one challenge."""
    challenge = loaded.challenge
    prepared = [
        prepare(case, challenge.function(case.function), reference)
        for case in challenge.visible("public")
    ]
    return plain_template("tests.py.jinja").render(
        challenge=challenge,
        cases=prepared,
        comparison=module_text(comparison),
        laws=module_text(laws) if any(p.case.expect != "reference" for p in prepared) else "",
        literal=literal,
        parts=parts,
    )


def parts(function: Function) -> list[tuple[str, str]]:
    """Name and shape in symbols of each returned array, as the comparison wants them."""
    return [(part.name, f"({', '.join(map(str, part.shape))})") for part in function.returns]


def module_text(module: ModuleType) -> str:
    """The source of a module without its docstring's quotes and `__future__` line."""
    text = Path(str(module.__file__)).read_text("utf-8")
    return text.replace("from __future__ import annotations\n", "").strip()


def literal(value: Argument | str) -> str:
    """Python text that gives exactly this value back."""
    if not isinstance(value, np.ndarray):
        return repr(value)
    numbers = repr(value.tolist()).replace("inf", "np.inf").replace("nan", "np.nan")
    return f"np.array({numbers}, dtype=np.float64)"
