"""The class list: a CSV file as Canvas, Moodle, Gradescope or GitHub Classroom give it, or our own.

Columns are known by their usual headings in any order; at least an id, an e-mail address or a name
is needed. A column `submission` names a path outright, for what nothing else can decide.
"""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

_HEADINGS = {
    "id": ("sis user id", "id number", "sid", "student id", "student number", "identifier", "id",
           "student", "user id"),
    "email": ("email address", "email", "e-mail", "mail"),
    "name": ("full name", "name", "student name", "student"),
    "first": ("first name", "firstname", "given name"),
    "last": ("last name", "lastname", "surname", "family name"),
    "login": ("sis login id", "login", "login id", "username"),
    "github": ("github_username", "github username", "github"),
    "submission": ("submission",),
    "submitted": ("submission time", "last modified (submission)", "submitted"),
}  # fmt: skip
_TIMES = ("%A, %d %B %Y, %I:%M %p", "%A, %d %B %Y, %H:%M", "%Y-%m-%d %H:%M:%S %z")


class RosterError(ValueError):
    """The roster cannot be used; the text names the file and says why."""


@dataclass(frozen=True)
class Student:
    """One row: who it is, and the row as the file has it (for exports that give it back).

    `number` is the system's own (Canvas's ID, Moodle's participant); `submitted` may be naive.
    """

    line: int
    id: str = ""
    email: str = ""
    name: str = ""
    first: str = ""
    last: str = ""
    login: str = ""
    github: str = ""
    number: str = ""
    submission: str = ""
    submitted: datetime | None = None
    row: Mapping[str, str] = field(default_factory=dict, compare=False)

    @property
    def key(self) -> str:
        """What our own files call the student: the id, else the address, else the name."""
        return self.id or self.email or self.full_name

    @property
    def full_name(self) -> str:
        """The name as one text."""
        return self.name or f"{self.first} {self.last}".strip()


@dataclass(frozen=True)
class Roster:
    """All students of a roster, and its headings in their order."""

    file: Path
    headings: tuple[str, ...]
    students: tuple[Student, ...]


def read_roster(file: Path) -> Roster:
    """The students in `file`; raises RosterError, naming the line where there is one."""
    try:
        text = file.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise RosterError(f"{file} cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise RosterError(f"{file} is not UTF-8; save it as CSV UTF-8") from error
    if not text.strip():
        raise RosterError(f"{file} is empty")
    delimiter = max(",;\t", key=text.split("\n", 1)[0].count)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        headings = tuple(heading.strip() for heading in next(rows))
        columns = _columns(headings)
        if not columns.keys() & {"id", "email", "name", "last", "github", "number"}:
            shown = ", ".join(filter(None, headings))[:200]
            raise RosterError(f"{file}: no id, e-mail or name among the headings ({shown})")
        students = tuple(
            _student(rows.line_num, dict(zip(headings, cells, strict=False)), columns)
            for cells in rows
            if _is_student(cells)
        )
    except csv.Error as error:
        raise RosterError(f"{file}:{rows.line_num}: not readable as CSV: {error}") from error
    _check(file, students)
    return Roster(file, headings, students)


def _columns(headings: tuple[str, ...]) -> dict[str, str]:
    """Which heading holds which field; each heading serves one."""
    plain = {heading.casefold(): heading for heading in reversed(headings)}
    columns: dict[str, str] = {}
    if "sis user id" in plain and "id" in plain:  # a gradebook as Canvas exports it
        columns = {"number": plain["id"], "name": plain.get("student", "")}
    elif "identifier" in plain and "email address" in plain:  # Moodle's grading worksheet
        columns = {"number": plain["identifier"]}
    for name, known in _HEADINGS.items():
        free = [h for h in known if h in plain and plain[h] not in columns.values()]
        if free and name not in columns:
            columns[name] = plain[free[0]]
    return {name: heading for name, heading in columns.items() if heading}


def _is_student(cells: list[str]) -> bool:
    """Not an empty line, nor one of Canvas's rows that are nobody's."""
    first = cells[0].strip() if cells else ""
    others = {cell.strip() for cell in cells}
    return bool(others - {"", "Manual Posting", "Muted"}) and first not in {
        "Points Possible",
        "Student, Test",
        "Test Student",
    }


def _student(line: int, row: dict[str, str], columns: dict[str, str]) -> Student:
    values = {name: row.get(heading, "").strip() for name, heading in columns.items()}
    submitted = read_time(values.pop("submitted", ""))
    if "number" in values:
        values["number"] = re.sub(r"\D", "", values["number"])
    if "," in values.get("name", "") and not values.get("last"):
        values["last"], _, values["first"] = (p.strip() for p in values["name"].partition(","))
        values["name"] = f"{values['first']} {values['last']}".strip()
    return Student(line, **values, submitted=submitted, row=row)


def read_time(text: str) -> datetime | None:
    """A time as ISO 8601 or as Moodle writes it in English; None where it is neither."""
    text = text.strip()
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        pass
    for form in _TIMES:
        try:
            return datetime.strptime(text, form)
        except ValueError:
            continue
    return None


def _check(file: Path, students: tuple[Student, ...]) -> None:
    if not students:
        raise RosterError(f"{file}: no students below the headings")
    for what in ("id", "email", "login", "github", "number"):
        seen: dict[str, int] = {}
        for student in students:
            value = getattr(student, what).casefold()
            if value and value in seen:
                raise RosterError(
                    f"{file}:{student.line}: {what} {getattr(student, what)!r} is also that of "
                    f"line {seen[value]}; each student needs their own"
                )
            seen[value] = student.line
    for student in students:
        if not (student.key or student.number or student.github):
            raise RosterError(f"{file}:{student.line}: a student without id, e-mail or name")


def name_key(name: str) -> str:
    """A name for comparing: no case, no accents, its words in any order."""
    return " ".join(sorted(_name_words(name)))


def squeezed_keys(student: Student) -> set[str]:
    """The ways in which Canvas may run the student's name together (last name first)."""
    words = _name_words(student.full_name)
    orders = {"".join(words[cut:] + words[:cut]) for cut in range(len(words) or 1)}
    if student.last:
        orders = {"".join(_name_words(student.last) + _name_words(student.first))}
    return orders - {""}


def _name_words(name: str) -> list[str]:
    plain = unicodedata.normalize("NFKD", name.casefold())
    plain = "".join(c for c in plain if not unicodedata.combining(c))
    return re.findall(r"\w+", plain.replace("_", " ").replace("'", "").replace("’", ""))
