"""What is exported of each student: the marks of a run joined with a roster, lateness applied."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from grader.gradebook import Gradebook
from grader.identity import Join, Match, join
from grader.lateness import Late, Lateness, lateness
from grader.roster import Roster, Student


class ExportError(ValueError):
    """Marks cannot be exported; the text says why."""


@dataclass(frozen=True)
class Grade:
    """One submission's grade; `score` is None where there is no mark (our fault, not a zero).

    `page` is the name of its feedback page.
    """

    submission: str
    student: str
    status: str
    score: Fraction | None
    possible: Fraction
    parts: Mapping[str, Fraction | None]
    page: str = ""


@dataclass(frozen=True)
class Record:
    """A student as exported: `mark` after lateness, None where there is none to give.

    `status` is that of the grade, or `missing` (nothing handed in) or `several` (staff decide).
    """

    student: Student
    status: str
    possible: Fraction
    grade: Grade | None = None
    match: Match | None = None
    late: Late = field(default_factory=Late)

    @property
    def mark(self) -> Fraction | None:
        """The mark to give."""
        if self.grade is None or self.grade.score is None:
            return None
        return self.grade.score - self.late.points

    @property
    def submission(self) -> str:
        """The path that was graded; empty for none."""
        return self.grade.submission if self.grade else ""


def read_grades(results: Path) -> list[Grade]:
    """The grades of a finished run, exact; raises GradebookError or ExportError."""
    with Gradebook.read(results) as book:
        total, graded = len(book.paths()), sum(book.counts().values())
        if graded < total:
            raise ExportError(
                f"{results}: {total - graded} of {total} submissions are not graded yet; "
                "go on with grade --resume"
            )
        return [
            Grade(
                result.submission,
                result.student,
                result.status,
                result.earned,
                result.possible,
                {part.name: part.earned for part in result.parts},
                f"{result.id}.html",
            )
            for result in book.results()
        ]


def make_records(
    grades: list[Grade], roster: Roster, rule: Lateness, hand_in: str
) -> tuple[list[Record], Join]:
    """A record for every student on the roster, in its order, and how the join came out."""
    by_path = {grade.submission: grade for grade in grades}
    recorded = {grade.submission: grade.student for grade in grades}
    joined = join(by_path, roster, hand_in, recorded)
    of_student: dict[int, list[Match]] = {}
    for match in joined.matched:
        for student in match.students:
            of_student.setdefault(student.line, []).append(match)
    possible = max((grade.possible for grade in grades), default=Fraction(0))
    records = []
    for student in roster.students:
        matches = of_student.get(student.line, [])
        graded = [m for m in matches if by_path[m.submission].status != "refused"] or matches
        if not graded:
            records.append(Record(student, "missing", possible))
        elif len(graded) > 1:
            records.append(Record(student, "several", possible))
        else:
            grade = by_path[graded[0].submission]
            records.append(_record(student, grade, graded[0], rule))
    return records, joined


def _record(student: Student, grade: Grade, match: Match, rule: Lateness) -> Record:
    late = Late()
    if grade.score is not None:
        submitted = student.submitted or match.clue.submitted
        late = lateness(rule, student.key, submitted, grade.score, grade.possible)
    return Record(student, grade.status, grade.possible, grade, match, late)


def changed(records: list[Record], old: list[Record]) -> list[Record]:
    """The records whose mark is not what it was, or whose student is new."""
    before = {record.student.key: record.mark for record in old}
    return [
        record
        for record in records
        if record.student.key not in before or before[record.student.key] != record.mark
    ]


def without_roster(grades: list[Grade]) -> Roster:
    """A roster of those who handed something in, as their paths name them."""
    students = tuple(
        Student(line, id=grade.student or grade.submission, submission=grade.submission)
        for line, grade in enumerate(grades, start=2)
    )
    return Roster(Path(), (), students)
