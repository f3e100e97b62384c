"""The bench on which trusted code is tried: the cases of each function, judged as a student's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import cached_property
from typing import Any

from challenges.cases import Prepared, prepare
from challenges.figures import FigureError
from challenges.model import Case, Draw
from grader.agreement import agree
from grader.judge import judge
from grader.lesson import GradedCase, GradedLesson
from grader.outcome import Load, Outcome
from grader.trial import attempt
from grader.verdict import total

REDRAWS = (1.0, 1.0, 40.0, 400.0)
"""All cases are drawn anew with their numbers so many times as large, to see whether code differs
at all: a fault may show only where numbers are large."""
LARGE = 1000.0
"""Cases whose draws are scaled by so much are extreme already, and left out."""


class Bench:
    """The cases of one function, and the same with other draws."""

    def __init__(self, lesson: GradedLesson, function: str) -> None:
        self.lesson, self.function = lesson, function
        self.cases = [case for case in lesson.cases if case.call.function == function]
        self.challenge = self.cases[0].challenge

    @property
    def names(self) -> list[str]:
        """The ids of the cases."""
        return [case.prepared.case.id for case in self.cases]

    @cached_property
    def redrawn(self) -> list[Prepared]:
        """The cases with other draws; explicit inputs stay as they are."""
        found = []
        for shift, factor in enumerate(REDRAWS, start=1):
            for case in (c.prepared.case for c in self.cases if _ordinary(c.prepared.case)):
                other = _redrawn(case, shift, factor)
                function = self.challenge.function(self.function)
                with suppress(FigureError):  # the reference refuses what it cannot calculate
                    found.append(prepare(other, function, self.lesson.reference))
        return found

    @cached_property
    def _right(self) -> list[Outcome]:
        return [self._expected(prepared) for prepared in self.redrawn]

    def _expected(self, prepared: Prepared) -> Outcome:
        return attempt(lambda *_: _as_returned(prepared), prepared)

    def outcomes(self, code: Callable[..., Any]) -> list[Outcome]:
        """What a function gives in each case."""
        return [attempt(code, case.prepared) for case in self.cases]

    def passes(self, outcomes: Sequence[Outcome]) -> list[bool]:
        """Whether each case passes."""
        return [verdict.verdict == "pass" for verdict in self._verdicts(self.cases, outcomes)]

    def passes_all(self, code: Callable[..., Any]) -> bool:
        """Whether every case passes; stops at the first that does not."""
        return all(
            self._verdicts([case], [attempt(code, case.prepared)])[0].verdict == "pass"
            for case in self.cases
        )

    def points(self, outcomes: Sequence[Outcome]) -> Fraction:
        """The points that these outcomes earn."""
        verdicts = self._verdicts(self.cases, outcomes)
        return total(verdict.earned for verdict in verdicts)

    def differs(self, code: Callable[..., Any]) -> bool:
        """Whether a function that passes all cases gives something else for other draws."""
        return any(
            not agree(attempt(code, prepared), right, self.challenge.tolerance)
            for prepared, right in zip(self.redrawn, self._right, strict=True)
        )

    def _verdicts(self, cases: Sequence[GradedCase], outcomes: Sequence[Outcome]) -> Any:
        named = {case.name: outcome for case, outcome in zip(cases, outcomes, strict=True)}
        return judge(cases, (), Load(), named)


def _ordinary(case: Case) -> bool:
    draws = [given for given in case.inputs.values() if isinstance(given, Draw)]
    return bool(draws) and all(draw.scale < LARGE for draw in draws)


def _redrawn(case: Case, shift: int, factor: float) -> Case:
    inputs = {
        name: given.model_copy(update={"scale": given.scale * factor})
        if isinstance(given, Draw)
        else given
        for name, given in case.inputs.items()
    }
    return case.model_copy(update={"seed": case.seed + shift, "inputs": inputs})


def _as_returned(prepared: Prepared) -> Any:
    return prepared.expected if len(prepared.expected) > 1 else prepared.expected[0]


def benches(lesson: GradedLesson) -> dict[str, Bench]:
    """A bench for each function, in the lesson's order."""
    names = dict.fromkeys(case.call.function for case in lesson.cases)
    return {name: Bench(lesson, name) for name in names}
