"""Grades all that is pending in a gradebook: takes over, marks, settles, records."""

from __future__ import annotations

import sqlite3
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import asdict
from itertools import chain
from typing import TYPE_CHECKING, Any, Protocol

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from grader.earlier import take_over
from grader.entry import Entry, EntryMaker
from grader.feedback import write_feedback
from grader.gradebook import FEEDBACK, Gradebook
from grader.lesson import GradedLesson, limits_of
from grader.marking import part_names, unmarked
from grader.provenance import case_facts, kit_facts, lock_hash, same_basis
from grader.sandbox.opening import probe_tier

if TYPE_CHECKING:
    from grader.harness import Harness


class Workers(Protocol):
    """Marks submissions, wherever that is done."""

    def run(self, paths: Iterable[str]) -> Iterator[Entry]:
        """An entry for every path, as they come."""
        ...


OpenWorkers = Callable[[EntryMaker, int], AbstractContextManager[Workers]]
"""Opens workers that make such entries, for at most so many submissions."""


def grade_all(
    lesson: GradedLesson, book: Gradebook, open_workers: OpenWorkers, fresh: bool = False
) -> None:
    """Grade all that is pending; results, feedback first, go to the gradebook as they come.

    Unless `fresh`, results of the run before are taken over where nothing changed.
    """
    total = book.unfinished
    maker = EntryMaker(book.run)
    with ExitStack() as stack:
        advance = stack.enter_context(_progress(total))
        paths = book.pending()
        if (earlier := book.previous()) is not None:
            stack.enter_context(earlier)
            if not fresh and same_basis(book.run, earlier.run):
                paths = take_over(lesson, book, earlier, probe_tier(), maker, advance)
        first = next(paths, None)
        if first is not None:  # else no worker need be started
            workers = stack.enter_context(open_workers(maker, total))
            harness = _harness(lesson)
            for entry in workers.run(chain([first], paths)):
                harness.confirm(entry.granted, entry.earned)
                _keep(entry, lesson, maker, book)
                advance()
        if earlier is not None:
            book.remove_stale_feedback(earlier.identifiers())


def _keep(entry: Entry, lesson: GradedLesson, maker: EntryMaker, book: Gradebook) -> None:
    """Write an entry. One that cannot be written is broken itself; the others go on."""
    try:
        _write(entry, book)
    except (OSError, sqlite3.OperationalError):  # the disk is full, or gone
        raise
    except Exception as error:
        reason = f"its result cannot be written: {error!r}"
        _write(maker.entry(unmarked(entry.submission, lesson, reason)), book)


def _write(entry: Entry, book: Gradebook) -> None:
    write_feedback(book.folder / FEEDBACK, entry.id, entry.page, entry.data)
    book.record(entry.submission, entry.row)


def run_facts(lesson: GradedLesson) -> dict[str, Any]:
    """What all results of a run have in common."""
    titles = {c.id: c.title for c in lesson.challenges} | {"questions": "Questions"}
    titles |= {case.name: case.prepared.case.title for case in lesson.cases}
    return {
        **kit_facts(),
        "hashes": lesson.hashes,
        "parts": part_names(lesson),
        "titles": titles,
        "cases": [
            (c.challenge.id, case.id, case.function, case.visibility, str(case.points))
            for c, case in ((c, c.prepared.case) for c in lesson.cases)
        ],
        "facts": {case.name: case_facts(case) for case in lesson.cases},
        "limits": {c.id: asdict(limits_of(c.limits)) for c in lesson.challenges},
        "lock": lock_hash(),
    }


def _harness(lesson: GradedLesson) -> Harness:
    """Otter's test files; they take a while to import, best while the workers start."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of otter's own imports
        from grader.harness import Harness  # noqa: PLC0415
    return Harness(lesson.challenges)


@contextmanager
def _progress(total: int) -> Iterator[Any]:
    """A progress bar on a terminal. It draws only when told to, so that no thread is running when
    a worker is forked."""
    bar = Progress(
        TextColumn("Grading"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        auto_refresh=False,
        transient=True,
        disable=not sys.stderr.isatty(),
    )
    with bar:
        task = bar.add_task("", total=total)

        def advance() -> None:
            bar.advance(task)
            if bar.finished or bar.tasks[0].completed % 10 == 0:
                bar.refresh()

        yield advance
