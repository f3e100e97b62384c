"""Verdicts, and the result of a submission: what the judge found, with exact points."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from typing import Literal

Kind = Literal["pass", "fail", "error", "timeout", "memory", "missing", "blocked", "broken"]
Status = Literal["graded", "partial", "refused", "broken"]

HUNDREDTH = Decimal("0.01")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one case showed; `earned` is 0 unless it passes, and its partner (`only_with`) too.

    `misconception` is the mistake behind it as the student reads it, `staff` as the staff do.
    """

    challenge: str
    case: str
    function: str
    visibility: Literal["public", "hidden"]
    points: Fraction
    earned: Fraction
    verdict: Kind
    message: str = ""
    misconception: str = ""
    staff: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """What one challenge (or the questions) gave; `earned` is None where the grader failed."""

    name: str
    earned: Fraction | None
    possible: Fraction


Answers = Mapping[str, tuple[bool, Sequence[int]]]
"""Question id → whether the answer is right, and the places of the choices that it takes."""


@dataclass(frozen=True, slots=True)
class Result:
    """A submission's marks and why, as one row of the gradebook."""

    submission: str
    id: str
    student: str
    status: Status
    parts: tuple[Part, ...]
    verdicts: tuple[Verdict, ...] = ()
    reason: str = ""
    notes: tuple[str, ...] = ()
    provenance: Mapping[str, object] = field(default_factory=dict)
    answers: Answers = field(default_factory=dict)

    @property
    def earned(self) -> Fraction | None:
        """The exact total, or None where a part could not be graded through no fault of theirs."""
        earned = [part.earned for part in self.parts]
        return None if None in earned else total(e for e in earned if e is not None)

    @property
    def possible(self) -> Fraction:
        """The exact total of what can be earned."""
        return total(part.possible for part in self.parts)


def total(points: Iterable[Fraction]) -> Fraction:
    """The exact sum; whole points, which most are, are added as whole numbers."""
    whole, rest = 0, Fraction(0)
    for each in points:
        if each.denominator == 1:
            whole += each.numerator
        else:
            rest += each
    return whole + rest


def rounded(points: Fraction) -> Decimal:
    """The one rounding rule, used where points leave the grader: to hundredths, halves up."""
    exact = Decimal(points.numerator) / Decimal(points.denominator)
    value = exact.quantize(HUNDREDTH, ROUND_HALF_UP)
    return value.quantize(Decimal(1)) if value == value.to_integral_value() else value.normalize()


def points_text(points: Fraction | None) -> str:
    """Points for a table or a CSV file; nothing at all where there is no mark."""
    return "" if points is None else str(rounded(points))
