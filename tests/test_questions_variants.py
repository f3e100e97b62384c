"""A student's own variants: drawn from id and secret, the same again for the grader."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from challenges.figures import load_reference
from challenges.load import LESSON_ROOT
from course.command import main as course
from questions.command import main
from questions.exports import FORMATS
from questions.item import item
from questions.load import LoadedQuestion, load_questions
from questions.personal import personal_questions
from questions.variants import all_variants, count_variants, draw_variant

TINY = Path(__file__).parent / "fixtures" / "tiny"
SECRET = b"0123456789abcdef-a-course-secret"
STUDENTS = [f"s{number:04d}" for number in range(300)]


def _questions(root: Path = TINY) -> list[LoadedQuestion]:
    questions, findings = load_questions(root, load_reference(root))
    assert findings == []
    return questions


def _named(questions: list[LoadedQuestion], name: str) -> LoadedQuestion:
    return next(loaded for loaded in questions if loaded.question.id == name)


def test_without_a_secret_everybody_gets_the_first_values() -> None:
    loaded = _named(_questions(), "first-mean")
    assert loaded.variant == {"values": [1, 4, 7, 6], "width": 2}
    assert loaded.numbers[("answer",)] == 2.5
    assert "1, 4, 7, 6 with a window of two" in loaded.texts[("prompt",)]


def test_a_student_gets_the_same_variant_whenever_it_is_drawn() -> None:
    questions, reference = _questions(), load_reference(TINY)
    for student in STUDENTS[:20]:
        first = personal_questions(questions, reference, student, SECRET)
        again = personal_questions(_questions(), reference, student, SECRET)
        assert [item(q) for q in first] == [item(q) for q in again]
        for own in first:
            if not own.question.variants:
                assert own in questions


def test_the_right_answer_is_that_of_the_variant() -> None:
    questions, reference = _questions(), load_reference(TINY)
    for student in STUDENTS[:50]:
        own = _named(personal_questions(questions, reference, student, SECRET), "first-mean")
        values, width = own.variant["values"], own.variant["width"]
        assert own.numbers[("answer",)] == pytest.approx(np.mean(values[:width]))
        assert ", ".join(map(str, values)) in own.texts[("prompt",)]


def test_values_are_spread_evenly_and_depend_on_question_student_and_secret() -> None:
    question = _named(_questions(), "first-mean").question
    drawn = [draw_variant(question, student, SECRET) for student in STUDENTS]
    counts = Counter((tuple(v["values"]), v["width"]) for v in drawn)
    assert len(counts) == count_variants(question) == 6
    assert min(counts.values()) > 25  # 50 are expected of each; one in 10^6 runs gives so few
    assert drawn != [draw_variant(question, student, SECRET[::-1]) for student in STUDENTS]
    renamed = question.model_copy(update={"id": "another"})
    assert drawn != [draw_variant(renamed, student, SECRET) for student in STUDENTS]
    # Ids and names are kept apart: "s1" and "s11" are not the same draw by running together.
    assert len({str(draw_variant(question, s, SECRET)) for s in ("s1", "s11", "s111", "s")}) > 1


def _broken(tmp_path: Path, old: str, new: str) -> str:
    root = tmp_path / "lesson"
    shutil.copytree(TINY, root)
    file = root / "questions" / "02-first-mean.yaml"
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new), "utf-8")
    _, findings = load_questions(root, load_reference(root))
    assert findings
    return str(findings[0])


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("width: [2, 3]", "width: [2, 9]", "with values = [1, 4, 7, 6], width = 9: window_means"),
        ("width: [2, 3]", "width: [2]", "found a list of 1, expected at least 2"),
        ("width: [2, 3]", f"width: {list(range(2, 400))}", "found 1194 variants, expected at most"),
        ("'{{ width }}'}", "'{{ wide }}'}", "'wide' is undefined"),
        ("means[0] * width", "means[0] + width - 3", "with values = [1, 4, 7, 6], width = 3: 4 is"),
        ("  width: [2, 3]", "  width: [2, 3]\n  mean: [1, 2]", "a figure has the same name"),
    ],
)
def test_a_variant_that_cannot_be_asked_is_found_when_loading(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    assert message in _broken(tmp_path, old, new)


def test_the_secret_is_in_no_export_and_a_short_one_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    secret = tmp_path / "secret"
    secret.write_bytes(SECRET + b"\n")
    for name in FORMATS:
        out = tmp_path / name
        own = ["--student", "s0007", "--secret", str(secret), "--out", str(out)]
        assert main(["export", name, "--lesson", str(TINY), *own]) == 0
        for form in (SECRET, SECRET.hex().encode()):
            assert form not in out.read_bytes()
    secret.write_bytes(b"short")
    assert main(["export", "moodle", "--student", "s", "--secret", str(secret)]) == 2
    assert "has at least 16" in capsys.readouterr().err


def test_a_students_page_holds_their_variant_and_nothing_of_the_secret(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    secret = tmp_path / "secret"
    secret.write_bytes(SECRET)
    reference, questions = load_reference(TINY), _questions()
    student = next(
        s
        for s in STUDENTS
        if draw_variant(_named(questions, "first-mean").question, s, SECRET)["width"] == 3
    )
    own = _named(personal_questions(questions, reference, student, SECRET), "first-mean")
    build = ["build", "--lesson", str(TINY), "--out", str(tmp_path / "out"), "--student", student]
    assert course([*build, "--secret", str(secret)]) == 0
    page = (tmp_path / "out" / "student" / "index.html").read_text("utf-8")
    assert own.texts[("prompt",)] in page
    assert "1, 4, 7, 6 with a window of two" not in page
    for file in (tmp_path / "out").rglob("*"):
        assert not file.is_file() or SECRET not in file.read_bytes()
    assert course(build) == 2
    assert "--student and --secret go together" in capsys.readouterr().err


def test_at_least_four_questions_of_the_lesson_have_variants_and_all_can_be_asked() -> None:
    questions = [loaded.question for loaded in _questions(LESSON_ROOT)]
    varied = [question for question in questions if question.variants]
    assert len(varied) >= 4
    for question in varied:
        assert len(list(all_variants(question))) >= 3
