"""Our own CSV of marks, and the one for a mail merge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from grader.exports.cells import mark, text, write
from grader.exports.records import Record

HEADINGS = (
    "student", "name", "email", "submission", "status", "mark", "possible", "score", "days_late",
    "lost_by_lateness",
)  # fmt: skip


def marks(records: Sequence[Record]) -> str:
    """Everything: the mark to give, the stored score, what lateness took, the parts."""
    parts = list(next((r.grade.parts for r in records if r.grade), {}))
    rows = [
        [
            *map(text, (r.student.key, r.student.full_name, r.student.email, r.submission)),
            r.status,
            mark(r.mark),
            mark(r.possible),
            mark(r.grade.score) if r.grade else "",
            str(r.late.days) if r.grade else "",
            mark(r.late.points) if r.grade else "",
            *(mark(r.grade.parts.get(part)) if r.grade else "" for part in parts),
        ]
        for r in records
    ]
    return write([*HEADINGS, *map(text, parts)], rows)


def mail(records: Sequence[Record], links: Mapping[str, str]) -> str:
    """Who gets which feedback: one row for each student who has some."""
    rows = [
        [
            *map(text, (r.student.key, r.student.full_name, r.student.first, r.student.email)),
            mark(r.mark),
            mark(r.possible),
            links[r.submission],
        ]
        for r in records
        if r.submission in links
    ]
    headings = ["student", "name", "first_name", "email", "mark", "possible", "feedback"]
    return write(headings, rows)
