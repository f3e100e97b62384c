"""A class graded with its roster: grades.csv, roster.csv, own variants, exports."""

from __future__ import annotations

import csv
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from challenges.figures import load_reference
from grader.__main__ import main
from questions.load import load_questions
from questions.personal import personal_questions

ROOT = Path(__file__).resolve().parent.parent
FIXTURES = Path(__file__).parent / "fixtures"
ROSTER = FIXTURES / "downloads" / "gradescope" / "roster.csv"
SECRET = b"a course secret of some length"
RIGHT = """
import numpy as np

def moving_average(values, width):
    return np.lib.stride_tricks.sliding_window_view(values, width).mean(axis=-1)

def running_range(values, width):
    rows = np.lib.stride_tricks.sliding_window_view(values, width)
    return rows.min(axis=-1), rows.max(axis=-1)
"""


def _rows(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


@pytest.fixture(scope="module")
def lesson(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tiny lesson with its questions graded."""
    root = tmp_path_factory.mktemp("lesson") / "tiny"
    shutil.copytree(FIXTURES / "tiny", root, ignore=shutil.ignore_patterns("__pycache__"))
    file = root / "course" / "lesson.yaml"
    settings = yaml.safe_load(file.read_text("utf-8")) | {"graded": True}
    file.write_text(yaml.safe_dump(settings), "utf-8")
    return root


def test_a_class_with_a_roster_and_its_own_variants(lesson: Path, tmp_path: Path) -> None:
    hand_in = yaml.safe_load((lesson / "course" / "lesson.yaml").read_text("utf-8"))["hand_in"]
    questions, _ = load_questions(lesson, load_reference(lesson))
    handed_in = tmp_path / "class"
    for student in ("s0001", "s0002", "stranger"):
        own = personal_questions(questions, load_reference(lesson), student, SECRET)
        mean = next(q for q in own if q.question.id == "first-mean").numbers[("answer",)]
        folder = handed_in / student
        folder.mkdir(parents=True)
        (folder / f"{hand_in}.py").write_text(RIGHT, "utf-8")
        answers = {"shorter": [0], "first-mean": repr(mean)}
        (folder / "answers.json").write_text(json.dumps({"answers": answers}), "utf-8")
    secret = tmp_path / "secret"
    secret.write_bytes(SECRET)
    out = tmp_path / "results"
    options = ["--lesson", str(lesson), "--roster", str(ROSTER), "--out", str(out)]
    command = [sys.executable, "-m", "grader", "grade", str(handed_in), *options]
    command += ["--secret", str(secret), "--jobs", "1", "--accept-weak-isolation"]
    graded = subprocess.run(command, cwd=ROOT, capture_output=True, check=False, text=True)
    assert graded.returncode == 1, graded.stderr  # the stranger needs a look
    grades = {Path(row["submission"]).name: row for row in _rows(out / "grades.csv")}
    assert {name: row["student"] for name, row in grades.items()} == {
        "s0001": "s0001", "s0002": "s0002", "stranger": ""
    }  # fmt: skip
    assert grades["s0001"]["questions"] == grades["s0002"]["questions"] == "2"
    report = [(row["student"], row["note"].split(":")[0]) for row in _rows(out / "roster.csv")]
    assert report == [
        ("s0001", ""), ("s0002", ""), ("s0003", "nothing handed in"),
        ("s0004", "nothing handed in"), ("", "unmatched"),
    ]  # fmt: skip
    assert "2 matched, 1 unmatched, 2 with nothing handed in" in graded.stdout

    exported = ["export", "csv", str(out), "--roster", str(ROSTER), "--lesson", str(lesson)]
    assert main(exported) == 1
    marks = {row["student"]: row["mark"] for row in _rows(out / "export-csv.csv")}
    assert marks == {"s0001": grades["s0001"]["score"], "s0002": grades["s0002"]["score"],
                     "s0003": "", "s0004": ""}  # fmt: skip
    for file in out.rglob("*"):
        assert not file.is_file() or SECRET not in file.read_bytes()


def test_a_bad_roster_stops_before_anything_is_graded(
    lesson: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    roster = tmp_path / "roster.csv"
    roster.write_text("colour\nred\n", "utf-8")
    out = tmp_path / "results"
    arguments = ["grade", str(tmp_path), "--roster", str(roster), "--out", str(out)]
    assert main([*arguments, "--lesson", str(lesson)]) == 2
    assert "no id, e-mail or name among the headings" in capsys.readouterr().err
    assert not out.exists()
