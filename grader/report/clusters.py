"""Like-wrong submissions: the same functions fail the same cases, in the same way."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from grader.report.misconceptions import Misconception, Names
from grader.report.reading import KINDS, NONE, Case, ClassRun

SMALLEST = 2
UNKNOWN = "no misconception known"
WORDS = {
    "missing": "not written",
    "error": "stopped with an error",
    "timeout": "took too long",
    "memory": "used too much memory",
    "blocked": "tried something that is not allowed",
}


@dataclass(frozen=True)
class Cluster:
    """Submissions (`rows`) whose `functions` fail the same cases, with the same misconceptions."""

    functions: tuple[str, ...]
    rows: tuple[int, ...]
    failed: tuple[tuple[Case, str], ...]
    """Each case that is not passed, with its kind of verdict."""
    of: int
    """How many cases these functions have."""
    misconceptions: tuple[Misconception, ...]
    replies: tuple[str, ...]
    """What these students have read of it so far."""
    lost: float
    """Points that each of them lost here, on average."""

    @property
    def ended(self) -> str:
        """How the cases ended, as in `5 fail, 1 timeout`."""
        kinds = Counter(kind for _, kind in self.failed)
        return ", ".join(f"{kinds[kind]} {kind}" for kind in KINDS if kinds[kind])

    @property
    def ended_in_words(self) -> str:
        """What to call a cluster behind which no misconception is known."""
        kinds = {kind for _, kind in self.failed}
        return WORDS.get(kinds.pop(), UNKNOWN) if len(kinds) == 1 else UNKNOWN


def find_clusters(run: ClassRun, names: Names, smallest: int = SMALLEST) -> list[Cluster]:
    """All clusters of at least so many students, the largest first.

    Where the very same students go wrong in several functions, that is one cluster.
    """
    judged = np.flatnonzero(run.judged)
    alike: dict[tuple[int, ...], list[str]] = {}
    for function in run.functions:
        columns = run.columns(function)
        where = np.ix_(judged, np.array(columns))
        wrong = ~run.passed[where].all(axis=1)
        patterns = np.concatenate([run.kinds[where], run.named[where]], axis=1)[wrong]
        if not patterns.size:
            continue
        _, inverse = np.unique(patterns, axis=0, return_inverse=True)
        order = np.argsort(inverse.reshape(-1), kind="stable")
        borders = np.flatnonzero(np.diff(inverse.reshape(-1)[order])) + 1
        for rows in np.split(judged[wrong][order], borders):
            if len(rows) >= smallest:
                alike.setdefault(tuple(rows.tolist()), []).append(function)
    found = [_cluster(run, names, functions, rows) for rows, functions in alike.items()]
    return sorted(found, key=lambda c: (-len(c.rows), run.functions.index(c.functions[0]), c.rows))


def _cluster(run: ClassRun, names: Names, functions: list[str], rows: tuple[int, ...]) -> Cluster:
    columns = [column for function in functions for column in run.columns(function)]
    first = rows[0]
    failed = [(run.cases[c], KINDS[run.kinds[first, c]]) for c in columns]
    told = [run.told[n] for n in dict.fromkeys(run.named[first, columns].tolist()) if n != NONE]
    possible = sum(float(run.cases[column].points) for column in columns)
    return Cluster(
        tuple(functions),
        rows,
        tuple((case, kind) for case, kind in failed if kind != "pass"),
        len(columns),
        tuple(dict.fromkeys(m for one in told for m in names.find(one))),
        tuple(dict.fromkeys(one.student for one in told)),
        possible - float(run.earned[np.ix_(np.array(rows), np.array(columns))].sum(axis=1).mean()),
    )
