"""Whose a submission is: each system's names, the roster's forms, and never a guess."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.downloads import read_path
from grader.identity import Join, join, report_rows
from grader.roster import Roster, RosterError, Student, read_roster

DOWNLOADS = Path(__file__).parent / "fixtures" / "downloads"


def _roster(text: str, tmp_path: Path) -> Roster:
    file = tmp_path / "roster.csv"
    file.write_text(text, "utf-8")
    return read_roster(file)


def _owners(joined: Join) -> dict[str, tuple[str, ...]]:
    return {Path(m.submission).name: tuple(s.id for s in m.students) for m in joined.matched}


def _problems(joined: Join) -> dict[str, tuple[str, str]]:
    return {Path(p.submission).name: (p.kind, p.why) for p in joined.problems}


def test_canvas_names_are_read_with_the_gradebook() -> None:
    roster = read_roster(DOWNLOADS / "canvas" / "gradebook.csv")
    assert [s.id for s in roster.students] == ["s0001", "s0002", "s0003", "s0004", "s0005"]
    paths = [
        "submissions/doejane_123_900_attention-2.py",
        "submissions/oneilzoeann_LATE_124_901_my_attention (1).ipynb",
        "submissions/vanderbergli_125_902_attention.py",
        "submissions/doejane_127_903_attention.py",  # Jane's name with John's number
        "submissions/nobody_999_904_attention.py",
    ]
    joined = join(paths, roster, "attention")
    assert _owners(joined) == {
        "doejane_123_900_attention-2.py": ("s0001",),
        "oneilzoeann_LATE_124_901_my_attention (1).ipynb": ("s0002",),
        "vanderbergli_125_902_attention.py": ("s0003",),
    }
    assert [m.clue.late for m in joined.matched] == [False, True, False]
    problems = _problems(joined)
    assert problems["doejane_127_903_attention.py"] == (
        "ambiguous",
        "number '127' is s0005 (line 8); name 'doejane' is s0001 (line 4)",
    )
    assert problems["nobody_999_904_attention.py"] == (
        "unmatched",
        "not on the roster: number '999', name 'nobody'",
    )
    assert [s.id for s in joined.absent] == ["s0004", "s0005"]


@pytest.mark.parametrize(
    "path",
    [
        "all/Jane Doe_5001_assignsubmission_file_",
        "all/Jane Doe_5001_assignsubmission_file",
        "all/Jane Doe_5001_assignsubmission_file_/attention.py",
        "all/Jane Doe_5001_assignsubmission_file_attention-2.py",
    ],
)
def test_moodle_folders_and_files_are_read_with_the_worksheet(path: str) -> None:
    roster = read_roster(DOWNLOADS / "moodle" / "worksheet.csv")
    (match,) = join([path], roster, "attention").matched
    assert [s.id for s in match.students] == ["s0001"]
    assert match.by == "number"
    assert roster.students[0].submitted == datetime(2026, 3, 27, 23, 58)
    assert roster.students[2].submitted is None


def test_gradescope_metadata_names_all_of_a_group_and_the_time() -> None:
    folder = DOWNLOADS / "gradescope"
    roster = read_roster(folder / "roster.csv")
    paths = [str(folder / f"submission_{number}") for number in (90001, 90002, 90003)]
    joined = join(paths, roster, "attention")
    assert _owners(joined) == {
        "submission_90001": ("s0001",),
        "submission_90002": ("s0002", "s0003"),
    }
    assert joined.matched[1].clue.submitted == datetime(2026, 3, 29, 21, 30, tzinfo=UTC)
    assert _problems(joined)["submission_90003"][0] == "unmatched"
    assert [s.id for s in joined.absent] == ["s0004"]


def test_what_a_run_recorded_counts_only_where_the_path_is_silent() -> None:
    roster = read_roster(DOWNLOADS / "gradescope" / "roster.csv")
    recorded = {"gone/submission_7": "s0002; s0003", "x/s0001.py": "s0004", "y.py": "s9"}
    joined = join(recorded, roster, "attention", recorded)
    assert _owners(joined) == {"submission_7": ("s0002", "s0003"), "s0001.py": ("s0001",)}
    assert set(_problems(joined)) == {"y.py"}


def test_a_group_with_an_unknown_member_is_nobodys(tmp_path: Path) -> None:
    roster = _roster("id,email\ns0002,zoe@uni.example\n", tmp_path)
    joined = join([str(DOWNLOADS / "gradescope" / "submission_90002")], roster, "attention")
    assert joined.matched == []
    assert _problems(joined)["submission_90002"][0] == "unmatched"


def test_github_repositories_are_matched_unless_two_accounts_fit() -> None:
    roster = read_roster(DOWNLOADS / "classroom" / "roster.csv")
    joined = join(["c/attention-zoe", "c/attention-cat", "c/lab-octo-cat"], roster, "attention")
    assert _owners(joined) == {"attention-zoe": ("s0002",), "attention-cat": ("s0003",)}
    assert _problems(joined)["lab-octo-cat"] == (
        "ambiguous",
        "GitHub account 'octo-cat' is s0001 (line 2); GitHub account 'cat' is s0003 (line 4)",
    )


@pytest.mark.parametrize(
    ("path", "owner"),
    [
        ("x/s0001.py", "s0001"),
        ("x/S0001/attention.py", "s0001"),
        ("x/s0001_attention.ipynb", "s0001"),
        ("x/attention_s0001 (2).py", "s0001"),
        ("x/jane.doe@uni.example/attention.py", "s0001"),
        ("x/jane.doe.py", "s0001"),
        ("x/Doe, Jane.py", "s0001"),
        ("x/jane_doe.zip", "s0001"),
        ("x/ZOE ann oneil/attention.ipynb", "s0002"),
        ("x/attention.py", None),
        ("x/jane/attention.py", None),
        ("x/s00011.py", None),
        ("x/=cmd|' /C calc'!A0.py", None),
    ],
)
def test_plain_names(path: str, owner: str | None) -> None:
    joined = join([path], read_roster(DOWNLOADS / "gradescope" / "roster.csv"), "attention")
    assert [s.id for m in joined.matched for s in m.students] == ([owner] if owner else [])
    assert len(joined.problems) == (owner is None)


def test_a_name_that_two_students_have_is_ambiguous_and_the_roster_can_decide(
    tmp_path: Path,
) -> None:
    rows = "id,name,submission\n1,Sam Lee,\n2,Lee Sam,{}\n3,Kim Ro,\n"
    joined = join(["sam_lee.py"], _roster(rows.format(""), tmp_path), "attention")
    assert _problems(joined)["sam_lee.py"] == (
        "ambiguous",
        "name 'sam_lee' is 1 (line 2) or 2 (line 3)",
    )
    joined = join(["sam_lee.py"], _roster(rows.format("sam_lee.py"), tmp_path), "attention")
    assert _owners(joined) == {"sam_lee.py": ("2",)}


def test_the_report_has_a_row_for_every_student_and_every_problem(tmp_path: Path) -> None:
    roster = _roster("id,name\n1,Ann Poe\n2,Bo Roe\n", tmp_path)
    rows = report_rows(join(["1.py", "x/1.ipynb", "zz.py"], roster, "attention"))
    assert [(row[0], row[3], row[-1].split(":")[0]) for row in rows] == [
        ("1", "1.py", "one of 2 submissions"),
        ("1", "x/1.ipynb", "one of 2 submissions"),
        ("2", "", "nothing handed in"),
        ("", "zz.py", "unmatched"),
    ]


_WORDS = st.text(st.characters(codec="utf-8", exclude_characters="/\0"), max_size=20)


@given(st.lists(st.tuples(_WORDS, _WORDS), max_size=6), _WORDS)
def test_no_name_ever_crashes_the_join_or_gives_a_submission_to_two(
    people: list[tuple[str, str]], name: str
) -> None:
    students = tuple(
        Student(line, id=f"{line}{first}", name=f"{first} {last}", github=first)
        for line, (first, last) in enumerate(people, start=2)
    )
    paths = [f"all/{name}", *(f"{first} {last}.py" for first, last in people)]
    joined = join(paths, Roster(Path("r.csv"), (), students), "attention")
    assert len(joined.matched) + len(joined.problems) == len(paths)
    assert all(len(match.students) == 1 for match in joined.matched)


def test_a_metadata_file_inside_a_students_own_folder_is_not_believed(tmp_path: Path) -> None:
    own = tmp_path / "mallory"
    (own / "submission_90001").mkdir(parents=True)
    (own / "submission_metadata.yml").write_text(
        "submission_90001: {':submitters': [{':sid': s0001}]}\n", "utf-8"
    )
    assert read_path(own, "attention").label == "mallory"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"colour,size\nred,1\n", "no id, e-mail or name among the headings (colour, size)"),
        (b"id,name\n", "no students below the headings"),
        (b"id,name\n1,A\n1,B\n", ":3: id '1' is also that of line 2"),
        (b"id,email\n1,a@x\n2,A@X\n", ":3: email 'A@X' is also that of line 2"),
        (b"id,name\n\xff,A\n", "is not UTF-8"),
        (b'id,name\n1,"A\n', ":2: not readable as CSV"),
    ],
)
def test_a_roster_that_cannot_be_used_is_refused(
    tmp_path: Path, content: bytes, message: str
) -> None:
    file = tmp_path / "roster.csv"
    file.write_bytes(content)
    with pytest.raises(RosterError) as caught:
        read_roster(file)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@given(st.binary(max_size=200))
def test_any_bytes_are_a_roster_or_a_clear_refusal(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    file = tmp_path_factory.mktemp("any") / "roster.csv"
    file.write_bytes(b"id,email,name\n" + content)
    try:
        assert read_roster(file).students
    except RosterError as error:
        assert str(error).startswith(str(file))


@pytest.mark.parametrize(
    "metadata",
    [
        b"\xff\xfe",
        b"[1, 2]",
        b"submission_1: 3",
        b"submission_1: {':submitters': 5}",
        b"submission_1: {':submitters': [7, {':sid': [1]}]}",
        b"submission_1: {':created_at': 12}",
        b"submission_1: &a [*a]",
        b"submission_1: !!python/object/apply:os.system ['true']",
        b"{" * 3000,
    ],
)
def test_a_broken_list_of_submitters_names_nobody(tmp_path: Path, metadata: bytes) -> None:
    (tmp_path / "submission_metadata.yml").write_bytes(metadata)
    roster = Roster(Path("r.csv"), (), (Student(2, id="s1", name="A B"),))
    joined = join([str(tmp_path / "submission_1")], roster, "attention")
    assert [problem.kind for problem in joined.problems] == ["unmatched"]


def test_semicolons_and_a_byte_order_mark_are_understood(tmp_path: Path) -> None:
    file = tmp_path / "roster.csv"
    file.write_bytes("\ufeffSurname;First name;E-mail\nDoe;Jane;j@x\n".encode())
    (student,) = read_roster(file).students
    assert (student.last, student.first, student.email, student.key) == (
        "Doe",
        "Jane",
        "j@x",
        "j@x",
    )
