"""`python -m grader summary`: a table of marks, and what needs a look; also shown after a run."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from statistics import mean, median

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from grader.gradebook import Gradebook
from grader.printable import one_line
from grader.verdict import Result, points_text

SHORT_CLASS = 60
MOST_REASONS = 10
GAP = 3  # between two columns of a table
LONGEST_LINE = 500


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `summary` to the grader's commands."""
    text = "show the marks of a run on the terminal"
    parser = subparsers.add_parser("summary", help=text, description=f"{text.capitalize()}.")
    parser.add_argument("results", type=Path, metavar="RESULTS", help="the folder that grade wrote")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the table that a run ends with."""
    with Gradebook.read(args.results) as book:
        print_summary(book, Console(highlight=False))
    return 0


def print_summary(book: Gradebook, console: Console) -> None:
    """A row for each submission of a small class; mean and median of each part for any class."""
    counts = book.counts()
    total = sum(counts.values())
    parts: list[str] = book.run["parts"]
    if total <= SHORT_CLASS:
        console.print(_marks(book.marks(), parts, console.width))
    console.print(_averages(book.marks(), parts))
    words = ", ".join(f"{counts[name]} {name}" for name in sorted(counts))
    console.print(f"{total} submission{'s' * (total != 1)}: {words}.")
    for result in _first(r for r in book.marks() if r.reason):
        line = one_line(f"{result.submission}: {result.reason}", LONGEST_LINE)
        console.print(f"  {escape(line)}", highlight=False, soft_wrap=True)


def _first(results: Iterable[Result]) -> Iterable[Result]:
    for number, result in enumerate(results):
        if number == MOST_REASONS:
            return
        yield result


def _marks(results: Iterable[Result], parts: list[str], width: int) -> Table:
    names = ["score", *parts]
    left = width - sum(len(name) + GAP for name in ["status", "", *names])
    table = Table(box=box.SIMPLE)
    table.add_column("submission", overflow="ellipsis", no_wrap=True, max_width=max(left, 20))
    table.add_column("status", no_wrap=True, min_width=len("refused"))
    for name in names:
        table.add_column(name, justify="right", no_wrap=True, min_width=len(name))
    for result in results:
        table.add_row(
            escape(one_line(result.submission.rpartition("/")[2], LONGEST_LINE)),
            result.status,
            points_text(result.earned),
            *(points_text(part.earned) for part in result.parts),
        )
    return table


def _averages(results: Iterable[Result], parts: list[str]) -> Table:
    """Over everything that has a mark: submissions that are broken on our side are left out."""
    scores: list[list[float]] = [[] for _ in range(len(parts) + 1)]
    possible = Fraction(0)
    for result in results:
        if result.earned is None:
            continue
        possible = result.possible
        scores[0].append(float(result.earned))
        for column, part in zip(scores[1:], result.parts, strict=True):
            column.append(float(part.earned or 0))
    table = Table(box=box.SIMPLE)
    table.add_column(f"of {points_text(possible)}")
    for name in ["score", *parts]:
        table.add_column(name, justify="right")
    for word, average in (("mean", mean), ("median", median)):
        table.add_row(word, *(f"{average(c):.1f}" if c else "" for c in scores))
    return table
