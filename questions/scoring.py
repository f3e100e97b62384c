"""Score the answers that a student saved from the page (`answers.json`).

`{"answers": {"<question id>": [0, 2] or "0.25"}}`: the places of the choices taken, or a number as
people write it. The file is a student's: whatever it holds, it is only ever compared.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from questions.load import LoadedQuestion
from questions.model import Number

_LONGEST = 100
_SLACK = 1e-12  # of a number exactly at the tolerance
_NUMBER = re.compile(
    r"(?P<number>[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]{1,3})?)"
    r"\s*(?P<part>%|/\s*(?P<by>[0-9]+(?:\.[0-9]+)?))?",
    re.IGNORECASE,
)


class AnswersError(ValueError):
    """The file of answers cannot be read; the text tells the student why."""


def read_answers(raw: bytes) -> dict[str, Any]:
    """The answers by question id; raises AnswersError."""
    try:
        data = json.loads(raw.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise AnswersError("answers.json is not what the page saves; save it again") from error
    answers = data.get("answers") if isinstance(data, dict) else None
    if not isinstance(answers, dict):
        raise AnswersError('answers.json has no "answers"; save it again from the page')
    return answers


def score(questions: Sequence[LoadedQuestion], answers: dict[str, Any]) -> dict[str, bool | None]:
    """Question id → right, wrong, or None where there is no answer."""
    return {
        loaded.question.id: (
            is_right(loaded, answers[loaded.question.id]) if loaded.question.id in answers else None
        )
        for loaded in questions
    }


def is_right(loaded: LoadedQuestion, answer: object) -> bool:
    """All right choices and no other were taken, or the number is within the tolerance."""
    question = loaded.question
    if isinstance(question, Number):
        number = read_number(answer)
        right = loaded.numbers[("answer",)]
        return number is not None and abs(number - right) <= question.tolerance + _SLACK
    if not isinstance(answer, list) or not all(type(place) is int for place in answer):
        return False
    return set(answer) == {i for i, choice in enumerate(question.choices) if choice.right}


def taken(loaded: LoadedQuestion, answer: object) -> list[int]:
    """The places of the choices that an answer takes, or of the known wrong number it gives."""
    question = loaded.question
    if isinstance(question, Number):
        number = read_number(answer)
        return [
            place
            for place in range(len(question.known_wrong))
            if number is not None
            and abs(number - loaded.numbers[("known_wrong", place, "value")])
            <= question.tolerance + _SLACK
        ]
    if not isinstance(answer, list) or not all(type(place) is int for place in answer):
        return []
    return sorted(set(answer) & set(range(len(question.choices))))


def read_number(answer: object) -> float | None:
    """A number as people write it: 0.25, 0,25, .25, 1/4, 25 %, with any minus sign."""
    if isinstance(answer, int | float) and not isinstance(answer, bool):
        answer = repr(answer)
    if not isinstance(answer, str) or len(answer) > _LONGEST:
        return None
    plain = re.sub("[\u2212\u2013]", "-", answer.strip()).replace(",", ".", 1)
    match = _NUMBER.fullmatch(plain)
    if match is None:
        return None
    number = float(match["number"])
    if match["by"] is not None:
        return number / float(match["by"]) if float(match["by"]) else None
    return number / 100 if match["part"] else number
