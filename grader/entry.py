"""A result ready to be kept: its row of the gradebook and both files of feedback.

Entries are made where submissions are marked; who keeps the gradebook has only to write. One that
comes from another machine is plain data as JSON.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, get_args

from challenges.verdict_tests import verdict_name
from grader.feedback import Feedback
from grader.rows import COLUMNS, Row, RowReader, to_row
from grader.verdict import Result, Status, total


@dataclass(frozen=True, slots=True)
class Entry:
    """`granted` are the cases whose points count, as otter's tests name them; `earned` is what the
    judge makes of them, for otter to agree with."""

    submission: str
    id: str
    row: Row
    page: str
    data: str
    granted: tuple[str, ...]
    earned: float


class EntryMaker:
    """Makes the entries of one run; `run` is what all its results have in common."""

    def __init__(self, run: Mapping[str, Any]) -> None:
        self.run = run
        self.feedback = Feedback(run)

    def entry(self, result: Result) -> Entry:
        """The entry of a result."""
        return _entry(result, to_row(result), *self.feedback.files(result))


def _entry(result: Result, row: Row, page: str, data: str) -> Entry:
    counted = [v for v in result.verdicts if v.verdict == "pass" and v.earned == v.points]
    return Entry(
        result.submission,
        result.id,
        row,
        page,
        data,
        tuple(verdict_name(v.challenge, v.case) for v in counted),
        float(total(v.earned for v in result.verdicts)),
    )


def to_json(entries: Iterable[Entry]) -> bytes:
    """The entries as JSON, without what follows from their rows."""
    plain = [(e.submission, e.id, e.row, e.page, e.data) for e in entries]
    return json.dumps(plain).encode()


def from_json(data: bytes, rows: RowReader) -> list[Entry]:
    """The entries again; raises ValueError, KeyError or TypeError for anything else."""
    entries = []
    for submission, name, row, page, text in json.loads(data):
        if len(row) != len(COLUMNS) or not all(v is None or isinstance(v, str) for v in row):
            raise ValueError("not a row of the gradebook")
        result = rows.read(str(submission), str(name), row)
        if result.status not in get_args(Status):
            raise ValueError("no status of a result")
        entries.append(_entry(result, tuple(row), str(page), str(text)))
    return entries
