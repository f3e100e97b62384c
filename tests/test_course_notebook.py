"""The notebook runs from top to bottom, with and without the files that come with it."""

import json
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from challenges.load import LESSON_ROOT
from course.handout import student_files
from course.lesson import Lesson, load_lesson
from course.notebook import notebook
from course.solution import solution


@pytest.fixture(scope="module")
def lesson() -> Lesson:
    return load_lesson(LESSON_ROOT)


def _own(cell: dict[str, object]) -> bool:
    """Whether the cell is the student's work."""
    metadata = cell["metadata"]
    assert isinstance(metadata, dict)
    return cell["cell_type"] == "code" and "otter_ignore" not in metadata.get("tags", [])


def _run(lesson: Lesson, folder: Path, solved: bool) -> str:
    """All output of the notebook as one text."""
    book = nbformat.reads(notebook(lesson), as_version=4)  # type: ignore[no-untyped-call]
    for cell in book.cells:
        if solved and _own(cell):
            cell.source = solution(lesson.reference)
        cell.source = cell.source.replace(
            'answer = None  # a number\ncheck_answer("blue-masked-share"',
            'answer = 0.6225\ncheck_answer("blue-masked-share"',
        )
    NotebookClient(book, timeout=300, resources={"metadata": {"path": str(folder)}}).execute()
    return "\n".join(json.dumps(cell.outputs) for cell in book.cells if cell.cell_type == "code")


def test_it_is_a_valid_notebook_that_holds_every_section(lesson: Lesson) -> None:
    book = nbformat.reads(notebook(lesson), as_version=4)  # type: ignore[no-untyped-call]
    nbformat.validate(book)
    words = "\n".join(cell.source for cell in book.cells if cell.cell_type == "markdown")
    for loaded in lesson.sections:
        assert f"## {loaded.number}. {loaded.section.title}" in words
    for question in lesson.questions:
        assert f"**Question {question.number}.**" in words
    own = [cell.source for cell in book.cells if _own(cell)]
    assert [source.strip() for source in own] == [c.starter.strip() for c in lesson.challenges]


def test_it_runs_with_the_solutions_put_in_where_no_other_file_is(
    lesson: Lesson, tmp_path: Path
) -> None:
    output = _run(lesson, tmp_path, solved=True)
    for item in lesson.challenges:
        assert f"{item.challenge.id} results: All test cases passed!" in output
        name = f"tests/{item.challenge.id}.py"
        assert (tmp_path / name).read_bytes() == student_files(lesson)[name]
    assert "0.3837 0.2327 0.3837" in output
    assert "image/png" in output, "the heat map is not drawn"
    assert "Right. Blue may read" in output
    assert "Replace None with your answer" in output


def test_it_runs_as_handed_out(lesson: Lesson, tmp_path: Path) -> None:
    output = _run(lesson, tmp_path, solved=False)
    assert "is not written yet" in output
    assert "All test cases passed" not in output
