"""A run as the report sees it: arrays with a row for each submission, a column for each case."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from grader.gradebook import Gradebook
from grader.report.statistics import Bools, Floats
from grader.verdict import Answers, Kind, Result

KINDS: tuple[str, ...] = get_args(Kind)
NONE = -1


@dataclass(frozen=True)
class Case:
    """A case as the run recorded it."""

    challenge: str
    id: str
    function: str
    visibility: str
    points: Fraction
    title: str


@dataclass(frozen=True)
class Part:
    """A part of the mark: a challenge, or the questions."""

    id: str
    title: str
    possible: float


@dataclass(frozen=True)
class Person:
    """Whose submission a row is; `id` names the feedback, `path` is as it was given."""

    id: str
    path: str
    student: str


class Told(NamedTuple):
    """What was said of a mistake: to the student, and to staff."""

    student: str
    staff: str


@dataclass(frozen=True)
class ClassRun:
    """Everything that the report needs of a run; n submissions, c cases, p parts."""

    folder: Path
    facts: Mapping[str, Any]
    cases: tuple[Case, ...]
    parts: tuple[Part, ...]
    people: tuple[Person, ...]
    statuses: tuple[str, ...]
    marks: Floats
    """(n,), NaN where there is no mark."""
    part_marks: Floats
    """(n, p), NaN where there is no mark."""
    kinds: NDArray[np.int8]
    """(n, c), index into KINDS, NONE where there is no verdict."""
    earned: Floats
    """(n, c)"""
    named: NDArray[np.int32]
    """(n, c), index into `told`, NONE where nothing is known of the mistake."""
    told: tuple[Told, ...]
    reasons: tuple[str, ...]
    provenance: tuple[Mapping[str, Any], ...]
    answers: tuple[Answers, ...]
    unfinished: int = 0

    @property
    def possible(self) -> float:
        """What can be earned in all."""
        return sum(part.possible for part in self.parts)

    @property
    def judged(self) -> Bools:
        """(n,): who has a verdict on every case, and none of them is our own fault."""
        broken = KINDS.index("broken")
        unknown: Bools = ((self.kinds == NONE) | (self.kinds == broken)).any(axis=1)
        return ~unknown

    @property
    def passed(self) -> Bools:
        """(n, c)"""
        passed: Bools = self.kinds == KINDS.index("pass")
        return passed

    def marks_of(self, part: str) -> Floats:
        """(n,): the marks of a part, NaN in a run that does not have it."""
        for column, one in enumerate(self.parts):
            if one.id == part:
                return self.part_marks[:, column]
        return np.full(len(self.people), np.nan)

    def columns(self, function: str) -> list[int]:
        """The columns of a function's cases."""
        return [i for i, case in enumerate(self.cases) if case.function == function]

    @property
    def functions(self) -> list[str]:
        """The functions that have cases, in the lesson's order."""
        return list(dict.fromkeys(case.function for case in self.cases))


def read_run(folder: Path) -> ClassRun:
    """The run in a results folder or a gradebook file; raises GradebookError."""
    with Gradebook.read(folder) as book:
        facts, unfinished = book.run, book.unfinished
        titles: Mapping[str, str] = facts.get("titles", {})
        cases = tuple(
            Case(
                challenge,
                name,
                function,
                visibility,
                Fraction(points),
                titles.get(f"{challenge}/{name}", name),
            )
            for challenge, name, function, visibility, points in facts["cases"]
        )
        table = _Table(cases, facts["parts"])
        for result in book.results():
            table.add(result)
    folder = folder if folder.is_dir() else folder.parent
    return table.run(folder, facts, titles, unfinished)


class _Table:
    """Rows as they come, a few numbers each, so that a hundred thousand fit."""

    def __init__(self, cases: tuple[Case, ...], parts: list[str]) -> None:
        self.cases, self.parts = cases, parts
        self.possible = dict.fromkeys(parts, 0.0)
        self.people: list[Person] = []
        self.statuses: list[str] = []
        self.marks: list[float] = []
        self.part_marks: list[list[float]] = []
        self.kinds: list[NDArray[np.int8]] = []
        self.earned: list[Floats] = []
        self.named: list[NDArray[np.int32]] = []
        self.told: dict[Told, int] = {}
        self.reasons: list[str] = []
        self.provenance: list[Mapping[str, Any]] = []
        self.answers: list[Answers] = []

    def add(self, result: Result) -> None:
        """Take one result."""
        self.people.append(Person(result.id, result.submission, result.student))
        self.statuses.append(result.status)
        self.marks.append(_mark(result.earned))
        marks = {part.name: _mark(part.earned) for part in result.parts}
        self.part_marks.append([marks.get(name, np.nan) for name in self.parts])
        for part in result.parts:
            self.possible[part.name] = float(part.possible)
        kinds = np.full(len(self.cases), NONE, np.int8)
        earned = np.zeros(len(self.cases))
        named = np.full(len(self.cases), NONE, np.int32)
        for column, verdict in enumerate(result.verdicts):
            kinds[column] = KINDS.index(verdict.verdict)
            earned[column] = float(verdict.earned)
            if verdict.misconception:
                told = Told(verdict.misconception, verdict.staff)
                named[column] = self.told.setdefault(told, len(self.told))
        self.kinds.append(kinds)
        self.earned.append(earned)
        self.named.append(named)
        self.reasons.append(result.reason)
        self.provenance.append(result.provenance)
        self.answers.append(result.answers)

    def run(
        self, folder: Path, facts: Mapping[str, Any], titles: Mapping[str, str], unfinished: int
    ) -> ClassRun:
        """All of them together."""
        shape = (len(self.people), len(self.cases))
        return ClassRun(
            folder,
            facts,
            self.cases,
            tuple(Part(p, titles.get(p, p), self.possible[p]) for p in self.parts),
            tuple(self.people),
            tuple(self.statuses),
            np.array(self.marks, dtype=float),
            np.array(self.part_marks, dtype=float).reshape(shape[0], len(self.parts)),
            np.array(self.kinds, dtype=np.int8).reshape(shape),
            np.array(self.earned, dtype=float).reshape(shape),
            np.array(self.named, dtype=np.int32).reshape(shape),
            tuple(self.told),
            tuple(self.reasons),
            tuple(self.provenance),
            tuple(self.answers),
            unfinished,
        )


def _mark(points: Fraction | None) -> float:
    return float("nan") if points is None else float(points)
