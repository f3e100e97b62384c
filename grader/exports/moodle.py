"""Moodle: the assignment's grading worksheet filled in, or a CSV for Grades, Import.

With the worksheet that Moodle gives out (Download grading worksheet) as the roster, its own rows
come back with grade and feedback put in, so that Moodle still sees whether a grade was changed
meanwhile. With another roster, the columns are those that Moodle's grade import maps.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from grader.exports.cells import mark, text, write
from grader.exports.records import ExportError, Record
from grader.roster import Roster

WORKSHEET = ("Identifier", "Grade", "Last modified (grade)")
FEEDBACK = "Feedback comments"


def moodle(
    records: Sequence[Record], roster: Roster, assignment: str, links: Mapping[str, str]
) -> str:
    """The worksheet if the roster is one, else id, address, name, grade and feedback."""
    if set(WORKSHEET) <= set(roster.headings):
        return _worksheet(records, roster, links)
    headings = ["ID number", "Email address", "First name", "Surname", text(assignment), FEEDBACK]
    rows = [
        [
            *map(text, (r.student.id, r.student.email, r.student.first or r.student.full_name,
                        r.student.last)),
            mark(r.mark),
            links.get(r.submission, ""),
        ]
        for r in records
    ]  # fmt: skip
    return write(headings, rows)


def _worksheet(records: Sequence[Record], roster: Roster, links: Mapping[str, str]) -> str:
    rows = []
    for record in records:
        _check_most(record)
        row = dict(record.student.row)
        if record.mark is not None:
            row["Grade"] = mark(record.mark)
        link = links.get(record.submission)
        if link and FEEDBACK in row:
            row[FEEDBACK] = link
        rows.append([text(row.get(heading, "")) for heading in roster.headings])
    return write(roster.headings, rows)


def _check_most(record: Record) -> None:
    most = record.student.row.get("Maximum Grade", "").strip()
    try:
        fits = not most or Fraction(most) == record.possible
    except ValueError:
        fits = True  # a scale, not points
    if not fits:
        raise ExportError(
            f"the worksheet's Maximum Grade is {most}, but the marks are out of "
            f"{mark(record.possible)}; set the assignment's maximum in Moodle to that first"
        )
