"""What students and staff read, word for word, and what they never read."""

from __future__ import annotations

import re

import pytest

from challenges.load import LESSON_ROOT
from grader.lesson import load_graded_lesson
from tests.messages import WORDS, messages


@pytest.fixture(scope="module")
def now() -> list[str]:
    return list(messages())


def test_every_word_is_as_it_was_agreed(now: list[str]) -> None:
    agreed = WORDS.read_text("utf-8").split("\n=== ")
    assert len(now) == len(agreed) == 60
    for block, before in zip(now, agreed, strict=True):
        assert block.strip().removeprefix("=== ") == before.strip().removeprefix("=== ")


def test_right_variants_get_full_marks_and_no_words(now: list[str]) -> None:
    right = [block for block in now if "/right-" in block.splitlines()[0]]
    assert len(right) == 12
    for block in right:
        for line in block.splitlines()[1:]:
            earned, possible = re.fullmatch(r"\w+: (\d+) of (\d+)", line).groups()  # type: ignore[union-attr]
            assert earned == possible


def test_wrong_variants_lose_points_and_are_named(now: list[str]) -> None:
    wrong = [block for block in now if "/wrong-" in block.splitlines()[0]]
    assert len(wrong) == 48
    for block in wrong:
        assert re.search(r", (fail|error): ", block)
        assert "\n  student: " in block


def test_hidden_cases_show_no_number_of_theirs(now: list[str]) -> None:
    """Apart from its hint, a message holds names of types and counts of results only."""
    hints = {
        case.prepared.case.hint
        for case in load_graded_lesson(LESSON_ROOT).cases
        if case.prepared.case.visibility == "hidden"
    }
    for block in now:
        for line in block.splitlines():
            if line.startswith("  hidden "):
                message = line.partition(": ")[2]
                for hint in hints:
                    message = message.replace(hint, "")
                message = re.sub(r"Called \d times|\d values (are asked|came back)", "", message)
                message = re.sub(r"\b(float|int)\d+", "", message)
                assert not re.search(r"\d", message), line
