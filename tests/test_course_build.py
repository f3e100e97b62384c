"""A build gives the same bytes each time, and is written whole or not at all."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from challenges.load import LESSON_ROOT
from course import build as building
from course.build import BuildError, build
from course.leaks import Leak
from course.lesson import Lesson, load_lesson

TINY = Path(__file__).parent / "fixtures" / "tiny"


@pytest.fixture(scope="module")
def lesson() -> Lesson:
    return load_lesson(TINY)


def _tree(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.mark.parametrize("root", [LESSON_ROOT, TINY], ids=["lesson", "tiny"])
def test_two_builds_give_the_same_bytes(root: Path, tmp_path: Path) -> None:
    trees = []
    for seed in ("1", "2"):
        out = tmp_path / seed
        command = [
            sys.executable,
            "-m",
            "course",
            "build",
            "--lesson",
            str(root),
            "--out",
            str(out),
        ]
        environment = os.environ | {"PYTHONHASHSEED": seed, "TZ": f"Etc/GMT+{seed}"}
        done = subprocess.run(
            command, cwd=LESSON_ROOT, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        trees.append(_tree(out))
    assert trees[0].keys() == trees[1].keys()
    assert [name for name in trees[0] if trees[0][name] != trees[1][name]] == []
    made = {"student/index.html", "student/README.md", "staff/answers.md", "autograder.zip"}
    assert made <= trees[0].keys()


def test_a_second_build_replaces_the_first_and_leaves_nothing_behind(
    lesson: Lesson, tmp_path: Path
) -> None:
    build(lesson, tmp_path, autograder=False)
    (tmp_path / "student" / "stale.txt").write_text("old", "utf-8")
    (tmp_path / "notes.txt").write_text("mine", "utf-8")
    build(lesson, tmp_path, autograder=False)
    assert not (tmp_path / "student" / "stale.txt").exists()
    assert (tmp_path / "notes.txt").read_text("utf-8") == "mine"
    assert [p.name for p in tmp_path.iterdir() if p.name.startswith(".")] == []


def test_a_leak_leaves_the_last_build_as_it_was(
    lesson: Lesson, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(lesson, tmp_path, autograder=False)
    before = _tree(tmp_path)
    monkeypatch.setattr(building, "find_leaks", lambda files, secrets: [Leak("index.html", "x")])
    settings = lesson.settings.model_copy(update={"title": "Another"})
    assert build(replace(lesson, settings=settings), tmp_path).leaks == [Leak("index.html", "x")]
    assert _tree(tmp_path) == before


def test_a_fault_while_writing_leaves_the_last_build_as_it_was(
    lesson: Lesson, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(lesson, tmp_path, autograder=False)
    before = _tree(tmp_path)

    def full(self: Path, data: bytes) -> int:
        raise OSError(28, "No space left on device", str(self))

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match="No space left"):
        build(lesson, tmp_path, autograder=False)
    monkeypatch.undo()
    assert _tree(tmp_path) == before


def test_a_folder_that_no_build_made_is_not_touched(lesson: Lesson, tmp_path: Path) -> None:
    (tmp_path / "student").mkdir()
    (tmp_path / "student" / "thesis.txt").write_text("dear", "utf-8")
    with pytest.raises(BuildError, match="holds something that no build made"):
        build(lesson, tmp_path, autograder=False)
    assert _tree(tmp_path) == {"student/thesis.txt": b"dear"}


def test_hidden_cases_are_written_for_a_person(lesson: Lesson, tmp_path: Path) -> None:
    build(lesson, tmp_path, autograder=False)
    text = (tmp_path / "staff" / "hidden-cases.md").read_text("utf-8")
    for words in ("drawn-series", "A longer series that nobody has seen", "expected averages ="):
        assert words in text
    assert "by-hand" not in text.replace("`by-hand`", "")
    answers = (tmp_path / "staff" / "answers.md").read_text("utf-8")
    assert "**Answer: 2.5** (right within 0.01)" in answers
    assert "Stops at the total of the window" in answers
