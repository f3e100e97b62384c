"""The grader's command: what it prints and writes, and one clear line for each wrong use."""

from __future__ import annotations

import csv
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from challenges.load import LESSON_ROOT
from grader.__main__ import main
from grader.gradebook import GRADES
from tests.tiny_class import KINDS, SCORES, TINY, write_class

LESSON = ["--lesson", str(TINY)]


def rows(out: Path) -> list[dict[str, str]]:
    with (out / GRADES).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["grade"], "give at least one PATH"),
        (["grade", "no-such-file.py"], "no-such-file.py: there is no such file or folder"),
        (["intake", "no-such-file.py"], "no-such-file.py: there is no such file or folder"),
        (["grade", "{class}", "--lesson", "{empty}"], "reference: cannot be loaded"),
        (["grade", "{class}", "--secret", "no-such-secret"], "no-such-secret cannot be read"),
        (["grade", "--resume", "--out", "{empty}/results"], "give the PATHs"),
        (["summary", "{empty}"], "holds no gradebook"),
        (["audit", "--variants", "no-such-folder"], "no-such-folder is not a folder"),
    ],
)
def test_a_wrong_use_is_one_clear_line(
    words: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    places = {"class": write_class(tmp_path / "class", 1), "empty": tmp_path / "empty"}
    places["empty"].mkdir()
    filled = [word.format(**places) for word in words]
    given = filled if "--lesson" in filled or words[0] == "summary" else [*filled, *LESSON]
    assert main(given) == 2
    shown = capsys.readouterr().err
    assert said in shown
    assert shown.startswith("python -m grader: ")
    assert "Traceback" not in shown


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["mark"],
        ["grade", "x", "--jobs", "0"],
        ["grade", "x", "--jobs", "many"],
        ["grade", "x", "--speed"],
        ["bench", "--count", "0"],
        ["bench", "--runs", "0"],
        ["scale", "--count", "0"],
        ["verify", "x", "--sample", "-1"],
    ],
)
def test_arguments_that_nobody_takes(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 2
    assert "usage: python -m grader" in capsys.readouterr().err


def test_debug_shows_the_traceback(tmp_path: Path) -> None:
    with pytest.raises(Exception, match="no such file"):
        main(["--debug", "grade", str(tmp_path / "missing.py")])


def test_help_says_what_is_a_submission(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["grade", "--help"])
    assert ended.value.code == 0
    assert "Any other folder is a class" in " ".join(capsys.readouterr().out.split())


def test_the_tiny_lesson_is_graded_by_the_same_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, out = write_class(tmp_path / "class", len(KINDS)), tmp_path / "results"
    assert main(["grade", str(folder), "--out", str(out), *LESSON]) == 0
    graded = rows(out)
    assert list(graded[0]) == ["submission", "student", "status", "score", "possible", "smooth"]
    assert [row["score"] for row in graded] == list(SCORES.values())
    assert {row["possible"] for row in graded} == {"10"}
    assert [row["status"] for row in graded] == ["graded"] * 4 + ["partial", "graded", "refused"]
    shown = capsys.readouterr().out
    assert "7 submissions: 5 graded, 1 partial, 1 refused." in shown
    assert "the file is empty" in shown
    for row in graded:
        named = [
            file
            for file in (out / "feedback").glob("*.json")
            if json.loads(file.read_text())["submission"] == row["submission"]
        ]
        assert len(named) == 1
        assert named[0].with_suffix(".html").is_file()


@pytest.mark.parametrize(
    ("answers", "points", "note"),
    [
        ('{"answers": {"first-mean": "2,5", "kinds": [0, 1], "shorter": [99]}}', "2", "2 of 4"),
        ('{"answers": {"first-mean": 2.5, "kinds": [0]}}', "1", "1 of 4"),
        ('{"answers": []}', "0", "save it again"),
        (None, "0", "no answers.json was handed in"),
    ],
)
def test_answers_handed_in_beside_the_code_are_scored(
    tmp_path: Path, answers: str | None, points: str, note: str
) -> None:
    lesson, folder, out = tmp_path / "lesson", tmp_path / "anna", tmp_path / "results"
    shutil.copytree(TINY, lesson)
    settings = lesson / "course" / "lesson.yaml"
    settings.write_text(settings.read_text("utf-8") + "graded: true\n", "utf-8")
    folder.mkdir()
    (folder / "smoothing.py").write_text(KINDS["right"])
    if answers is not None:
        (folder / "answers.json").write_text(answers)
    assert main(["grade", str(folder), "--out", str(out), "--lesson", str(lesson)]) == 0
    (row,) = rows(out)
    assert row["questions"] == points
    assert row["smooth"] == "10"
    assert (row["score"], row["possible"]) == (str(10 + int(points)), "14")
    (feedback,) = (out / "feedback").glob("*.json")
    assert note in "".join(json.loads(feedback.read_text())["notes"])


def test_what_students_write_is_data(tmp_path: Path) -> None:
    folder = tmp_path / "class"
    folder.mkdir()
    evil = '=HYPERLINK("x")<script>alert(1)</script>.py'.replace("/", "∕")
    (folder / evil).write_text(
        "def moving_average(values, width):\n"
        "    raise ValueError('<img src=x onerror=alert(2)>\\x1b[31m')\n"
    )
    out = tmp_path / "results"
    assert main(["grade", str(folder / evil), "--out", str(out), *LESSON]) == 0
    (row,) = rows(out)
    assert row["student"].startswith("'=HYPERLINK")
    (page,) = (out / "feedback").glob("*.html")
    text = page.read_text("utf-8")
    assert "<script>" not in text
    assert "<img" not in text
    assert "&lt;img src=x" in text
    assert "\x1b" not in text


def test_intake_reports_without_running(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "class"
    folder.mkdir()
    ran = tmp_path / "ran"
    (folder / "a.py").write_text(f"open({str(ran)!r}, 'w')\n")
    (folder / "b.py").write_bytes("# müde\nx = 1\n".encode("latin-1"))
    (folder / "c.py").write_text("")
    assert main(["intake", str(folder), *LESSON]) == 1
    shown = capsys.readouterr().out
    assert f"accepted  {folder / 'a.py'}" in shown
    assert f"repaired  {folder / 'b.py'}" in shown
    assert "read as Latin-1" in shown
    assert f"refused   {folder / 'c.py'}: the file is empty" in shown
    assert "1 accepted, 1 refused, 1 repaired." in shown
    assert not ran.exists()


def test_a_pipe_that_closes_early_is_no_error(tmp_path: Path) -> None:
    folder = write_class(tmp_path / "class", 60)
    command = [sys.executable, "-m", "grader", "intake", str(folder), *LESSON]
    with subprocess.Popen(
        command, cwd=LESSON_ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
