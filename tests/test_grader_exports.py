"""Marks for other systems, read back with csv and the systems' documented headings."""

from __future__ import annotations

import csv
import io
from fractions import Fraction
from pathlib import Path
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.__main__ import main
from grader.cells import csv_text, harmless
from grader.gradebook import Gradebook
from grader.intake import submission_id
from grader.rows import to_row
from grader.verdict import Part, Result, Status, points_text

DOWNLOADS = Path(__file__).parent / "fixtures" / "downloads"
GRADEBOOK = DOWNLOADS / "canvas" / "gradebook.csv"
WORKSHEET = DOWNLOADS / "moodle" / "worksheet.csv"
HEADINGS = "submission,student,status,score,possible,scores,masking,multihead"
CANVAS_ROWS = [
    "dl/doejane_123_900_attention-2.py,,graded,,100,30,30,82/3",
    "dl/oneilzoeann_LATE_124_901_attention.py,,graded,0,100,0,0,0",
    "dl/vanderbergli_125_902_attention.py,,broken,,100,,,",
    '"dl/hyperlinkhttpxexamplekim_126_903_attention.py",,refused,0,100,0,0,0',
]


def _results(folder: Path, rows: list[str]) -> Path:
    """A gradebook with these rows, the parts' points exact."""
    names = HEADINGS.split(",")[5:]
    run: dict[str, object] = {"parts": names, "cases": [], "kit": "", "hashes": {}}
    with Gradebook.start(folder, run) as book:
        for path, student, status, _, possible, *points in csv.reader(rows):
            shares = (Fraction(possible), Fraction(0), Fraction(0))
            parts = tuple(
                Part(name, Fraction(earned) if earned else None, share)
                for name, earned, share in zip(names, points, shares, strict=True)
            )
            book.enrol([path])
            name = submission_id(path)
            result = Result(path, name, student, cast("Status", status), parts)
            book.record(path, to_row(result))
        book.write_grades()
    return folder


def _export(form: str, results: Path, *arguments: object) -> tuple[int, list[list[str]]]:
    out = results / "out.csv"
    status = main(["export", form, str(results), "--out", str(out), *map(str, arguments)])
    if status == 2:
        return status, []
    return status, list(csv.reader(io.StringIO(out.read_bytes().decode("utf-8"), newline="")))


def _refused(capsys: pytest.CaptureFixture[str], form: str, *arguments: object) -> str:
    """The one line with which an export is refused."""
    assert main(["export", form, *map(str, arguments)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    return line


PARTICIPANTS = [
    "d/Jane Doe_5001_assignsubmission_file_",
    "d/Zoë Ann O'Neil_5002_assignsubmission_file_",
]


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
            f"{PARTICIPANTS[0]},,graded,,100,30,30,10",
            f"{PARTICIPANTS[1]},,graded,,100,0,0,0",
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
        *(f"https://x.example/f/{submission_id(path)}.html" for path in PARTICIPANTS),
        "",
    ]
    assert status == 0


def test_moodle_with_another_maximum_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results = _results(tmp_path / "r", [f"{PARTICIPANTS[0]},,graded,,10,7,0,0"])
    line = _refused(capsys, "moodle", results, "--roster", WORKSHEET)
    assert "Maximum Grade is 100.00, but the marks are out of 10" in line


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
    new_rows = [CANVAS_ROWS[0].replace("82/3", "91/3"), *CANVAS_ROWS[1:]]
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
         f"https://x.example/a/{submission_id('d/s0001.py')}.html"],
    ]  # fmt: skip


@pytest.mark.parametrize("form", ["canvas", "moodle"])
def test_systems_with_their_own_ids_need_a_roster(
    form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results = _results(tmp_path / "r", CANVAS_ROWS)
    assert f"{form} knows students by its own ids" in _refused(capsys, form, results)


def test_wrong_folders_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "holds no gradebook" in _refused(capsys, "csv", tmp_path)
    results = _results(tmp_path / "r", CANVAS_ROWS)
    missing = _refused(capsys, "csv", results, "--roster", tmp_path / "none.csv")
    assert "none.csv cannot be read: No such file or directory" in missing
    with Gradebook.resume(results, {"kit": "", "hashes": {}, "cases": []}) as book:
        book.enrol(["another.py"])
    assert "1 of 5 submissions are not graded yet" in _refused(capsys, "csv", results)


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
    assert points_text(value) == shown


@given(st.text(max_size=30))
def test_no_cell_starts_a_formula(value: str) -> None:
    cell = harmless(value)
    assert cell in {value, f"'{value}"}
    if len(cell) > 1:
        assert not cell.lstrip(" ").startswith(("=", "+", "-", "@", "\t", "\r"))
    (read,) = csv.reader(io.StringIO(csv_text(["h"], [[cell]]).split("\r\n", 1)[1], newline=""))
    assert read == ([cell] if cell else [""])
