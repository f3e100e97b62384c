"""Moodle: the assignment's grading worksheet filled in, or a CSV for Grades, Import.

With the worksheet that Moodle gives out (Download grading worksheet) as the roster, its own rows
come back with grade and feedback put in, so that Moodle still sees whether a grade was changed
meanwhile. With another roster, the columns are those that Moodle's grade import maps.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from grader.cells import csv_text, harmless
from grader.exports.records import ExportError, Record
from grader.roster import Roster
from grader.verdict import points_text

WORKSHEET = ("Identifier", "Grade", "Last modified (grade)")
FEEDBACK = "Feedback comments"


def moodle(
    records: Sequence[Record], roster: Roster, assignment: str, links: Mapping[str, str]
) -> str:
    """The worksheet if the roster is one, else id, address, name, grade and feedback."""
    if set(WORKSHEET) <= set(roster.headings):
        return _worksheet(records, roster, links)
    headings = [
        "ID number",
        "Email address",
        "First name",
        "Surname",
        harmless(assignment),
        FEEDBACK,
    ]
    rows = [
        [
            *map(harmless, (r.student.id, r.student.email, r.student.first or r.student.full_name,
                        r.student.last)),
            points_text(r.mark),
            links.get(r.submission, ""),
        ]
        for r in records
    ]  # fmt: skip
    return csv_text(headings, rows)


def _worksheet(records: Sequence[Record], roster: Roster, links: Mapping[str, str]) -> str:
    rows = []
    for record in records:
        _check_most(record)
        row = dict(record.student.row)
        if record.mark is not None:
            row["Grade"] = points_text(record.mark)
        link = links.get(record.submission)
        if link and FEEDBACK in row:
            row[FEEDBACK] = link
        rows.append([harmless(row.get(heading, "")) for heading in roster.headings])
    return csv_text(roster.headings, rows)


def _check_most(record: Record) -> None:
    most = record.student.row.get("Maximum Grade", "").strip()
    try:
        fits = not most or Fraction(most) == record.possible
    except ValueError:
        fits = True  # a scale, not points
    if not fits:
        raise ExportError(
            f"the worksheet's Maximum Grade is {most}, but the marks are out of "
            f"{points_text(record.possible)}; set the assignment's maximum in Moodle to that first"
        )
