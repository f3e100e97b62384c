"""Grading again does only what changed: results of the run before are taken over by their key."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from grader.entry import EntryMaker
from grader.feedback import is_written, write_feedback
from grader.gradebook import FEEDBACK, Gradebook
from grader.intake import Submission
from grader.lesson import GradedLesson
from grader.marking import taken_in
from grader.provenance import result_key
from grader.rows import to_row
from grader.verdict import Result


def take_over(
    lesson: GradedLesson,
    book: Gradebook,
    earlier: Gradebook,
    tier: str,
    maker: EntryMaker,
    advance: Callable[[], None],
) -> Iterator[str]:
    """Record every result that still stands; the paths of the submissions left to be graded."""
    folder = book.folder / FEEDBACK
    for path in book.pending():
        found = _found(path, lesson, earlier, tier)
        if found is None:
            yield path
            continue
        submission, stands = found
        result = _as_of(submission, stands, earlier)
        same = (stands.id, stands.student) == (result.id, result.student)
        if not same or not is_written(folder, result):
            write_feedback(folder, result.id, *maker.feedback.files(result))
        book.record(result.submission, to_row(result))
        advance()


def _found(
    path: str, lesson: GradedLesson, earlier: Gradebook, tier: str
) -> tuple[Submission, Result] | None:
    """The submission at a path, and the result that still stands for it."""
    try:
        submission = taken_in(path, lesson)
    except Exception:  # a worker will meet it again, and report it
        return None
    stands = earlier.standing(submission.path, result_key(submission, lesson, tier))
    return None if stands is None else (submission, stands)


def _as_of(submission: Submission, stands: Result, earlier: Gradebook) -> Result:
    """The result for this submission; its bytes may have been another's."""
    return replace(
        stands,
        submission=submission.path,
        id=submission.id,
        student=submission.student,
        # Graded by the same code, but perhaps at another commit.
        provenance={"commit": earlier.run["commit"], **stands.provenance},
    )
