"""What two runs have to do with each other: the same submissions marked again, or other ones."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from grader.report.reading import ClassRun
from grader.report.statistics import Summary, summarise


@dataclass(frozen=True)
class Move:
    """A submission whose mark differs: its row in the first run, both marks."""

    row: int
    before: float
    after: float

    @property
    def by(self) -> float:
        """How much the mark rose."""
        return self.after - self.before


@dataclass(frozen=True)
class Comparison:
    """Submissions in both runs with a mark in both; `moves` with the largest first."""

    shared: int
    same: int
    moves: tuple[Move, ...]
    change: Summary | None


def compare_runs(run: ClassRun, other: ClassRun) -> Comparison:
    """`other` is the earlier or the neighbouring run."""
    rows = {person.path: row for row, person in enumerate(other.people)}
    pairs = [
        (row, other.marks[rows[person.path]], run.marks[row])
        for row, person in enumerate(run.people)
        if person.path in rows
    ]
    marked = [(row, b, a) for row, b, a in pairs if not np.isnan(b) and not np.isnan(a)]
    moves = [Move(row, float(before), float(after)) for row, before, after in marked]
    changed = sorted((m for m in moves if m.by), key=lambda m: (-abs(m.by), m.row))
    return Comparison(
        len(moves),
        len(moves) - len(changed),
        tuple(changed),
        summarise(np.array([m.by for m in moves])),
    )
