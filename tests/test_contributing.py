"""Every example of CONTRIBUTING.md is put into a copy of the lesson and must load as it says."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from course.lesson import Lesson, load_lesson
from grader.__main__ import main

ROOT = Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"^```(\w+)\n# file: (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def _examples() -> list[tuple[str, str, str]]:
    """(language, file, text) of each example, in the order of the page."""
    return BLOCK.findall((ROOT / "CONTRIBUTING.md").read_text("utf-8"))


def _apply(folder: Path, language: str, file: str, text: str) -> None:
    """Write a whole file, or replace the lines of a diff's minus by those of its plus."""
    path = folder / file
    if language != "diff":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        return
    lines = text.splitlines(keepends=True)
    old = "".join(line[1:] for line in lines if line.startswith("-"))
    new = "".join(line[1:] for line in lines if line.startswith("+"))
    before = path.read_text("utf-8")
    assert before.count(old) == 1, f"{file} no longer holds what the example replaces:\n{old}"
    path.write_text(before.replace(old, new), "utf-8")


@pytest.fixture(scope="module")
def lesson(tmp_path_factory: pytest.TempPathFactory) -> Lesson:
    folder = tmp_path_factory.mktemp("contributed")
    for room in ("course", "questions", "challenges", "reference"):
        shutil.copytree(
            ROOT / room,
            folder / room,
            ignore=shutil.ignore_patterns("__pycache__", "node_modules"),
        )
    for language, file, text in _examples():
        _apply(folder, language, file, text)
    return load_lesson(folder)


def test_the_page_has_an_example_for_each_kind_of_content() -> None:
    folders = {file.split("/")[0] for _, file, _ in _examples()}
    assert {"course", "questions", "challenges"} <= folders


def test_the_section_is_there_with_its_figures(lesson: Lesson) -> None:
    added = next(s for s in lesson.sections if s.section.id == "all-the-same")
    assert added.number == 11
    assert added.figures["same"]["shares"].tolist() == [[0.25] * 4] * 4


def test_the_question_is_there_with_its_answer(lesson: Lesson) -> None:
    added = lesson.question("share-of-four")
    assert added.numbers[("answer",)] == pytest.approx(0.25)


def test_the_challenge_is_there(lesson: Lesson) -> None:
    added = lesson.challenge("positions").challenge
    assert [case.visibility for case in added.cases] == ["public", "hidden"]
    assert len(lesson.challenges) == 4


def graded(submission: Path, lesson: Lesson, folder: Path) -> list[dict[str, Any]]:
    """The verdicts that a student reads of a submission."""
    out = folder / "results"
    assert main(["grade", str(submission), "--lesson", str(lesson.root), "--out", str(out)]) == 0
    feedback = json.loads(next((out / "feedback").glob("*.json")).read_text("utf-8"))
    verdicts: list[dict[str, Any]] = feedback["verdicts"]
    return verdicts


def test_the_fault_is_named(lesson: Lesson, tmp_path: Path) -> None:
    """A submission that makes the mistake of the example is told so; its shares are right."""
    submission = tmp_path / "attention.py"
    submission.write_text(
        "import numpy as np\n"
        "def attention_scores(Q, K):\n"
        "    return Q @ K.T / K.shape[1] ** 0.75\n",
        "utf-8",
    )
    failed = [v for v in graded(submission, lesson, tmp_path) if v["verdict"] == "fail"]
    assert failed
    names = {v["misconception"].partition(". ")[0] for v in failed}
    assert names == {"The width is raised to another power than one half"}


def test_a_wrong_answer_to_the_new_challenge_is_marked(lesson: Lesson, tmp_path: Path) -> None:
    """No fault is known for its function, so nothing is named; the mark is a zero all the same."""
    submission = tmp_path / "attention.py"
    submission.write_text(
        "import numpy as np\n"
        "def positional_encoding(length, width):\n"
        "    return np.zeros((length, width))\n",
        "utf-8",
    )
    new = [v for v in graded(submission, lesson, tmp_path) if v["challenge"] == "positions"]
    assert [(v["verdict"], v["earned"], v["misconception"]) for v in new] == [
        ("fail", 0, None),
        ("fail", 0, None),
    ]


def test_the_lesson_with_the_new_challenge_can_be_audited(
    lesson: Lesson, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["audit", "--brief", "--lesson", str(lesson.root)]) in {0, 1}
    assert "mutants of the reference" in capsys.readouterr().out
