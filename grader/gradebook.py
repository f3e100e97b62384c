"""The gradebook: every result of a run in one SQLite file, each in a transaction of its own.

A result is there whole or not at all, whenever the run is killed; `--resume` goes on from it.
"""

from __future__ import annotations

import csv
import fcntl
import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Self

from grader.cells import harmless
from grader.intake import shown, submission_id
from grader.rows import COLUMNS, Row, RowReader
from grader.verdict import Result, points_text

FILE = "gradebook.sqlite"
PREVIOUS = "previous.sqlite"  # the run before, whose results are taken over where nothing changed
GRADES = "grades.csv"
FEEDBACK = "feedback"
SCHEMA = """
CREATE TABLE run (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE submission (
    path TEXT PRIMARY KEY, file BLOB NOT NULL, id TEXT UNIQUE NOT NULL, student TEXT,
    status TEXT, parts TEXT, verdicts TEXT, reason TEXT, notes TEXT, provenance TEXT,
    answers TEXT, key TEXT
);
CREATE INDEX submission_key ON submission (key);
"""
RESULT = ", ".join(("path", "id", *COLUMNS))
LEFT_OUT = {"verdicts": "'[]'", "notes": "'[]'", "provenance": "'{}'", "answers": "'{}'"}
MARKS = ", ".join(("path", "id", *(LEFT_OUT.get(column, column) for column in COLUMNS)))
CHUNK = 500
BARRED = {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM}


class GradebookError(Exception):
    """The gradebook cannot be used as asked; the text says why and what to do."""


class Gradebook:
    """Open one by `start`, `resume` or `read`; use it as a context manager."""

    def __init__(self, folder: Path, connection: sqlite3.Connection, lock: int | None) -> None:
        self.folder = folder
        self._connection = connection
        self._lock = lock
        self.run: dict[str, Any] = {
            key: json.loads(value) for key, value in connection.execute("SELECT * FROM run")
        }
        self._rows = RowReader(self.run["cases"])

    @classmethod
    def start(cls, folder: Path, run: Mapping[str, Any]) -> Self:
        """A new gradebook; a finished run in the folder is kept as the previous one."""
        lock = _locked(folder)
        file = folder / FILE
        if file.exists() and not _half_made(file):
            with cls.read(folder) as old:
                if old.unfinished:
                    os.close(lock)
                    raise GradebookError(
                        f"{folder} holds an unfinished run; go on with --resume, "
                        "or give another folder by --out"
                    )
                old.settle()
            (folder / GRADES).unlink(missing_ok=True)
            file.replace(folder / PREVIOUS)
        (folder / FEEDBACK).mkdir(exist_ok=True)
        connection = sqlite3.connect(file)
        _set_up(connection)
        with connection:
            connection.executescript(f"BEGIN;{SCHEMA}")
            connection.executemany(
                "INSERT INTO run VALUES (?, ?)", [(k, json.dumps(v)) for k, v in run.items()]
            )
        return cls(folder, connection, lock)

    @classmethod
    def resume(cls, folder: Path, run: Mapping[str, Any]) -> Self:
        """The gradebook of a run that was broken off, made by the same lesson and kit."""
        if not (folder / FILE).is_file() or _half_made(folder / FILE):
            return cls.start(folder, run)
        lock = _locked(folder)
        book = cls(folder, _opened(folder / FILE), lock)
        changed = [k for k in ("kit", "hashes", "cases") if book.run.get(k) != _plain(run[k])]
        if changed:
            book.close()
            raise GradebookError(
                f"{folder} was graded by another version of the kit or of the lesson "
                f"({', '.join(changed)} differ); grade again without --resume, into another folder"
            )
        return book

    @classmethod
    def read(cls, folder: Path) -> Self:
        """The gradebook of any run, to look at: its folder, or the file itself."""
        file = folder if folder.is_file() else folder / FILE
        if not file.is_file():
            raise GradebookError(f"{folder} holds no gradebook ({FILE})")
        return cls(file.parent, _opened(file), None)

    def previous(self) -> Gradebook | None:
        """The gradebook of the run before in this folder, if there was one."""
        file = self.folder / PREVIOUS
        return Gradebook.read(file) if file.is_file() else None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file and let go of the folder."""
        self._connection.close()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def settle(self) -> None:
        """Leave all in the one file, so that it can be moved."""
        self._connection.execute("PRAGMA journal_mode = DELETE")

    def enrol(self, paths: Iterable[str]) -> None:
        """Note every submission that is to be graded, before the first one is."""
        rows = ((shown(path), os.fsencode(path), submission_id(shown(path))) for path in paths)
        with self._connection:
            self._connection.executemany(
                "INSERT OR IGNORE INTO submission (path, file, id) VALUES (?, ?, ?)", rows
            )

    def paths(self) -> list[str]:
        """The path of every submission, in order."""
        query = "SELECT path FROM submission ORDER BY path"
        return [row[0] for row in self._connection.execute(query)]

    def assign(self, students: Mapping[str, str]) -> None:
        """Note whose submissions are, by path."""
        with self._connection:
            self._connection.executemany(
                "UPDATE submission SET student = ? WHERE path = ?",
                [(student, path) for path, student in students.items()],
            )

    def assigned(self) -> dict[str, str]:
        """Whose submissions are, by path, as far as it is noted."""
        query = "SELECT path, student FROM submission WHERE student NOT NULL"
        return dict(self._connection.execute(query).fetchall())

    @property
    def unfinished(self) -> int:
        """How many submissions have no result, or none that is the student's own."""
        query = "SELECT count(*) FROM submission WHERE status IS NULL OR status = 'broken'"
        return int(self._connection.execute(query).fetchone()[0])

    def counts(self) -> dict[str, int]:
        """How many results there are of each status."""
        query = "SELECT status, count(*) FROM submission WHERE status NOT NULL GROUP BY status"
        return dict(self._connection.execute(query).fetchall())

    def identifiers(self) -> list[str]:
        """The id of every submission."""
        return [row[0] for row in self._connection.execute("SELECT id FROM submission")]

    def pending(self) -> Iterator[str]:
        """The paths of the submissions still to be graded, in order."""
        last = ""
        while True:
            rows = self._connection.execute(
                "SELECT path, file FROM submission WHERE (status IS NULL OR status = 'broken')"
                " AND path > ? ORDER BY path LIMIT ?",
                (last, CHUNK),
            ).fetchall()
            if not rows:
                return
            yield from (os.fsdecode(row[1]) for row in rows)
            last = rows[-1][0]

    def record(self, path: str, row: Row) -> None:
        """Write the result of the submission at a path."""
        values = ", ".join(f"{column} = ?" for column in COLUMNS)
        with self._connection:
            self._connection.execute(
                f"UPDATE submission SET {values} WHERE path = ?",
                (*row, path),
            )

    def results(self) -> Iterator[Result]:
        """All results in the order of their paths, one at a time."""
        query = f"SELECT {RESULT} FROM submission WHERE status NOT NULL ORDER BY path"
        with closing(self._connection.execute(query)) as cursor:
            yield from map(self._result, cursor)

    def marks(self) -> Iterator[Result]:
        """All results in the order of their paths, with no more than their marks: neither verdicts
        nor notes, provenance or answers, which take most of the time to read."""
        query = f"SELECT {MARKS} FROM submission WHERE status NOT NULL ORDER BY path"
        with closing(self._connection.execute(query)) as cursor:
            yield from map(self._result, cursor)

    def file_of(self, result: Result) -> str:
        """The path at which the submission was read, as the system names it."""
        query = "SELECT file FROM submission WHERE path = ?"
        return os.fsdecode(self._connection.execute(query, (result.submission,)).fetchone()[0])

    def standing(self, path: str, key: str) -> Result | None:
        """A result that stands as long as all that its key sums up; the path's own if there is."""
        query = f"SELECT {RESULT} FROM submission WHERE key = ? AND status != 'broken'"
        row = self._connection.execute(
            f"{query} ORDER BY path != ? LIMIT 1", (key, path)
        ).fetchone()
        return None if row is None else self._result(row)

    def _result(self, row: Sequence[Any]) -> Result:
        return self._rows.read(row[0], row[1], row[2:])

    def remove_stale_feedback(self, previous: Iterable[str]) -> None:
        """Remove the feedback of submissions of the previous run that are not in this one."""
        for name in set(previous).difference(self.identifiers()):
            for suffix in ("json", "html"):
                (self.folder / FEEDBACK / f"{name}.{suffix}").unlink(missing_ok=True)

    def write_grades(self, folder: Path | None = None) -> Path:
        """Write grades.csv from the results, whole or not at all; by default beside them."""
        target = (folder or self.folder) / GRADES
        draft = target.with_name(f".{GRADES}.new")
        with draft.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            parts = self.run["parts"]
            writer.writerow(["submission", "student", "status", "score", "possible", *parts])
            for result in self.marks():
                writer.writerow(map(harmless, _grades_row(result)))
        draft.replace(target)
        return target


def _grades_row(result: Result) -> Sequence[str]:
    return [
        result.submission,
        result.student,
        result.status,
        points_text(result.earned),
        points_text(result.possible),
        *(points_text(part.earned) for part in result.parts),
    ]


def _plain(value: Any) -> Any:
    return json.loads(json.dumps(value))


def _locked(folder: Path) -> int:
    """Keep the folder for this run; the lock ends with the process, however that ends."""
    folder.mkdir(parents=True, exist_ok=True)
    number = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(number)
        raise GradebookError(f"another run is writing to {folder} at this moment") from None
    return number


def _opened(file: Path) -> sqlite3.Connection:
    try:
        connection = sqlite3.connect(file)
    except sqlite3.OperationalError as error:
        raise GradebookError(f"{file} cannot be opened ({error})") from None
    try:
        connection.execute("SELECT count(*) FROM run, submission").fetchone()
        _set_up(connection)
    except sqlite3.DatabaseError as error:
        connection.close()
        barred = error.sqlite_errorcode & 0xFF in BARRED
        what = "cannot be opened for reading and writing" if barred else "is no gradebook"
        raise GradebookError(f"{file} {what} ({error})") from None
    return connection


def _half_made(file: Path) -> bool:
    """Whether a run was killed before it had written anything into the file."""
    with closing(sqlite3.connect(file)) as connection, suppress(sqlite3.DatabaseError):
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        return int(tables) == 0
    return False


def _set_up(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
