"""Our own CSV of marks, and the one for a mail merge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from grader.cells import csv_text, harmless
from grader.exports.records import Record
from grader.verdict import points_text

HEADINGS = (
    "student", "name", "email", "submission", "status", "mark", "possible", "score", "days_late",
    "lost_by_lateness",
)  # fmt: skip


def marks(records: Sequence[Record]) -> str:
    """Everything: the mark to give, the stored score, what lateness took, the parts."""
    parts = list(next((r.grade.parts for r in records if r.grade), {}))
    rows = [
        [
            *map(harmless, (r.student.key, r.student.full_name, r.student.email, r.submission)),
            r.status,
            points_text(r.mark),
            points_text(r.possible),
            points_text(r.grade.score) if r.grade else "",
            str(r.late.days) if r.grade else "",
            points_text(r.late.points) if r.grade else "",
            *(points_text(r.grade.parts.get(part)) if r.grade else "" for part in parts),
        ]
        for r in records
    ]
    return csv_text([*HEADINGS, *map(harmless, parts)], rows)


def mail(records: Sequence[Record], links: Mapping[str, str]) -> str:
    """Who gets which feedback: one row for each student who has some."""
    rows = [
        [
            *map(harmless, (r.student.key, r.student.full_name, r.student.first, r.student.email)),
            points_text(r.mark),
            points_text(r.possible),
            links[r.submission],
        ]
        for r in records
        if r.submission in links
    ]
    headings = ["student", "name", "first_name", "email", "mark", "possible", "feedback"]
    return csv_text(headings, rows)
