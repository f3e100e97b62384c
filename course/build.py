"""Build every handout of a lesson: calculated in memory, searched for secrets, then swapped in."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from course.autograder import AUTOGRADER, build_autograder
from course.handout import Files, student_files
from course.leaks import Leak, find_leaks
from course.lesson import Lesson
from course.secret import secrets_of
from course.staff import staff_files

MADE = {
    "student": "for students: page, notebook, starter, tests",
    "staff": "for staff: solution, answers, hidden cases",
    AUTOGRADER: "for Gradescope and otter run",
}


class BuildError(Exception):
    """The build cannot be written; the text says why in one line."""


@dataclass(frozen=True)
class Built:
    """What a build gave: name → what it is; or the leaks it found, and then nothing was written."""

    made: dict[str, str]
    leaks: list[Leak]


def build(lesson: Lesson, out: Path, *, autograder: bool = True) -> Built:
    """Write `student/`, `staff/` and `autograder.zip` below `out`, whole or not at all.

    Without `autograder` the zip, which takes seconds, is left as it is.
    """
    student = student_files(lesson)
    leaks = find_leaks(student, secrets_of(lesson))
    if leaks:
        return Built({}, leaks)
    folders = {"student": student, "staff": staff_files(lesson)}
    for name in folders:
        _must_be_ours(out / name)
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".building-", dir=out) as scratch:
        stage = Path(scratch)
        for name, files in folders.items():
            _write(files, stage / name)
        if autograder:
            build_autograder(lesson, stage / AUTOGRADER)
            (stage / AUTOGRADER).replace(out / AUTOGRADER)
        for name in folders:
            _swap(stage / name, out / name, stage / f"old-{name}")
    return Built({name: MADE[name] for name in MADE if autograder or name in folders}, [])


def _must_be_ours(folder: Path) -> None:
    """A folder that a build would replace must have been made by one."""
    if folder.exists() and any(folder.iterdir()) and not (folder / "index.html").is_file():
        raise BuildError(f"{folder} holds something that no build made; give another --out")


def _write(files: Files, folder: Path) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def _swap(new: Path, place: Path, old: Path) -> None:
    if place.exists():
        place.rename(old)
    try:
        new.rename(place)
    except OSError:
        if old.exists():
            old.rename(place)
        raise
    shutil.rmtree(old, ignore_errors=True)
