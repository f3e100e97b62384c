"""Gradescope: the CSV of its own Download Grades, which other systems and scripts read.

Gradescope itself takes marks only from an autograder (`build/autograder.zip`), not from a file.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

from grader.cells import csv_text, harmless
from grader.exports.records import Record
from grader.verdict import points_text

HEADINGS = (
    "First Name", "Last Name", "SID", "Email", "Sections", "Total Score", "Max Points", "Status",
    "Submission ID", "Submission Time", "Lateness (H:M:S)", "View Count", "Submission Count",
)  # fmt: skip


def gradescope(records: Sequence[Record]) -> str:
    """One row a student; the parts follow as questions."""
    parts = list(next((r.grade.parts for r in records if r.grade), {}))
    headings = [*HEADINGS, *(harmless(f"{n}: {part}") for n, part in enumerate(parts, start=1))]
    return csv_text(headings, [_row(record, parts) for record in records], end="\n")


def _row(record: Record, parts: list[str]) -> list[str]:
    student = record.student
    first, _, last = student.full_name.rpartition(" ")
    submitted = student.submitted or (record.match.clue.submitted if record.match else None)
    folder = Path(record.submission).name
    status = {"missing": "Missing", "broken": "Ungraded", "several": "Ungraded"}
    return [
        *map(harmless, (student.first or first, student.last or last, student.id, student.email)),
        harmless(student.row.get("Sections", student.row.get("Section", ""))),
        points_text(record.mark),
        points_text(record.possible),
        status.get(record.status, "Graded"),
        folder.removeprefix("submission_") if folder.startswith("submission_") else "",
        submitted.isoformat(" ") if submitted else "",
        _hours(record.late.by) if record.grade else "",
        "",
        "" if record.status == "missing" else "1",
        *(points_text(record.grade.parts.get(part)) if record.grade else "" for part in parts),
    ]


def _hours(late: timedelta) -> str:
    minutes, seconds = divmod(int(late.total_seconds()), 60)
    return f"{minutes // 60:02d}:{minutes % 60:02d}:{seconds:02d}"
