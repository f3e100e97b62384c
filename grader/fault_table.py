"""Every known fault tried on every case of one function, to be looked up by a student's outcomes.

The faults come from the lesson's reference (`FAULTS` and `faulty`); nothing here knows what they
are about. Single forms are tried when the table is made, pairs when they are first asked for.
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


@dataclass(frozen=True)
class Tried:
    """One form of a fault and its outcome in each case."""

    fault: str
    form: Any
    outcomes: tuple[Outcome, ...]


class FaultTable:
    """The faults of one function by their outcomes in its cases."""

    def __init__(
        self,
        function: str,
        cases: Sequence[Prepared],
        tolerance: Tolerance,
        reference: ModuleType,
    ) -> None:
        self._function, self._cases, self._tolerance = function, tuple(cases), tolerance
        self._reference = reference
        self.right = tuple(attempt(reference.FUNCTIONS[function], case) for case in self._cases)
        self.singles = [tried for tried in self._forms() if self.is_evidence(tried.outcomes)]
        self._prints = np.array(
            [[fingerprint(outcome) for outcome in tried.outcomes] for tried in self.singles]
        ).reshape(len(self.singles), len(self._cases))

    def _forms(self) -> list[Tried]:
        tried = []
        for fault, forms in getattr(self._reference, "FAULTS", {}).items():
            for form in forms:
                outcomes = self._try(form)
                if outcomes is not None:
                    tried.append(Tried(fault, form, outcomes))
        return tried

    def _try(self, *forms: Any) -> tuple[Outcome, ...] | None:
        if self._reference.faulty(self._function, *forms) is None:
            return None
        function = self._reference.faulty(self._function, *forms)
        return tuple(attempt(function, case) for case in self._cases)

    def is_evidence(self, outcomes: Sequence[Outcome]) -> bool:
        """Whether a wrong result came back at least once: exceptions alone show no mistake."""
        return any(
            outcome.status == "returned" and not agree(outcome, right, self._tolerance)
            for outcome, right in zip(outcomes, self.right, strict=True)
        )

    def single(self, outcomes: Sequence[Outcome]) -> list[str]:
        """The faults that give exactly these outcomes, in the table's order."""
        if not self.singles:
            return []
        got = np.array([fingerprint(outcome) for outcome in outcomes])
        near = np.flatnonzero((np.abs(self._prints - got) < SEARCH).all(axis=1))
        names = (
            self.singles[index].fault
            for index in near
            if self._all_agree(outcomes, self.singles[index].outcomes)
        )
        return list(dict.fromkeys(names))

    def pairs(self, outcomes: Sequence[Outcome]) -> list[tuple[str, str]]:
        """The pairs of faults that together give exactly these outcomes."""
        prints, both = self._pairs
        if not both:
            return []
        got = fingerprint(outcomes[self._probe])
        found = []
        for index in np.flatnonzero(np.abs(prints - got) < SEARCH):
            one, two = both[index]
            together = self._try(one.form, two.form)
            if together is not None and self._all_agree(outcomes, together):
                found.append((one.fault, two.fault))
        return found

    @cached_property
    def _probe(self) -> int:
        """The case that tells most faults apart."""
        different = [len(np.unique(np.round(column, 3))) for column in self._prints.T]
        return int(np.argmax(different))

    @cached_property
    def _pairs(self) -> tuple[np.ndarray, list[tuple[Tried, Tried]]]:
        """The first form of each fault with the first form of each other one, on one case."""
        first = list({tried.fault: tried for tried in reversed(self.singles)}.values())[::-1]
        prints, both = [], []
        for one, two in combinations(first, 2):
            function = self._reference.faulty(self._function, one.form, two.form)
            if function is not None:
                prints.append(fingerprint(attempt(function, self._cases[self._probe])))
                both.append((one, two))
        return np.array(prints), both

    def _all_agree(self, got: Sequence[Outcome], other: Sequence[Outcome]) -> bool:
        return all(agree(a, b, self._tolerance) for a, b in zip(got, other, strict=True))
