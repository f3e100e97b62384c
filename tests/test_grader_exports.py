"""Marks for other systems, read back with csv and the systems' documented headings."""

from __future__ import annotations

import argparse
import csv
import io
import json
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.exports import cells
from grader.exports.command import configure, run
from grader.exports.records import ExportError

DOWNLOADS = Path(__file__).parent / "fixtures" / "downloads"
GRADEBOOK = DOWNLOADS / "canvas" / "gradebook.csv"
WORKSHEET = DOWNLOADS / "moodle" / "worksheet.csv"
HEADINGS = "submission,student,status,score,possible,scores,masking,multihead"
CANVAS_ROWS = [
    "dl/doejane_123_900_attention-2.py,,graded,87.333333333333333333,100,30,30,27.33",
    "dl/oneilzoeann_LATE_124_901_attention.py,,graded,0,100,0,0,0",
    "dl/vanderbergli_125_902_attention.py,,broken,,100,,,",
    '"dl/hyperlinkhttpxexamplekim_126_903_attention.py",,refused,0,100,0,0,0',
]


def _results(folder: Path, rows: list[str]) -> Path:
    (folder / "feedback").mkdir(parents=True)
    (folder / "grades.csv").write_text("\n".join([HEADINGS, *rows]) + "\n", "utf-8")
    for number, row in enumerate(csv.reader(rows), start=1):
        page = folder / "feedback" / f"{number:03d} é.json"
        page.write_text(json.dumps({"submission": row[0]}), "utf-8")
        page.with_suffix(".html").write_text("<p>", "utf-8")
    return folder


def _export(form: str, results: Path, *arguments: object) -> tuple[int, list[list[str]]]:
    parser = argparse.ArgumentParser()
    configure(parser)
    out = results / "out.csv"
    options = [form, str(results), "--out", str(out), *map(str, arguments)]
    status = run(parser.parse_args(options))
    return status, list(csv.reader(io.StringIO(out.read_bytes().decode("utf-8"), newline="")))


def test_canvas_gets_its_own_columns_and_zero_is_not_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results = _results(tmp_path / "r", CANVAS_ROWS)
    status, rows = _export("canvas", results, "--roster", GRADEBOOK, "--assignment", "Attention")
    # What Canvas's import asks of a header: Student, ID, SIS User ID, SIS Login ID, ... Section.
    assert rows[0] == [
        "Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Attention (7001)"
    ]  # fmt: skip
    assert rows[1] == ["    Points Possible", "", "", "", "", "100"]
    own = list(csv.reader(io.StringIO(GRADEBOOK.read_text("utf-8"))))[3:8]
    assert [row[1:5] for row in rows[2:]] == [row[1:5] for row in own]
    marks = {row[2]: row[5] for row in rows[2:]}
    assert marks == {"s0001": "87.33", "s0002": "0", "s0003": "", "s0004": "0", "s0005": ""}
    assert rows[5][0] == """'=HYPERLINK("http://x.example","Kim")"""
    assert status == 1
    assert capsys.readouterr().err.splitlines() == [
        "broken: dl/vanderbergli_125_902_attention.py: no mark; our fault, grade it again"
    ]


def test_moodle_gets_its_worksheet_back(tmp_path: Path) -> None:
    results = _results(
        tmp_path / "r",
        [
            "d/Jane Doe_5001_assignsubmission_file_,,graded,70,100,30,30,10",
            "d/Zoë Ann O'Neil_5002_assignsubmission_file_,,graded,0,100,0,0,0",
        ],
    )
    status, rows = _export(
        "moodle", results, "--roster", WORKSHEET, "--link-base", "https://x.example/f"
    )
    own = list(csv.DictReader(io.StringIO(WORKSHEET.read_text("utf-8"))))
    read = [dict(zip(rows[0], row, strict=True)) for row in rows[1:]]
    assert rows[0] == list(own[0])
    for new, old in zip(read, own, strict=True):
        kept = old.keys() - {"Grade", "Feedback comments"}
        assert {name: new[name] for name in kept} == {name: old[name] for name in kept}
    assert [row["Grade"] for row in read] == ["70", "0", ""]
    assert [row["Feedback comments"] for row in read] == [
        "https://x.example/f/001%20%C3%A9.html",
        "https://x.example/f/002%20%C3%A9.html",
        "",
    ]
    assert status == 0


def test_moodle_with_another_maximum_is_refused(tmp_path: Path) -> None:
    results = _results(
        tmp_path / "r", ["d/Jane Doe_5001_assignsubmission_file_,,graded,7,10,7,0,0"]
    )
    with pytest.raises(ExportError, match=r"Maximum Grade is 100\.00, but the marks are out of 10"):
        _export("moodle", results, "--roster", WORKSHEET)


def test_moodle_without_a_worksheet_gets_columns_to_map(tmp_path: Path) -> None:
    results = _results(tmp_path / "r", ["d/s0001.py,,graded,7.125,10,7.125,0,0"])
    roster = DOWNLOADS / "gradescope" / "roster.csv"
    _, rows = _export("moodle", results, "--roster", roster, "--assignment", "=Attention")
    assert rows[0][:5] == ["ID number", "Email address", "First name", "Surname", "'=Attention"]
    assert rows[1][:5] == ["s0001", "jane.doe@uni.example", "Jane", "Doe", "7.13"]
    assert rows[2][4] == ""


def test_gradescope_rows_have_its_headings_and_statuses(tmp_path: Path) -> None:
    folder = DOWNLOADS / "gradescope"
    results = _results(
        tmp_path / "r",
        [
            f"{folder}/submission_90001,,graded,70,100,30,30,10",
            f"{folder}/submission_90002,,graded,100,100,30,30,40",
        ],
    )
    rule = tmp_path / "rule.yaml"
    rule.write_text(
        "deadline: 2026-03-27 23:59\ntime_zone: Europe/Berlin\nper_day: 10\ngrace_minutes: 5\n"
    )
    status, rows = _export(
        "gradescope", results, "--roster", folder / "roster.csv", "--lateness", rule
    )
    read = [dict(zip(rows[0], row, strict=True)) for row in rows[1:]]
    assert [row["SID"] for row in read] == ["s0001", "s0002", "s0003", "s0004"]
    assert [row["Total Score"] for row in read] == ["70", "80", "80", ""]
    assert [row["Status"] for row in read] == ["Graded", "Graded", "Graded", "Missing"]
    assert [row["Submission ID"] for row in read] == ["90001", "90002", "90002", ""]
    assert [row["Lateness (H:M:S)"] for row in read] == [
        "00:00:00", "46:31:00", "46:31:00", ""
    ]  # fmt: skip
    assert rows[0][-3:] == ["1: scores", "2: masking", "3: multihead"]
    assert status == 0


def test_only_changed_rows_and_the_stored_score_is_never_touched(tmp_path: Path) -> None:
    old = _results(tmp_path / "old", CANVAS_ROWS)
    new_rows = [CANVAS_ROWS[0].replace("87.33", "90.33"), *CANVAS_ROWS[1:]]
    new = _results(tmp_path / "new", new_rows)
    before = (new / "grades.csv").read_bytes()
    _, rows = _export("csv", new, "--roster", GRADEBOOK, "--changed-since", old)
    assert [(row[0], row[5]) for row in rows[1:]] == [("s0001", "90.33")]
    _, rows = _export("csv", new, "--roster", GRADEBOOK, "--changed-since", new)
    assert rows[1:] == []
    assert (new / "grades.csv").read_bytes() == before


def test_two_submissions_of_one_student_are_left_to_staff_unless_one_was_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [
        "a/s0001.py,,graded,70,100,30,30,10",
        "b/s0001.py,,graded,90,100,30,30,30",
        "a/s0002.py,,refused,0,100,0,0,0",
        "b/s0002.py,,graded,50,100,30,20,0",
    ]
    status, read = _export(
        "csv", _results(tmp_path / "r", rows), "--roster", DOWNLOADS / "gradescope" / "roster.csv"
    )
    marks = {row[0]: (row[4], row[5]) for row in read[1:]}
    assert marks["s0001"] == ("several", "")
    assert marks["s0002"] == ("graded", "50")
    assert marks["s0003"] == ("missing", "")
    assert status == 1
    assert "several: s0001: a/s0001.py, b/s0001.py" in capsys.readouterr().err


def test_without_a_roster_every_submission_is_a_row(tmp_path: Path) -> None:
    rows = ["A.py,ann,graded,70,100,30,30,10", "a.py,,graded,9,100,9,0,0"]
    _, read = _export("csv", _results(tmp_path / "r", rows))
    assert [(row[0], row[3], row[5]) for row in read[1:]] == [
        ("ann", "A.py", "70"),
        ("a.py", "a.py", "9"),
    ]


def test_the_mail_merge_has_a_link_for_everyone_with_feedback(tmp_path: Path) -> None:
    results = _results(tmp_path / "r", ["d/s0001.py,,graded,7,10,7,0,0"])
    roster = DOWNLOADS / "gradescope" / "roster.csv"
    _, rows = _export("mail", results, "--roster", roster, "--link-base", "https://x.example/a/")
    assert rows == [
        ["student", "name", "first_name", "email", "mark", "possible", "feedback"],
        ["s0001", "Jane Doe", "Jane", "jane.doe@uni.example", "7", "10",
         "https://x.example/a/001%20%C3%A9.html"],
    ]  # fmt: skip


@pytest.mark.parametrize("form", ["canvas", "moodle"])
def test_systems_with_their_own_ids_need_a_roster(form: str, tmp_path: Path) -> None:
    results = _results(tmp_path / "r", CANVAS_ROWS)
    with pytest.raises(ExportError, match="give --roster FILE"):
        _export(form, results)


def test_a_folder_without_grades_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ExportError, match=r"grades\.csv cannot be read: No such file"):
        _export("csv", tmp_path)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (Fraction(0), "0"),
        (None, ""),
        (Fraction(100), "100"),
        (Fraction(100, 3), "33.33"),
        (Fraction(1, 200), "0.01"),  # half a hundredth goes up
        (Fraction(5, 2), "2.5"),
    ],
)
def test_marks_are_rounded_once_half_up(value: Fraction | None, shown: str) -> None:
    assert cells.mark(value) == shown


@given(st.text(max_size=30))
def test_no_cell_starts_a_formula(value: str) -> None:
    cell = cells.text(value)
    assert cell in {value, f"'{value}"}
    if len(cell) > 1:
        assert not cell.lstrip(" ").startswith(("=", "+", "-", "@", "\t", "\r"))
    (read,) = csv.reader(io.StringIO(cells.write(["h"], [[cell]]).split("\r\n", 1)[1], newline=""))
    assert read == ([cell] if cell else [""])
