"""Canvas: the gradebook CSV that Grades, Import takes.

Canvas wants the student's columns first, `Section` the last of them, and knows an assignment by
`Name (id)`. With a gradebook that Canvas exported as the roster, all of these are its own. An empty
cell means no mark; where Canvas has one already, importing an empty cell takes it away.
"""

from __future__ import annotations

from collections.abc import Sequence

from grader.cells import csv_text, harmless
from grader.exports.records import Record
from grader.roster import Roster, Student
from grader.verdict import points_text

STUDENT = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")


def canvas(records: Sequence[Record], roster: Roster, assignment: str) -> str:
    """The gradebook with one assignment; `assignment` is its name, its id added where known."""
    own = [h for h in roster.headings if h == assignment or h.startswith(f"{assignment} (")]
    heading = own[0] if own else assignment
    possible = max((record.possible for record in records), default=None)
    rows = [["    Points Possible", "", "", "", "", points_text(possible)]]
    rows += [[*_columns(record.student), points_text(record.mark)] for record in records]
    return csv_text([*STUDENT, harmless(heading)], rows, end="\n")


def _columns(student: Student) -> list[str]:
    known = {
        "Student": f"{student.last}, {student.first}" if student.last else student.full_name,
        "ID": student.number,
        "SIS User ID": student.id,
        "SIS Login ID": student.login or student.email,
        "Section": "",
    }
    is_canvas = set(STUDENT) <= student.row.keys()
    return [harmless(student.row[name] if is_canvas else known[name]) for name in STUDENT]
