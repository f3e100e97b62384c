"""Every known fault of one function, to be looked up by a student's outcomes.

The faults come from the lesson's reference (`FAULTS` and `faulty`); nothing here knows what they
are about. A fault is tried on a case when that case is first asked for, and never again.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from types import ModuleType
from typing import Any

import numpy as np

from challenges.cases import Prepared
from challenges.model import Tolerance
from grader.agreement import agree, fingerprint
from grader.outcome import Outcome
from grader.trial import attempt

SEARCH = 1e-4
"""Fingerprints nearer than this are looked at closely."""
FEW, MANY = 120, 200
"""So many faults are looked at closely at once; more pairs than this say nothing."""


@dataclass(frozen=True)
class Known:
    """One form of a fault of this function, or two forms together."""

    faults: tuple[str, ...]
    forms: tuple[Any, ...]


class Comparison:
    """A function's outcomes, compared with many others, of which many are the same."""

    def __init__(self, outcomes: Sequence[Outcome], tolerance: Tolerance) -> None:
        self.outcomes = outcomes
        self._tolerance = tolerance
        self._found: dict[tuple[int, bytes], bool] = {}

    def agrees(self, case: int, other: Outcome) -> bool:
        """Whether the outcome of a case agrees with another one."""
        key = case, other.digest
        if key not in self._found:
            self._found[key] = agree(self.outcomes[case], other, self._tolerance)
        return self._found[key]


class FaultTable:
    """The faults of one function by their outcomes in its cases; `common` ones also in pairs."""

    def __init__(
        self,
        function: str,
        cases: Sequence[Prepared],
        tolerance: Tolerance,
        reference: ModuleType,
        common: Collection[str] = (),
    ) -> None:
        self.cases = tuple(cases)
        self.tolerance = tolerance
        self._function, self._reference = function, reference
        self._prints: dict[int, np.ndarray] = {}
        self._tried: dict[tuple[int, int], Outcome] = {}
        self._common = set(common)
        self.singles: list[Known] = []
        self._code: list[Any] = []
        for fault, forms in getattr(reference, "FAULTS", {}).items():
            for form in forms:
                code = reference.faulty(function, form)
                if code is not None:
                    self.singles.append(Known((fault,), (form,)))
                    self._code.append(code)

    @cached_property
    def right(self) -> tuple[Outcome, ...]:
        """What the reference gives."""
        function = self._reference.FUNCTIONS[self._function]
        return tuple(attempt(function, case) for case in self.cases)

    def outcomes(self, known: Known) -> list[Outcome]:
        """What a fault gives in each case."""
        function = self._reference.faulty(self._function, *known.forms)
        return [attempt(function, case) for case in self.cases]

    def wrong(self, outcomes: Sequence[Outcome]) -> list[int]:
        """The cases in which a wrong result came back. Exceptions alone are no evidence."""
        return self._wrong(Comparison(outcomes, self.tolerance))

    def _wrong(self, seen: Comparison) -> list[int]:
        return [
            index
            for index, right in enumerate(self.right)
            if seen.outcomes[index].status == "returned" and not seen.agrees(index, right)
        ]

    def single(self, outcomes: Sequence[Outcome]) -> list[str]:
        """The faults that give exactly these outcomes, in the table's order."""
        seen = Comparison(outcomes, self.tolerance)
        wrong = self._wrong(seen)
        if not wrong or not self.singles:
            return []
        near = np.ones(len(self.singles), dtype=bool)
        for case, prints in self._prints.items():
            near &= np.abs(prints - fingerprint(outcomes[case])) < SEARCH
        untried = [case for case in wrong if case not in self._prints]
        while untried and near.sum() > FEW:
            case = self._richest(untried)
            untried.remove(case)
            tried = [self._single(index, case) for index in range(len(self.singles))]
            self._prints[case] = np.array([fingerprint(outcome) for outcome in tried])
            near &= np.abs(self._prints[case] - fingerprint(outcomes[case])) < SEARCH
        found = (
            self.singles[index].faults[0]
            for index in map(int, np.flatnonzero(near))
            if all(seen.agrees(case, self._single(index, case)) for case in range(len(outcomes)))
        )
        return list(dict.fromkeys(found))

    def _single(self, index: int, case: int) -> Outcome:
        """What one form gives in one case, tried once."""
        if (index, case) not in self._tried:
            self._tried[index, case] = attempt(self._code[index], self.cases[case])
        return self._tried[index, case]

    def pairs(self, outcomes: Sequence[Outcome]) -> list[tuple[str, ...]]:
        """The pairs of faults that together give exactly these outcomes."""
        seen = Comparison(outcomes, self.tolerance)
        if not self._wrong(seen) or not self.singles:
            return []
        probe, pairs, prints = self._pairs
        near = np.flatnonzero(np.abs(prints - fingerprint(outcomes[probe])) < SEARCH)
        if len(near) > MANY:
            return []
        found = (
            pairs[index].faults for index in map(int, near) if self._agrees(pairs[index], seen)
        )
        return list(dict.fromkeys(found))

    @cached_property
    def _pairs(self) -> tuple[int, list[Known], np.ndarray]:
        """Common faults two by two, each in its first form, tried on the richest case."""
        first = {known.faults: known for known in reversed(self.singles)}
        common = [known for known in reversed(first.values()) if known.faults[0] in self._common]
        probe = self._richest(range(len(self.cases)))
        pairs, prints = [], []
        for one, two in combinations(common, 2):
            code = self._reference.faulty(self._function, *one.forms, *two.forms)
            if code is not None:
                pairs.append(Known(one.faults + two.faults, one.forms + two.forms))
                prints.append(fingerprint(attempt(code, self.cases[probe])))
        return probe, pairs, np.array(prints)

    def _richest(self, cases: Sequence[int]) -> int:
        """The one of these cases that is worth most, a hidden one if possible."""
        return max(
            cases,
            key=lambda i: (self.cases[i].case.visibility == "hidden", self.cases[i].case.points),
        )

    def _agrees(self, known: Known, seen: Comparison) -> bool:
        function = self._reference.faulty(self._function, *known.forms)
        return all(
            seen.agrees(index, attempt(function, case)) for index, case in enumerate(self.cases)
        )
