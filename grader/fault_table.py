"""Every known fault of one function, to be looked up by a student's outcomes.

The faults come from the lesson's reference (`FAULTS` and `faulty`); nothing here knows what they
are about. A fault is tried on a case when that case is first asked for, and never again.
"""

from __future__ import annotations

from collections.abc import Sequence
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
FEW, MANY = 100, 400
"""So many faults are looked at closely at once; more pairs than this say nothing."""


@dataclass(frozen=True)
class Known:
    """One form of a fault of this function, or two forms together."""

    faults: tuple[str, ...]
    forms: tuple[Any, ...]


class FaultTable:
    """The faults of one function by their outcomes in its cases."""

    def __init__(
        self,
        function: str,
        cases: Sequence[Prepared],
        tolerance: Tolerance,
        reference: ModuleType,
    ) -> None:
        self.cases = tuple(cases)
        self.tolerance = tolerance
        self._function, self._reference = function, reference
        self._prints: dict[int, np.ndarray] = {}
        self._looked: dict[tuple[int, int], Outcome] = {}  # by what `known` is and the case
        self.singles = [
            Known((fault,), (form,))
            for fault, forms in getattr(reference, "FAULTS", {}).items()
            for form in forms
            if reference.faulty(function, form) is not None
        ]

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
        return [
            index
            for index, (outcome, right) in enumerate(zip(outcomes, self.right, strict=True))
            if outcome.status == "returned" and not agree(outcome, right, self.tolerance)
        ]

    def single(self, outcomes: Sequence[Outcome]) -> list[str]:
        """The faults that give exactly these outcomes, in the table's order."""
        wrong = self.wrong(outcomes)
        if not wrong or not self.singles:
            return []
        near = np.ones(len(self.singles), dtype=bool)
        for case, prints in self._prints.items():
            near &= np.abs(prints - fingerprint(outcomes[case])) < SEARCH
        while near.sum() > FEW and (
            untried := [case for case in wrong if case not in self._prints]
        ):
            case = self._richest(untried)
            self._prints[case] = self._try_all(self.singles, case)
            near &= np.abs(self._prints[case] - fingerprint(outcomes[case])) < SEARCH
        found = self._close_look(self.singles, near, outcomes)
        return list(dict.fromkeys(known.faults[0] for known in found))

    def pairs(self, outcomes: Sequence[Outcome]) -> list[tuple[str, ...]]:
        """The pairs of faults that together give exactly these outcomes."""
        if not self.wrong(outcomes) or not self.singles:
            return []
        probe, pairs, prints = self._pairs
        near = np.abs(prints - fingerprint(outcomes[probe])) < SEARCH
        if near.sum() > MANY:
            return []
        found = self._close_look(pairs, near, outcomes)
        return list(dict.fromkeys(known.faults for known in found))

    @cached_property
    def _pairs(self) -> tuple[int, list[Known], np.ndarray]:
        """The first form of each fault with that of each other, tried on the richest case."""
        first = {known.faults: known for known in reversed(self.singles)}
        pairs = [
            Known(one.faults + two.faults, one.forms + two.forms)
            for one, two in combinations(reversed(first.values()), 2)
            if self._reference.faulty(self._function, *one.forms, *two.forms) is not None
        ]
        probe = self._richest(range(len(self.cases)))
        return probe, pairs, self._try_all(pairs, probe)

    def _richest(self, cases: Sequence[int]) -> int:
        """The one of these cases that is worth most, a hidden one if possible."""
        return max(
            cases,
            key=lambda i: (self.cases[i].case.visibility == "hidden", self.cases[i].case.points),
        )

    def _try_all(self, known: Sequence[Known], case: int) -> np.ndarray:
        tried = (
            attempt(self._reference.faulty(self._function, *one.forms), self.cases[case])
            for one in known
        )
        return np.fromiter((fingerprint(outcome) for outcome in tried), np.float64, len(known))

    def _close_look(
        self, known: Sequence[Known], near: np.ndarray, outcomes: Sequence[Outcome]
    ) -> list[Known]:
        """Those that agree in every case."""
        candidates = (known[int(index)] for index in np.flatnonzero(near))
        return [one for one in candidates if self._agrees(one, outcomes)]

    def _agrees(self, known: Known, outcomes: Sequence[Outcome]) -> bool:
        return all(
            agree(outcome, self._outcome(known, case), self.tolerance)
            for case, outcome in enumerate(outcomes)
        )

    def _outcome(self, known: Known, case: int) -> Outcome:
        """What a fault of this table gives in a case; most classes make the same few mistakes."""
        key = id(known), case
        if key not in self._looked:
            function = self._reference.faulty(self._function, *known.forms)
            self._looked[key] = attempt(function, self.cases[case])
        return self._looked[key]
