"""From what a student handed in to cells of source: read as data, repaired in plain sight, or
refused with a reason. Nothing is run, nothing is written."""

from grader.intake.paths import discover, shown, student_of, submission_id
from grader.intake.submission import Submission, take_in

__all__ = ["Submission", "discover", "shown", "student_of", "submission_id", "take_in"]
