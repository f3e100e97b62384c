"""The report's charts, each with what it shows in words and the table behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from markupsafe import Markup

from grader.report.drawing import Series, bars, histogram, scatter
from grader.report.items import WEAK, CaseItem, pass_rates
from grader.report.labels import Point
from grader.report.misconceptions import Misconceptions
from grader.report.reading import ClassRun, Part
from grader.report.statistics import Floats, edges, summarise
from grader.report.statistics import histogram as count_bins

MOST_BARS = 12


@dataclass(frozen=True)
class Chart:
    """A drawing with its caption and its data."""

    title: str
    svg: Markup
    caption: str
    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Run:
    """One of the runs side by side, and what it is called."""

    label: str
    run: ClassRun


def marks_chart(runs: Sequence[Run], part: Part | None = None) -> Chart | None:
    """How the marks spread: of the whole, or of one part; None where there is no mark."""
    labels = [one.label for one in runs]
    if part is None:
        values = [one.run.marks for one in runs]
        bounds = edges(runs[0].run.possible)
        return _spread("marks", "Marks, all parts together", labels, values, bounds, "points")
    values = [one.run.marks_of(part.id) for one in runs]
    name, bounds = f"marks-{part.id}", edges(part.possible)
    return _spread(name, f"Marks, {part.title}", labels, values, bounds, "points")


def seconds_chart(runs: Sequence[Run]) -> Chart | None:
    """How long submissions took; the last bin holds everything beyond it."""
    values = [seconds(one.run) for one in runs]
    known = np.concatenate([v[~np.isnan(v)] for v in values])
    if not known.size:
        return None
    bounds = _time_bounds(float(np.percentile(known, 90)))
    labels = [one.label for one in runs]
    unit = f"seconds; the last bar also holds all above {bounds[-1]:g}"
    return _spread("seconds", "Time for each submission", labels, values, bounds, unit)


def _time_bounds(reached: float) -> Floats:
    """Ten bins of a round width that hold nine submissions of ten."""
    width = next(
        (w for w in (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0) if w * 9 >= reached), 10.0
    )
    return np.linspace(0.0, 10 * width, 11)


def _spread(
    name: str,
    title: str,
    labels: Sequence[str],
    values: Sequence[Floats],
    bounds: Floats,
    unit: str,
) -> Chart | None:
    """A histogram: students for one run, per cent for two, whose classes may differ in size.

    The last bin holds all that lies beyond it, too.
    """
    counts = [count_bins(np.minimum(v, bounds[-1]), bounds) for v in values]
    if not sum(int(c.sum()) for c in counts):
        return None
    percent = len(values) > 1
    heights = [c / max(1, c.sum()) * 100 if percent else c for c in counts]
    words = []
    for label, one in zip(labels, values, strict=True):
        if summary := summarise(one):
            who = f"{label.capitalize()}: " if percent else ""
            words.append(
                f"{who}{summary.count} students, mean {summary.mean:.3g}, "
                f"median {summary.median:.3g}, from {summary.least:.3g} to {summary.most:.3g}."
            )
    description = " ".join(words)
    series = [
        Series(label, [float(h) for h in height])
        for label, height in zip(labels, heights, strict=True)
    ]
    bins = [f"{low:g} to {high:g}" for low, high in np.round(_pairs(bounds), 2)]
    return Chart(
        title,
        histogram(
            name, title, description, list(bounds), series, (unit, "students"), percent=percent
        ),
        description,
        (
            unit.split(";", maxsplit=1)[0],
            *([f"students, {x}" for x in labels] if percent else ["students"]),
        ),
        tuple((label, *(str(c[i]) for c in counts)) for i, label in enumerate(bins)),
    )


def _pairs(bounds: Floats) -> Floats:
    return np.stack([bounds[:-1], bounds[1:]], axis=1)


def misconceptions_chart(found: Sequence[Misconceptions], labels: Sequence[str]) -> Chart | None:
    """The most common misconceptions, a bar each: students of one run, shares of two."""
    counts = found[0].counts[:MOST_BARS]
    if not counts:
        return None
    top = counts[0]
    description = (
        f"The most common: {top.misconception.name}, {top.students} of the "
        f"{found[0].failing} students who fail anything."
    )
    title = "The most common misconceptions"
    names = [c.misconception.name for c in counts]
    if len(found) == 1:
        series = [Series("students", [c.students for c in counts])]
    else:
        description += " Bars are shares of all submissions of a run."
        series = [
            Series(label, [one.share(c.misconception) * 100 for c in counts])
            for one, label in zip(found, labels, strict=True)
        ]
    unit = " %" if len(found) > 1 else ""
    most = max(max(one.values) for one in series)
    return Chart(
        title,
        bars("misconceptions", title, description, names, series, most, unit),
        description,
        ("misconception", *(one.label for one in series)),
        tuple(
            (name, *(f"{one.values[row]:.0f}{unit}" for one in series))
            for row, name in enumerate(names)
        ),
    )


def cases_chart(runs: Sequence[Run], challenge: str, title: str) -> Chart | None:
    """The share who pass each case of a challenge."""
    first = runs[0].run
    columns = [i for i, case in enumerate(first.cases) if case.challenge == challenge]
    if not columns:
        return None
    labels = [f"{i + 1}  {first.cases[i].id}" for i in columns]
    rates = [_rates(one.run, first)[columns] * 100 for one in runs]
    own = rates[0]
    if np.isnan(own).all():
        return None
    hardest = columns[int(np.nanargmin(own))]
    description = (
        f"{len(columns)} cases; the fewest pass {first.cases[hardest].id} ({np.nanmin(own):.0f} %)."
    )
    return Chart(
        title,
        bars(
            f"cases-{challenge}",
            f"Who passes the cases of {title}",
            description,
            labels,
            [
                Series(one.label, [float(r) for r in rate])
                for one, rate in zip(runs, rates, strict=True)
            ],
            100,
            " %",
        ),
        description,
        ("case", *(f"pass, {one.label}" if len(runs) > 1 else "pass" for one in runs)),
        tuple(
            (label, *(percent(rate[i] / 100) for rate in rates)) for i, label in enumerate(labels)
        ),
    )


def _rates(run: ClassRun, first: ClassRun) -> Floats:
    """The pass rates of a run on the first one's cases; NaN where it has no such case."""
    rates = dict(zip([(c.challenge, c.id) for c in run.cases], pass_rates(run), strict=True))
    return np.array([rates.get((c.challenge, c.id), np.nan) for c in first.cases])


def items_chart(items: Sequence[CaseItem]) -> Chart | None:
    """Difficulty against discrimination, a point for each case."""
    known = [i for i in items if i.item.correlation is not None]
    if not known:
        return None
    weak = [i.case.id for i in known if (i.item.correlation or 0) < WEAK]
    description = (
        f"{len(known)} cases; below the dashed line at {WEAK:g}: {', '.join(weak) or 'none'}. "
        "Cases that everybody or nobody passes are not shown."
    )
    title = "Difficulty and discrimination of the cases"
    return Chart(
        title,
        scatter(
            "items",
            title,
            description,
            [Point(i.item.number, i.item.difficulty, i.item.correlation or 0.0) for i in known],
            ("share who pass", "correlation with the rest"),
            WEAK,
        ),
        description,
        ("case", "pass", "correlation"),
        tuple(
            (
                f"{i.item.number}  {i.case.id}",
                percent(i.item.difficulty),
                f"{i.item.correlation:.2f}",
            )
            for i in known
        ),
    )


def seconds(run: ClassRun) -> Floats:
    """(n,): how long each submission took, NaN where it is not recorded."""
    return np.array([float(p.get("seconds", np.nan)) for p in run.provenance], dtype=float)


def percent(share: float) -> str:
    """A share as text."""
    return "–" if np.isnan(share) else f"{share * 100:.0f} %"
