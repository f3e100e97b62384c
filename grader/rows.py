"""A result as a row of the gradebook and back: points exact, what the run's cases say left out."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any

from challenges.model import Visibility
from grader.verdict import Part, Result, Verdict

COLUMNS = (
    "student",
    "status",
    "parts",
    "verdicts",
    "reason",
    "notes",
    "provenance",
    "answers",
    "key",
)


Row = tuple[Any, ...]
"""The values of COLUMNS."""


def to_row(result: Result) -> Row:
    """A result as its row."""
    return (
        result.student,
        result.status,
        json.dumps([(p.name, _exact(p.earned), _exact(p.possible)) for p in result.parts]),
        json.dumps(
            [
                (v.verdict, _exact(v.earned), v.message, v.misconception, v.staff)
                for v in result.verdicts
            ]
        ),
        result.reason,
        json.dumps(result.notes),
        json.dumps(result.provenance),
        json.dumps(result.answers),
        result.provenance.get("key"),
    )


class RowReader:
    """Makes results of the rows of one run, given its cases."""

    def __init__(self, cases: Iterable[Sequence[Any]]) -> None:
        self._cases = [_case(*case) for case in cases]

    def read(self, path: str, name: str, row: Sequence[Any]) -> Result:
        """The result of a submission: its path, its id, the values of COLUMNS."""
        student, status, parts, verdicts, reason, notes, provenance, answers, _ = row
        return Result(
            path,
            name,
            student,
            status,
            tuple(
                Part(part, None if earned is None else _points(earned), _points(possible))
                for part, earned, possible in json.loads(parts)
            ),
            tuple(
                case(_points(earned), kind, message, named, staff)
                for case, (kind, earned, message, named, staff) in zip(
                    self._cases, json.loads(verdicts), strict=False
                )
            ),
            reason,
            tuple(json.loads(notes)),
            json.loads(provenance),
            json.loads(answers),
        )


def _case(
    challenge: str, case: str, function: str, visibility: Visibility, points: str
) -> Callable[..., Verdict]:
    """Makes a verdict on the case, given the fields that follow its points."""
    return partial(Verdict, challenge, case, function, visibility, _points(points))


@lru_cache(1000)
def _points(exact: str) -> Fraction:
    return Fraction(exact)


def _exact(points: Fraction | None) -> str | None:
    return None if points is None else str(points)
