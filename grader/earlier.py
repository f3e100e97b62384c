"""Grading again does only what changed: results of the run before are taken over by their key."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from grader.feedback import FeedbackWriter
from grader.gradebook import Gradebook
from grader.intake import Submission
from grader.lesson import GradedLesson
from grader.marking import taken_in
from grader.provenance import result_key
from grader.verdict import Result


def take_over(
    lesson: GradedLesson,
    book: Gradebook,
    earlier: Gradebook,
    tier: str,
    feedback: FeedbackWriter,
    advance: Callable[[], None],
) -> Iterator[str]:
    """Record every result that still stands; the paths of the submissions left to be graded."""
    for path in book.pending():
        result = _found(path, lesson, earlier, tier)
        if result is None:
            yield path
            continue
        if not feedback.holds(result):
            feedback.write(result)
        book.record(result)
        advance()


def _found(path: str, lesson: GradedLesson, earlier: Gradebook, tier: str) -> Result | None:
    try:
        submission = taken_in(path, lesson)
    except Exception:  # a worker will meet it again, and report it
        return None
    result = earlier.result_by_key(result_key(submission, lesson, tier))
    return None if result is None else _as_of(submission, result, earlier)


def _as_of(submission: Submission, result: Result, earlier: Gradebook) -> Result:
    """The result for this submission; its bytes may have been another's."""
    return replace(
        result,
        submission=submission.path,
        id=submission.id,
        student=submission.student,
        # Graded by the same code, but perhaps at another commit.
        provenance={"commit": earlier.run["commit"], **result.provenance},
    )
