"""Item analysis: how hard each case and question is, and whether it tells students apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from grader.report.reading import KINDS, Case, ClassRun
from grader.report.statistics import Bools, Floats, point_biserial, upper_lower

FEWEST = 10
"""With fewer students a discrimination says nothing."""
WEAK = 0.2
"""Below this an item hardly tells students apart (R. L. Ebel's rule of thumb)."""


@dataclass(frozen=True)
class Item:
    """One item's figures; `difficulty` is the share who pass, so a high one is easy."""

    number: int
    difficulty: float
    correlation: float | None
    upper_lower: float
    count: int

    @property
    def remark(self) -> str:
        """What staff should look at, empty for nothing."""
        if self.count < FEWEST:
            return ""
        if self.difficulty in {0.0, 1.0}:
            return "nobody passes" if self.difficulty == 0 else "everybody passes"
        if self.correlation is None:
            return ""
        if self.correlation < 0:
            return "those who do well elsewhere fail it more often: check the item"
        return "hardly tells students apart" if self.correlation < WEAK else ""


@dataclass(frozen=True)
class CaseItem:
    """A case with its figures and how it ended, kind by kind."""

    case: Case
    item: Item
    ended: tuple[tuple[str, int], ...]

    @property
    def failures(self) -> str:
        """Every kind but pass, as in `12 fail, 3 error`."""
        return ", ".join(f"{count} {kind}" for kind, count in self.ended if kind != "pass")


def analyse(passed: Bools, earned: Floats) -> list[Item]:
    """The figures of each column: (n, items) passed or not, (n, items) points."""
    totals = earned.sum(axis=1)
    items = []
    for column in range(passed.shape[1]):
        rest = totals - earned[:, column]
        got = passed[:, column]
        items.append(
            Item(
                column + 1,
                float(got.mean()) if got.size else float("nan"),
                point_biserial(got, rest),
                upper_lower(got, rest),
                got.size,
            )
        )
    return items


def case_items(run: ClassRun) -> list[CaseItem]:
    """All cases, over the submissions that have a verdict on each."""
    judged = run.judged
    kinds = run.kinds[judged]
    items = analyse(run.passed[judged], run.earned[judged])
    return [
        CaseItem(case, item, _ended(kinds[:, column].tolist()))
        for column, (case, item) in enumerate(zip(run.cases, items, strict=True))
    ]


def _ended(kinds: Sequence[int]) -> tuple[tuple[str, int], ...]:
    counts = Counter(kinds)
    return tuple((kind, counts[i]) for i, kind in enumerate(KINDS) if counts[i])


def pass_rates(run: ClassRun) -> Floats:
    """(c,): the share who pass each case; NaN where nobody was judged."""
    passed = run.passed[run.judged]
    return passed.mean(axis=0) if len(passed) else np.full(len(run.cases), np.nan)
