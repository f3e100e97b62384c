"""The faults that students make, as switches on the lesson's own calculation.

A fault has one name (its texts are in `challenges/faults/*.yaml`) and one or more forms: other ways
to make the same mistake, which give other numbers. Forms that touch different steps of the
calculation can be on together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from . import (
    combine,
    compare,
    heads,
    joining,
    mask,
    masking,
    output,
    projections,
    returns,
    scale,
    shares,
    softmax,
)
from .calculation import FUNCTIONS, Form, calculate

MODULES = (
    *(compare, scale, softmax, shares, mask, masking, combine),
    *(projections, output, heads, joining, returns),
)
FAULTS: Mapping[str, Sequence[Form]] = {
    name: forms for module in MODULES for name, forms in module.FAULTS.items()
}


def faulty(function: str, *forms: Form) -> Callable[..., Any] | None:
    """The student function with these forms of faults on.

    None if a form touches a step that the function does not have, or if two touch the same step;
    a function that is not made of these steps has none of them.
    """
    if function not in FUNCTIONS:
        return None
    steps = FUNCTIONS[function][1]
    touched = [step for form in forms for step in form]
    if len(set(touched)) < len(touched) or not steps.issuperset(touched):
        return None
    return calculate(function, *forms)
