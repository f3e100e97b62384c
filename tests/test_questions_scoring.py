"""Answers from the page are scored as the page says, and whatever a file holds, it is survived."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from challenges.figures import load_reference
from questions.load import LoadedQuestion, load_questions
from questions.model import Number
from questions.personal import personal_questions
from questions.scoring import (
    AnswersError,
    is_right,
    read_answers,
    read_number,
    score,
    taken,
)

TINY = Path(__file__).parent / "fixtures" / "tiny"
NODE = shutil.which("node")
MARKING = Path(__file__).parent.parent / "course" / "theme" / "scripts" / "quiz" / "marking.js"
QUESTIONS = load_questions(TINY, load_reference(TINY))[0]


def _score(answers: Any, questions: list[LoadedQuestion] = QUESTIONS) -> dict[str, bool | None]:
    return score(questions, read_answers(json.dumps({"answers": answers}).encode()))


def test_right_wrong_and_unanswered_are_told_apart() -> None:
    answers = {"shorter": [0], "first-mean": "2,5", "kinds": [1], "other": [0]}
    assert _score(answers) == {
        "shorter": True,
        "first-mean": True,
        "true-of-width": None,
        "kinds": False,
    }


@pytest.mark.parametrize(
    ("name", "answer", "right"),
    [
        ("kinds", [1, 0], True),
        ("kinds", [0, 1, 2], False),
        ("kinds", [], False),
        ("kinds", [True, 0], False),
        ("kinds", {"0": 1}, False),
        ("shorter", "0", False),
        ("shorter", [0.0], False),
        ("first-mean", "2.51", True),  # the tolerance is 0.01
        ("first-mean", "2.5101", False),
        ("first-mean", 2.5, True),
        ("first-mean", "nan", False),
        ("first-mean", "1e999", False),
        ("first-mean", "9" * 5000, False),
        ("first-mean", ["2.5"], False),
        ("first-mean", None, False),
    ],
)
def test_single_answers(name: str, answer: Any, right: bool) -> None:
    assert _score({name: answer})[name] is right


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0.25", 0.25), ("0,25", 0.25), (".25", 0.25), ("1/4", 0.25), ("25 %", 0.25),
        ("−0.5", -0.5), ("–1/2", -0.5), ("1e-2", 0.01), (" 7 ", 7.0), ("3.", 3.0),
        ("1/0", None), ("", None), ("1 2", None), ("0x10", None), ("１", None), ("1,2,3", None),
    ],
)  # fmt: skip
def test_numbers_are_read_as_people_write_them(text: str, number: float | None) -> None:
    assert read_number(text) == number


def test_a_students_own_variant_is_scored_by_its_own_answer() -> None:
    secret = b"a course secret of some length"
    rights = set()
    for number in range(40):
        own = personal_questions(QUESTIONS, load_reference(TINY), f"s{number}", secret)
        mean = next(q for q in own if q.question.id == "first-mean")
        right = mean.numbers[("answer",)]
        assert _score({"first-mean": repr(right)}, own)["first-mean"] is True
        assert _score({"first-mean": "2.5"}, own)["first-mean"] is (abs(right - 2.5) <= 0.01)
        rights.add(right)
    assert len(rights) == 5  # two of the six variants have the same answer


@pytest.mark.skipif(NODE is None, reason="the page's marking is JavaScript; needs node")
def test_the_page_marks_as_the_grader_does() -> None:
    alphabet = ["1", "2", "5", "0", ".", ",", "/", " ", "%", "-", "−", "e", "+", "\u00a0", "x"]
    draw = random.Random(7)
    texts = ["".join(draw.choices(alphabet, k=draw.randint(1, 6))) for _ in range(3000)]
    texts += ["2.5", "2,51", "2.5100001", "5/2", "250 %", "2.49", "2.4899"]
    places = [[], [0], [1], [2], [0, 1], [1, 0], [0, 1, 2], [0, 2]]
    first, kinds = QUESTIONS[1], QUESTIONS[3]
    assert isinstance(first.question, Number)
    assert not isinstance(kinds.question, Number)
    number = {"kind": "number", "answer": 2.5, "tolerance": first.question.tolerance}
    several = {
        "kind": "several-choices",
        "choices": [{"right": choice.right, "reply": ""} for choice in kinds.question.choices],
    }
    script = (
        f"import {{ mark }} from {json.dumps(MARKING.as_uri())};"
        f"const [number, texts, several, places] = {json.dumps([number, texts, several, places])};"
        "const right = (question) => (answer) => mark(question, answer).right;"
        "console.log(JSON.stringify([texts.map(right(number)), places.map(right(several))]));"
    )
    run = subprocess.run(
        [NODE or "node", "--input-type=module", "-e", script],
        capture_output=True, check=True, text=True,
    )  # fmt: skip
    by_text, by_places = json.loads(run.stdout)
    assert by_text == [is_right(first, text) for text in texts]
    assert by_places == [is_right(kinds, taken) for taken in places]
    assert by_text.count(True) > 5


@pytest.mark.parametrize("raw", [b"", b"[]", b"{}", b'{"answers": 3}', b"\xff", b"[" * 100_000])
def test_a_file_that_the_page_did_not_save_is_refused(raw: bytes) -> None:
    with pytest.raises(AnswersError, match="save it again"):
        read_answers(raw)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(st.dictionaries(st.sampled_from([q.question.id for q in QUESTIONS]), _JSON))
def test_nothing_in_the_file_crashes_the_scoring(answers: dict[str, Any]) -> None:
    assert set(_score(answers).values()) <= {True, False, None}


@pytest.mark.parametrize(
    ("name", "answer", "places"),
    [
        ("kinds", [2, 0], [0, 2]),
        ("kinds", [0, 0, 99, -1], [0]),
        ("kinds", [True], []),
        ("kinds", "0", []),
        ("first-mean", "2.5", []),
        ("first-mean", "nonsense", []),
        ("shorter", [1], [1]),
    ],
)
def test_what_an_answer_takes_is_known_by_its_place(
    name: str, answer: Any, places: list[int]
) -> None:
    loaded = next(q for q in QUESTIONS if q.question.id == name)
    assert taken(loaded, answer) == places


def test_a_known_wrong_number_is_recognised() -> None:
    numbers = [q for q in QUESTIONS if isinstance(q.question, Number) and q.question.known_wrong]
    assert numbers
    for loaded in numbers:
        wrong = loaded.numbers[("known_wrong", 0, "value")]
        assert taken(loaded, repr(wrong)) == [0]
