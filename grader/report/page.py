"""Puts the report together: every section's figures, and the page that shows them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from challenges.load import lesson_value
from grader.report import charts
from grader.report.charts import Chart, Run, percent
from grader.report.clusters import find_clusters
from grader.report.comparison import compare_runs
from grader.report.items import case_items
from grader.report.misconceptions import count_misconceptions, load_names
from grader.report.pseudonyms import Naming
from grader.report.questions import question_items
from grader.report.reading import KINDS, ClassRun
from grader.report.statistics import GROUP, Summary, summarise

TOLD = {
    "timeout": "took too long",
    "memory": "used too much memory",
    "blocked": "tried something that is not allowed",
}
MOST_NAMES = 100
"""More students than this are counted, not listed."""
MOST_CLUSTERS = 30

_environment = Environment(
    loader=FileSystemLoader(Path(__file__).parent / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def _number(value: float) -> str:
    """A figure with at most one decimal."""
    return "–" if np.isnan(value) else f"{value:.1f}".removesuffix(".0")


def _two_decimals(value: float | None) -> str:
    return "–" if value is None or np.isnan(value) else f"{value:.2f}"


_environment.filters |= {"number": _number, "percent": percent, "two_decimals": _two_decimals}


@dataclass(frozen=True)
class Named:
    """A student as the page shows one: a name, and the feedback page if it can be linked to."""

    name: str
    link: str = ""


@dataclass(frozen=True)
class People:
    """Students of a run; `more` are not listed."""

    listed: tuple[Named, ...]
    more: int = 0


@dataclass(frozen=True)
class MarksRow:
    """The marks of the whole or of a part, a summary for each run."""

    title: str
    possible: float
    of_runs: tuple[Summary | None, ...]


@dataclass(frozen=True)
class Group:
    """Students of whom the same is said."""

    what: str
    who: People
    count: int
    functions: tuple[str, ...] = ()


class Report:
    """The report of one run, or of two side by side."""

    def __init__(
        self,
        run: ClassRun,
        lesson: Path,
        naming: Naming,
        against: ClassRun | None = None,
        linked: bool = False,
    ) -> None:
        self.run, self.lesson, self.naming, self.against = run, lesson, naming, against
        self._linked = linked and not naming.anonymous
        self.runs = [Run("this run", run)]
        if against is not None:
            self.runs.append(Run("other run", against))

    def render(self) -> str:
        """The page; the same runs give the same page, byte for byte."""
        names = load_names(self.lesson)
        found = [count_misconceptions(one.run, names) for one in self.runs]
        clusters = find_clusters(self.run, names)
        items = case_items(self.run)
        page = _environment.get_template("page.html.jinja").render(
            title=lesson_value(self.lesson, "title") or "Lesson",
            anonymous=self.naming.anonymous,
            runs=self.runs,
            run=self.run,
            statuses=[Counter(one.run.statuses) for one in self.runs],
            summaries=self._summaries(),
            marks=self._marks(),
            found=found,
            found_chart=charts.misconceptions_chart(found, [one.label for one in self.runs]),
            clusters=[(c, self.people(c.rows)) for c in clusters[:MOST_CLUSTERS]],
            more_clusters=len(clusters) - len(clusters[:MOST_CLUSTERS]),
            items=items,
            case_charts=[
                chart
                for part in self.run.parts
                if (chart := charts.cases_chart(self.runs, part.id, part.title))
            ],
            items_chart=charts.items_chart(items),
            group=GROUP,
            questions=question_items(self.run, self.lesson),
            sections=names.sections,
            limits=self._limits(),
            refused=self._reasons("refused"),
            broken=self._reasons("broken"),
            seconds_chart=charts.seconds_chart(self.runs),
            seconds=[_times(one.run) for one in self.runs],
            slowest=self._slowest(),
            comparison=compare_runs(self.run, self.against) if self.against else None,
            person=self.person,
            provenance=[_provenance(one.run) for one in self.runs],
            limits_table=_limits_table(self.run),
        )
        return page.encode("utf-8", "backslashreplace").decode("utf-8")

    def person(self, row: int) -> Named:
        """The student of a row."""
        person = self.run.people[row]
        link = f"feedback/{person.id}.html" if self._linked else ""
        return Named(self.naming.name(person), link)

    def people(self, rows: Sequence[int]) -> People:
        """The students of some rows, in the order of their names."""
        listed = sorted((self.person(row) for row in rows), key=lambda n: (n.name, n.link))
        return People(tuple(listed[:MOST_NAMES]), max(0, len(listed) - MOST_NAMES))

    def _summaries(self) -> list[MarksRow]:
        """The marks of the whole, then of each part."""
        of_runs = tuple(summarise(one.run.marks) for one in self.runs)
        rows = [MarksRow("All parts", self.run.possible, of_runs)]
        for part in self.run.parts:
            of_runs = tuple(summarise(one.run.marks_of(part.id)) for one in self.runs)
            rows.append(MarksRow(part.title, part.possible, of_runs))
        return rows

    def _marks(self) -> list[Chart]:
        """The charts of the whole, then of each part."""
        drawn = [charts.marks_chart(self.runs)]
        drawn += [charts.marks_chart(self.runs, part) for part in self.run.parts]
        return [chart for chart in drawn if chart is not None]

    def _limits(self) -> list[Group]:
        """Who hit which kind of limit, in which functions."""
        groups = []
        for kind, what in TOLD.items():
            hit = self.run.kinds == KINDS.index(kind)
            rows = np.flatnonzero(hit.any(axis=1)).tolist()
            functions = tuple(
                name for name in self.run.functions if hit[:, self.run.columns(name)].any()
            )
            if rows:
                groups.append(Group(what, self.people(rows), len(rows), functions))
        return groups

    def _reasons(self, status: str) -> list[Group]:
        """Reasons for a status, the most frequent first."""
        rows: dict[str, list[int]] = {}
        for row, own in enumerate(self.run.statuses):
            if own == status:
                reason = self.naming.reason(self.run.reasons[row])
                rows.setdefault(reason, []).append(row)
        ordered = sorted(rows.items(), key=lambda item: (-len(item[1]), item[0]))
        return [Group(reason, self.people(who), len(who)) for reason, who in ordered]

    def _slowest(self) -> list[tuple[Named, float]]:
        taken = charts.seconds(self.run)
        known = np.flatnonzero(~np.isnan(taken))
        ordered = sorted(known.tolist(), key=lambda row: (-taken[row], row))
        return [(self.person(row), float(taken[row])) for row in ordered[:5]]


def _times(run: ClassRun) -> dict[str, float]:
    taken = charts.seconds(run)
    taken = taken[~np.isnan(taken)]
    if not taken.size:
        return {}
    median, slow, most = np.percentile(taken, [50, 95, 100])
    return {
        "half within": float(median),
        "19 of 20 within": float(slow),
        "the longest": float(most),
        "all together, one after the other": float(taken.sum()),
    }


def _provenance(run: ClassRun) -> list[tuple[str, str]]:
    """What the run recorded of itself, as rows of a table."""
    facts = run.facts
    rows = [(key, str(facts[key])) for key in ("kit", "commit") if facts.get(key)]
    rows += [(str(name), str(value)) for name, value in sorted(facts.get("versions", {}).items())]
    rows += [
        (f"hash of {name}", str(value))
        for name, value in sorted(
            {**facts.get("hashes", {}), "code": facts.get("code", "")}.items()
        )
        if isinstance(value, str) and value
    ]
    tiers = Counter(str(p["tier"]) for p in run.provenance if p.get("tier"))
    rows += [("isolation", ", ".join(f"tier {t}: {n}" for t, n in sorted(tiers.items())))]
    times = sorted(str(p["graded_at"]) for p in run.provenance if p.get("graded_at"))
    if times:
        rows += [("first graded", times[0]), ("last graded", times[-1])]
    rows += [("submissions", str(len(run.people)))]
    return rows


def _limits_table(run: ClassRun) -> tuple[list[str], list[tuple[str, list[Any]]]]:
    """The limits of each challenge: names of the challenges, a row for each limit."""
    limits = run.facts.get("limits", {})
    names = sorted({key for one in limits.values() for key in one})
    titles = {part.id: part.title for part in run.parts}
    return (
        [titles.get(challenge, challenge) for challenge in limits],
        [
            (name.replace("_", " "), [one.get(name, "") for one in limits.values()])
            for name in names
        ],
    )
