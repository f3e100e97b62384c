"""What a worker's entries hold, read back as the gradebook reads it."""

from __future__ import annotations

from collections.abc import Iterable

from grader.entry import Entry, EntryMaker
from grader.grading import run_facts
from grader.lesson import GradedLesson
from grader.rows import RowReader
from grader.verdict import Result


def maker(lesson: GradedLesson) -> EntryMaker:
    """Makes entries as a run on this lesson would."""
    return EntryMaker(run_facts(lesson))


def results(entries: Iterable[Entry], lesson: GradedLesson) -> list[Result]:
    """The results in the entries' rows."""
    rows = RowReader(run_facts(lesson)["cases"])
    return [rows.read(entry.submission, entry.id, entry.row) for entry in entries]
