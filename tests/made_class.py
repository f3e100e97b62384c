"""A class that nobody taught: results written straight into a gradebook, for the report's tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from grader.gradebook import Gradebook
from grader.intake import submission_id
from grader.rows import to_row
from grader.verdict import Answers, Kind, Part, Result, Verdict

CASES = (
    ("smooth", "by-hand", "moving_average", "public", "2"),
    ("smooth", "drawn-series", "moving_average", "hidden", "3"),
    ("smooth", "range-by-hand", "running_range", "public", "1"),
    ("smooth", "drawn-range", "running_range", "hidden", "4"),
)
RUN: Mapping[str, Any] = {
    "kit": "0.1.0",
    "hashes": {"challenges": "c0ffee"},
    "parts": ["smooth"],
    "titles": {"smooth": "Smooth a series", "smooth/by-hand": "The four values of the page"},
    "cases": CASES,
    "versions": {"python": "3.11.7"},
    "limits": {"smooth": {"wall_seconds": 1.0}},
}


@dataclass(frozen=True)
class Made:
    """One made submission: a kind of verdict for each case, what was said of its mistake."""

    path: str
    kinds: Sequence[Kind] = ()
    said: str = ""
    staff: str = ""
    student: str = ""
    reason: str = ""
    seconds: float = 0.25
    answers: Answers | None = None


def write_class(folder: Path, submissions: Sequence[Made]) -> Path:
    """The results folder of a run of these submissions."""
    with Gradebook.start(folder, RUN) as book:
        book.enrol(one.path for one in submissions)
        for one in submissions:
            book.record(one.path, to_row(_result(one)))
    return folder


def _result(one: Made) -> Result:
    verdicts = tuple(
        Verdict(
            challenge,
            case,
            function,
            "public" if visibility == "public" else "hidden",
            Fraction(points),
            Fraction(points) if kind == "pass" else Fraction(0),
            kind,
            f"secret message of {one.path}",
            "" if kind == "pass" else one.said,
            "" if kind == "pass" else one.staff,
        )
        for (challenge, case, function, visibility, points), kind in zip(
            CASES, one.kinds, strict=bool(one.kinds)
        )
    )
    broken = "broken" in one.kinds
    earned = None if broken else sum((v.earned for v in verdicts), Fraction(0))
    return Result(
        one.path,
        submission_id(one.path),
        one.student or Path(one.path).stem,
        "refused" if one.reason else "broken" if broken else "graded",
        (Part("smooth", earned, Fraction(10)),),
        verdicts,
        one.reason,
        (),
        {"tier": "A", "seconds": one.seconds, "graded_at": "2026-01-02T03:04:05+00:00"},
        one.answers or {},
    )
