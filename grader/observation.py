"""Signs in a function's results that say something where no known fault fits.

Each sign is a function of everything that was seen of one student function. It must hold in every
case in which a wrong result came back: saying nothing is better than something that is not so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from challenges.cases import Prepared
from challenges.faults import ObservationText
from challenges.model import Tolerance
from grader.agreement import close
from grader.outcome import Array, Items, Outcome, Value

LOOSE = Tolerance(relative=5e-3, absolute=1e-3)
Pair = tuple[np.ndarray, np.ndarray]
"""A returned array and what was expected, of the same shape."""
Holds = Callable[[np.ndarray, np.ndarray], bool | None]
"""Whether a sign is there; None where the arrays are too small or too plain to tell."""


@dataclass(frozen=True)
class Seen:
    """One case, what came of it and whether it passed."""

    prepared: Prepared
    outcome: Outcome
    passed: bool

    @cached_property
    def got(self) -> tuple[np.ndarray, ...]:
        """The arrays of the first call, empty if something else came back."""
        return _arrays(self.outcome.values[0]) if self.outcome.values else ()

    @cached_property
    def fits(self) -> bool:
        """Whether arrays of real numbers came back in the right number and shapes."""
        expected = self.prepared.expected
        return len(self.got) == len(expected) and all(
            a.shape == b.shape and a.dtype.kind == "f"
            for a, b in zip(self.got, expected, strict=True)
        )


def _arrays(value: Value) -> tuple[np.ndarray, ...]:
    if isinstance(value, Array):
        return (value.data,)
    if isinstance(value, Items) and all(isinstance(item, Array) for item in value.items):
        return tuple(item.data for item in value.items if isinstance(item, Array))
    return ()


class Evidence:
    """All cases of one function, and the wrong results among them, part by part."""

    def __init__(self, seen: Sequence[Seen], tolerance: Tolerance) -> None:
        self.seen, self.tolerance = list(seen), tolerance
        self.wrong = [s for s in seen if not s.passed and s.outcome.status == "returned"]
        self.comparable = bool(self.wrong) and all(s.fits for s in self.wrong)

    def right(self, got: np.ndarray, expected: np.ndarray) -> bool:
        """Whether two arrays of the same shape agree."""
        return close(got, expected, self.tolerance)

    def parts(self) -> list[list[Pair]]:
        """For each returned array that is wrong in every wrong case: those pairs."""
        if not self.comparable:
            return []
        columns = zip(
            *(zip(s.got, s.prepared.expected, strict=True) for s in self.wrong), strict=True
        )
        return [list(pairs) for pairs in columns if not any(self.right(got, e) for got, e in pairs)]

    def some_part(self, holds: Holds, least: int = 1) -> bool:
        """Whether `holds` is true of one part in so many wrong cases, and false in none."""
        with np.errstate(all="ignore"):
            found = [[holds(got, expected) for got, expected in pairs] for pairs in self.parts()]
        return any(False not in part and part.count(True) >= least for part in found)

    def tagged(self, tag: str | None) -> tuple[list[Seen], list[Seen]]:
        """The cases with the tag and those without."""
        inside = [s for s in self.seen if tag in s.prepared.case.tags]
        return inside, [s for s in self.seen if tag not in s.prepared.case.tags]


def observe(evidence: Evidence, observations: Sequence[ObservationText]) -> ObservationText | None:
    """The first of the lesson's observations whose sign is there."""
    return next((o for o in observations if SIGNS[o.sign](evidence, o)), None)


def _repeat_differs(e: Evidence, o: ObservationText) -> bool:
    for seen in e.wrong:
        calls = [_arrays(value) for value in seen.outcome.values]
        for later in calls[1:]:
            if [a.shape for a in later] != [a.shape for a in calls[0]]:
                return True
            if not all(e.right(a, b) for a, b in zip(calls[0], later, strict=True)):
                return True
    return False


def _inputs_changed(e: Evidence, o: ObservationText) -> bool:
    return e.comparable and all(
        s.outcome.changed
        and all(e.right(a, b) for a, b in zip(s.got, s.prepared.expected, strict=True))
        for s in e.wrong
    )


def _right_among_others(e: Evidence, o: ObservationText) -> bool:
    def inside(seen: Seen) -> bool:
        value, expected = seen.outcome.values[0], seen.prepared.expected
        items = value.items if isinstance(value, Items) and len(expected) == 1 else ()
        return any(
            isinstance(item, Array)
            and item.data.shape == expected[0].shape
            and e.right(item.data, expected[0])
            for item in items
        )

    return bool(e.wrong) and all(inside(s) for s in e.wrong)


def _constant(e: Evidence, o: ObservationText) -> bool:
    """The same arrays in every case, or in all cases with the same shapes."""
    got = [s for s in e.seen if s.got and not any(np.isnan(a).any() for a in s.got)]
    alike = [
        all(np.array_equal(a, b) for a, b in zip(one.got, two.got, strict=True))
        for one, two in combinations(got, 2)
        if [a.shape for a in one.got] == [a.shape for a in two.got]
        and any(
            a.shape != b.shape or not e.right(a, b)
            for a, b in zip(one.prepared.expected, two.prepared.expected, strict=True)
        )
    ]
    return len(got) == len(e.seen) and len(alike) > 1 and all(alike)


def _inputs_returned(e: Evidence, o: ObservationText) -> bool:
    return len(e.wrong) > 1 and all(
        len(s.got) == 1
        and any(
            isinstance(a, np.ndarray) and a.shape == s.got[0].shape and e.right(s.got[0], a)
            for a in s.prepared.arguments
        )
        for s in e.wrong
    )


def _nearly_right(e: Evidence, o: ObservationText) -> bool:
    return e.some_part(lambda got, expected: close(got, expected, LOOSE))


def _constant_ratio(e: Evidence, o: ObservationText) -> bool:
    def holds(got: np.ndarray, expected: np.ndarray) -> bool | None:
        there = np.isfinite(expected) & (np.abs(expected) > 1e-6)
        if there.sum() < 3:
            return None
        if not np.isfinite(got[there]).all():
            return False
        ratio = float(np.median(got[there] / expected[there]))
        return abs(ratio) > 1e-6 and e.right(got, expected * ratio)

    return e.some_part(holds, least=2)


def _constant_difference(e: Evidence, o: ObservationText) -> bool:
    def holds(got: np.ndarray, expected: np.ndarray) -> bool | None:
        there = np.isfinite(expected)
        if there.sum() < 3:
            return None
        if not np.isfinite(got[there]).all():
            return False
        return e.right(got, expected + float(np.median(got[there] - expected[there])))

    return e.some_part(holds, least=2)


def _transposed(e: Evidence, o: ObservationText) -> bool:
    return e.some_part(
        lambda got, expected: got.shape == expected.T.shape and e.right(got, expected.T)
    )


def _rearranged(e: Evidence, o: ObservationText) -> bool:
    def holds(got: np.ndarray, expected: np.ndarray) -> bool | None:
        if not e.right(np.sort(got, axis=None), np.sort(expected, axis=None)):
            return False
        return True if len(np.unique(np.round(expected, 6))) > 3 else None

    return e.some_part(holds)


def _first_row_nan(e: Evidence, o: ObservationText) -> bool:
    def holds(got: np.ndarray, expected: np.ndarray) -> bool | None:
        if got.ndim != 2 or not np.isnan(got[0]).any() or np.isnan(got[1:]).any():
            return False
        return True if len(got) > 1 else None

    return e.some_part(holds)


def _not_a_number(e: Evidence, o: ObservationText) -> bool:
    return e.comparable and all(any(np.isnan(a).any() for a in s.got) for s in e.wrong)


def _totals(e: Evidence, axis: int) -> bool:
    """Whether some part should have rows that total one and has other totals along `axis`."""

    def of_one(array: np.ndarray, axis: int) -> bool:
        return array.ndim == 2 and close(array.sum(axis=axis), np.ones(()), e.tolerance)

    def holds(got: np.ndarray, expected: np.ndarray) -> bool:
        if not of_one(expected, 1) or not np.isfinite(got).all():
            return False
        return not of_one(got, 1) and (axis == 1 or of_one(got, 0))

    return e.some_part(holds)


def _one_row_right(e: Evidence, row: int) -> bool:
    def holds(got: np.ndarray, expected: np.ndarray) -> bool | None:
        if got.ndim != 2 or len(got) < 3:
            return None
        same = [e.right(a, b) for a, b in zip(got, expected, strict=True)]
        return same[row] and sum(same) == 1

    return e.some_part(holds, least=2)


def _first_rows_differ(e: Evidence, o: ObservationText) -> bool:
    cases, _ = e.tagged(o.tag)
    if len(cases) < 2 or not all(s.fits for s in cases) or o.rows is None:
        return False
    first, *rest = [s.got[0][: o.rows] for s in cases]
    return not all(e.right(first, other) for other in rest)


def _fits_some_sizes(e: Evidence, o: ObservationText) -> bool:
    raised = [s for s in e.seen if s.outcome.status == "raised"]
    passed = [s for s in e.seen if s.passed]
    return bool(raised and passed) and not any(s.fits for s in e.wrong)


def _right_with(e: Evidence, o: ObservationText) -> bool:
    inside, outside = e.tagged(o.tag)
    return (
        bool(inside and outside)
        and all(s.passed for s in inside)
        and not any(s.passed for s in outside)
    )


def _wrong_with(e: Evidence, o: ObservationText) -> bool:
    inside, outside = e.tagged(o.tag)
    return (
        bool(inside and outside)
        and not any(s.passed for s in inside)
        and all(s.passed for s in outside)
    )


def _part_right(e: Evidence, o: ObservationText) -> bool:
    names = [returned.name for returned in e.seen[0].prepared.function.returns]
    if o.part not in names or len(names) < 2 or not e.comparable:
        return False
    part = names.index(o.part)
    return all(
        [e.right(a, b) for a, b in zip(s.got, s.prepared.expected, strict=True)]
        == [index == part for index in range(len(names))]
        for s in e.wrong
    )


SIGNS: dict[str, Callable[[Evidence, ObservationText], bool]] = {
    "repeat-differs": _repeat_differs,
    "inputs-changed": _inputs_changed,
    "right-among-others": _right_among_others,
    "constant": _constant,
    "inputs-returned": _inputs_returned,
    "nearly-right": _nearly_right,
    "constant-ratio": _constant_ratio,
    "constant-difference": _constant_difference,
    "transposed": _transposed,
    "rearranged": _rearranged,
    "first-row-nan": _first_row_nan,
    "not-a-number": _not_a_number,
    "columns-total-one": lambda e, o: _totals(e, axis=0),
    "rows-do-not-total-one": lambda e, o: _totals(e, axis=1),
    "only-last-row": lambda e, o: _one_row_right(e, -1),
    "first-rows-differ": _first_rows_differ,
    "fits-some-sizes": _fits_some_sizes,
    "right-with": _right_with,
    "wrong-with": _wrong_with,
    "part-right": _part_right,
}
