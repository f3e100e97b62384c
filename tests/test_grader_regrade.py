"""Grading again does only what changed, and the diff says why; on the tiny lesson."""

from __future__ import annotations

import csv
import json
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from grader import grade, grading, provenance
from grader.__main__ import main
from grader.batch import Batch
from grader.changes import changes
from grader.entry import Entry
from grader.gradebook import Gradebook

FIXTURES = Path(__file__).parent / "fixtures"
TINY = FIXTURES / "tiny"
RIGHT, HALF, NOTHING = (
    (FIXTURES / "smoothing" / f"{name}.py").read_text() for name in ("right", "half", "nothing")
)


class Desk:
    """A folder of submissions, a lesson, and the grader's command; knows what was marked anew."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self.lesson = TINY
        self.marked: list[str] = []
        (folder / "class").mkdir()
        for name, source in (("right", RIGHT), ("half", HALF), ("nothing", NOTHING)):
            self.hand_in(name, source)
        marked = self.marked

        class Watched(Batch):
            def run(self, paths: Iterable[str]) -> Iterator[Entry]:
                for entry in super().run(paths):
                    marked.append(Path(entry.submission).stem)
                    yield entry

        monkeypatch.setattr(grade, "Batch", Watched)

    def hand_in(self, name: str, source: str) -> None:
        (self.folder / "class" / f"{name}.py").write_text(source)

    def grade(self, out: str = "results", *options: str) -> list[str]:
        """Grade all; the names of those that were marked anew."""
        self.marked.clear()
        words = ["grade", str(self.folder / "class"), "--out", str(self.folder / out)]
        assert main([*words, "--lesson", str(self.lesson), "--jobs", "2", *options]) == 0
        return sorted(self.marked)

    def changed(self, folder: str, edit: Callable[[str], str], file: str) -> None:
        """Go on with a copy of the lesson in which one file is edited."""
        copy = self.folder / folder
        shutil.copytree(self.lesson, copy, ignore=shutil.ignore_patterns("__pycache__"))
        text = (copy / file).read_text()
        assert edit(text) != text
        (copy / file).write_text(edit(text))
        self.lesson = copy

    def diff(self) -> dict[str, tuple[Sequence[str], dict[str, Sequence[str]]]]:
        """Causes by submission, as a whole and by case."""
        results = self.folder / "results"
        with Gradebook.read(results / "previous.sqlite") as old, Gradebook.read(results) as new:
            return {
                Path(change.submission).stem: (
                    change.causes,
                    {case.name: case.causes for case in change.cases},
                )
                for change in changes(old, new)
            }

    def marks(self, out: str = "results") -> dict[str, str]:
        with (self.folder / out / "grades.csv").open(newline="") as file:
            return {Path(row["submission"]).stem: row["score"] for row in csv.DictReader(file)}


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    desk = Desk(tmp_path, monkeypatch)
    assert desk.grade() == ["half", "nothing", "right"]
    assert desk.marks() == {"half": "6", "nothing": "0", "right": "10"}
    return desk


def as_undisturbed(desk: Desk) -> None:
    """What was taken over and what was marked make the same marks as grading all anew."""
    desk.grade("fresh", "--fresh")
    files = [desk.folder / out / "grades.csv" for out in ("results", "fresh")]
    assert files[0].read_bytes() == files[1].read_bytes()


def test_nothing_changed(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    before = (desk.folder / "results" / "grades.csv").read_bytes()
    monkeypatch.setattr(grade, "Batch", None)  # no worker may even be started
    assert desk.grade() == []
    assert (desk.folder / "results" / "grades.csv").read_bytes() == before
    assert desk.diff() == {}


def test_fresh_marks_all_anew(desk: Desk) -> None:
    assert desk.grade("results", "--fresh") == ["half", "nothing", "right"]


def test_a_submission_changed(desk: Desk) -> None:
    desk.hand_in("half", RIGHT)
    assert desk.grade() == ["half"]
    assert desk.diff() == {"half": (("submission",), {"smooth/drawn-range": ("submission",)})}
    feedback = [
        json.loads(f.read_text()) for f in (desk.folder / "results/feedback").glob("*half*.json")
    ]
    assert [f["score"] for f in feedback] == [10]
    as_undisturbed(desk)


def test_a_submission_came_and_one_went(desk: Desk) -> None:
    desk.hand_in("late", HALF + "# late\n")
    (desk.folder / "class" / "nothing.py").unlink()
    assert desk.grade() == ["late"]
    assert desk.diff() == {"late": ((), {}), "nothing": ((), {})}
    names = sorted(re.sub("-[0-9a-f]{10}", "", f.name) for f in feedback_of(desk))
    assert names == [
        f"class-{name}-py.{kind}" for name in ("half", "late", "right") for kind in ("html", "json")
    ]
    as_undisturbed(desk)


def feedback_of(desk: Desk) -> list[Path]:
    return list((desk.folder / "results" / "feedback").iterdir())


def test_a_renamed_submission_keeps_its_result_under_its_own_name(desk: Desk) -> None:
    shutil.copy(desk.folder / "class" / "right.py", desk.folder / "class" / "copy.py")
    desk.grade("elsewhere")
    # Tracebacks name the file, so a file of another name is another submission.
    assert desk.grade() == ["copy"]
    folders = desk.folder / "class"
    for name in ("ada", "bob"):
        (folders / name).mkdir()
        (folders / name / "smoothing.py").write_text(HALF)
    assert desk.grade() == ["ada", "bob"]  # only the run before is looked at
    (folders / "cyd").mkdir()
    (folders / "cyd" / "smoothing.py").write_text(HALF)
    assert desk.grade() == []
    with Gradebook.read(desk.folder / "results") as book:
        result = next(r for r in book.results() if r.submission.endswith("cyd"))
    assert result.student == "cyd"
    assert result.earned == 6
    assert any("cyd" in file.name for file in feedback_of(desk))
    as_undisturbed(desk)


def test_a_roster_that_comes_later_puts_its_names_on_the_feedback(desk: Desk) -> None:
    roster = desk.folder / "class.csv"
    rows = [f"s{n},{desk.folder}/class/{name}.py" for n, name in enumerate(desk.marks())]
    roster.write_text("\n".join(["id,submission", *rows]))
    desk.grade("fresh", "--roster", str(roster))
    assert desk.grade("results", "--roster", str(roster)) == []
    pages = {file.name: file.read_text() for file in feedback_of(desk) if file.suffix == ".html"}
    title = re.compile("<title>(.*)</title>")
    for name, page in pages.items():
        anew = (desk.folder / "fresh" / "feedback" / name).read_text()
        assert title.findall(page) == title.findall(anew)
    assert (desk.folder / "results/grades.csv").read_bytes() == (
        desk.folder / "fresh/grades.csv"
    ).read_bytes()
    desk.grade("plain")
    assert (desk.folder / "plain/grades.csv").read_bytes() != (
        desk.folder / "fresh/grades.csv"
    ).read_bytes()


def test_the_tests_changed(desk: Desk) -> None:
    desk.changed(
        "other",
        lambda text: text.replace("points: 4", "points: 3").replace("points: 2\n", "points: 3\n"),
        "challenges/smooth/challenge.yaml",
    )
    assert desk.grade() == ["half", "nothing", "right"]
    assert desk.marks() == {"half": "7", "nothing": "0", "right": "10"}
    tests = ("tests",)
    both = {"smooth/by-hand": tests, "smooth/drawn-range": tests}
    found = desk.diff()
    assert found["half"] == (tests, both)
    as_undisturbed(desk)


def test_a_hint_changed(desk: Desk) -> None:
    """Feedback has to be written again, but no mark has another cause."""
    desk.changed(
        "other", lambda text: text.replace("halve", "HALVE"), "challenges/smooth/challenge.yaml"
    )
    assert desk.grade() == ["half", "nothing", "right"]
    assert desk.diff() == {}


def test_the_reference_changed(desk: Desk) -> None:
    desk.changed(
        "other",
        lambda text: text.replace("rows.max(axis=-1)", "np.maximum(rows.max(axis=-1), 0)"),
        "reference/windows.py",
    )
    assert desk.grade() == ["half", "nothing", "right"]
    assert desk.marks() == {"half": "10", "nothing": "0", "right": "6"}
    changed = (("reference",), {"smooth/drawn-range": ("reference",)})
    assert desk.diff() == {"half": changed, "right": changed}


def test_the_environment_changed(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    facts = dict(provenance.kit_facts())
    facts["versions"] = {**facts["versions"], "numpy": "0.1"}
    for module in (provenance, grading):
        monkeypatch.setattr(module, "kit_facts", lambda: facts)
    assert desk.grade() == ["half", "nothing", "right"]
    assert desk.diff() == {}
    was = np.__version__
    tamper(desk, "half", "smooth/drawn-range")
    cause = (f"environment (numpy {was} → 0.1)",)
    assert desk.diff() == {"half": (cause, {"smooth/drawn-range": cause})}


def test_another_tier(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was confined otherwise is marked anew."""
    monkeypatch.setattr(grading, "probe_tier", lambda: "another")
    assert desk.grade() == ["half", "nothing", "right"]


def test_the_graders_code_changed(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    facts = {**provenance.kit_facts(), "code": "other", "commit": "f" * 40}
    for module in (provenance, grading):
        monkeypatch.setattr(module, "kit_facts", lambda: facts)
    assert desk.grade() == ["half", "nothing", "right"]
    tamper(desk, "half", "smooth/drawn-range")
    ((cause,), _) = desk.diff()["half"]
    assert re.fullmatch(r"grader \(.+ → ffffffffff\)", cause)


def test_no_recorded_cause(desk: Desk) -> None:
    desk.grade()
    tamper(desk, "half", "smooth/drawn-range")
    ((cause,), _) = desk.diff()["half"]
    assert cause.startswith("nothing that is recorded")


def tamper(desk: Desk, name: str, case: str) -> None:
    """Give a stored result all marks of a case, as a run gone otherwise would have."""
    with sqlite3.connect(desk.folder / "results" / "gradebook.sqlite") as connection:
        where = f"%/{name}.py"
        cases = json.loads(
            connection.execute("SELECT value FROM run WHERE key = 'cases'").fetchone()[0]
        )
        place = next(i for i, c in enumerate(cases) if f"{c[0]}/{c[1]}" == case)
        query = "SELECT verdicts, parts FROM submission WHERE path LIKE ?"
        verdicts, parts = map(json.loads, connection.execute(query, (where,)).fetchone())
        verdicts[place][:2] = ["pass", cases[place][4]]
        parts[0][1] = "10"
        connection.execute(
            "UPDATE submission SET verdicts = ?, parts = ? WHERE path LIKE ?",
            (json.dumps(verdicts), json.dumps(parts), where),
        )
    connection.close()


def test_the_command_prints_submission_case_and_cause(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    desk.hand_in("half", RIGHT)
    desk.grade()
    results = desk.folder / "results"
    capsys.readouterr()
    assert main(["diff", str(results / "previous.sqlite"), str(results)]) == 1
    assert capsys.readouterr().out.splitlines() == [
        f"{desk.folder}/class/half.py: 6 of 10 → 10 of 10",
        "  smooth/drawn-range  fail 0/4 → pass 4/4 because of: submission",
        "1 of 3 submissions have other marks: submission 1.",
    ]
    assert main(["diff", str(results), str(results)]) == 0
    assert capsys.readouterr().out == "No marks changed; 3 submissions.\n"
    assert main(["diff", str(results), str(desk.folder / "class")]) == 2


def test_a_regrade_killed_midway_is_resumed_with_what_still_stands(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.hand_in("half", RIGHT)

    class KilledError(Exception):
        pass

    def kill(self: Batch, paths: Iterable[str]) -> Iterator[Entry]:
        yield from ()
        raise KilledError

    with monkeypatch.context() as patch:
        patch.setattr(grade, "Batch", type("Dying", (Batch,), {"run": kill}))
        words = ["grade", str(desk.folder / "class"), "--out", str(desk.folder / "results")]
        with pytest.raises(KilledError):
            main(["--debug", *words, "--lesson", str(desk.lesson)])
    assert desk.grade("results", "--resume") == ["half"]
    as_undisturbed(desk)


def test_verify_agrees(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["verify", str(desk.folder / "results"), "--lesson", str(desk.lesson), "--seed", "7"]
    assert main([*words, "--sample", "2"]) == 0
    text = "2 of 3 submissions marked again (--seed 7): all agree."
    assert capsys.readouterr().out.splitlines()[-1] == text
    assert main([*words, "--sample", "0"]) == 0
    assert capsys.readouterr().out.startswith("3 of 3")


def test_verify_finds_a_forged_mark(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    tamper(desk, "half", "smooth/drawn-range")
    words = ["verify", str(desk.folder / "results"), "--lesson", str(desk.lesson), "--sample", "0"]
    capsys.readouterr()
    assert main(words) == 1
    said = capsys.readouterr().out
    assert "half.py: 10 of 10 → 6 of 10" in said
    assert "grades.csv is not what the gradebook says" in said


@pytest.mark.parametrize(
    ("edit", "says"),
    [
        (lambda desk: desk.hand_in("half", RIGHT), "the file is not the one that was graded"),
        (lambda desk: (desk.folder / "class" / "half.py").unlink(), "not there any more"),
        (
            lambda desk: desk.changed(
                "other",
                lambda text: text.replace("scale: 2.0, shift: -20.0", "scale: 2.0, shift: 20.0"),
                "challenges/smooth/challenge.yaml",
            ),
            "Not as in the run: hashes.",
        ),
    ],
    ids=["submission", "gone", "tests"],
)
def test_verify_says_what_is_no_longer_as_it_was(
    desk: Desk, capsys: pytest.CaptureFixture[str], edit: Callable[[Desk], Any], says: str
) -> None:
    edit(desk)
    words = ["verify", str(desk.folder / "results"), "--lesson", str(desk.lesson), "--sample", "0"]
    capsys.readouterr()
    assert main(words) == 1
    assert says in capsys.readouterr().out
