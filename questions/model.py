"""The model of a question, as in one file of `questions/`."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Any, Literal

from pydantic import Field, RootModel

from challenges.figures import FigureCall
from challenges.model import Identifier, PythonName, Text
from challenges.source import Content


class Choice(Content):
    """One choice: its text, whether it is right, the reply to who picks it.

    `misconception` is for staff: what someone who gets this choice wrong is likely to believe.
    """

    text: Text
    right: bool
    reply: Text
    misconception: str = ""


class _Base(Content):
    """What every question has.

    `variants` names parameters and the values each may take: the first is everybody's, until a
    course secret draws others for each student. Figures take them as `'{{ name }}'` arguments.
    """

    id: Identifier
    section: Identifier
    prompt: Text
    figures: dict[PythonName, FigureCall] = {}
    variants: dict[PythonName, Annotated[list[Any], Field(min_length=2)]] = {}


class TrueFalse(_Base):
    """A statement to judge: two choices, the first to be read as true, the second as false."""

    kind: Literal["true-false"]
    choices: Annotated[list[Choice], Field(min_length=2, max_length=2)]


class SingleChoice(_Base):
    """Pick the one right choice."""

    kind: Literal["single-choice"]
    choices: Annotated[list[Choice], Field(min_length=2)]


class SeveralChoices(_Base):
    """Pick all right choices and no other."""

    kind: Literal["several-choices"]
    choices: Annotated[list[Choice], Field(min_length=3)]


class WrongNumber(Content):
    """A wrong number that people really give (an expression), with its reply and misconception."""

    value: Text
    reply: Text
    misconception: Text


class Number(_Base):
    """Give a number; `answer` is an expression over the figures, right within `tolerance`."""

    kind: Literal["number"]
    answer: Text
    tolerance: Annotated[float, Field(ge=0)]
    right_reply: Text
    wrong_reply: Text
    known_wrong: list[WrongNumber] = []


Question = TrueFalse | SingleChoice | SeveralChoices | Number


class QuestionFile(RootModel[Annotated[Question, Field(discriminator="kind")]]):
    """One file of `questions/`; its `kind` says which model the rest follows."""


Place = tuple[str | int, ...]


def mistakes(question: Question) -> list[tuple[Place, str]]:
    """What single fields cannot show: (place, sentence) for each."""
    found: list[tuple[Place, str]] = [
        (("variants", name), "a figure has the same name")
        for name in question.variants
        if name in question.figures
    ]
    if isinstance(question, Number):
        return found
    right = sum(choice.right for choice in question.choices)
    if isinstance(question, SeveralChoices):
        if right == 0:
            found.append((("choices",), "no choice is right; at least one must be"))
    elif right != 1:
        found.append((("choices",), f"{right} choices are right; exactly one must be"))
    texts = Counter(choice.text for choice in question.choices)
    for index, choice in enumerate(question.choices):
        place = ("choices", index)
        if texts[choice.text] > 1:
            found.append(((*place, "text"), "another choice has the same text"))
        if isinstance(question, SeveralChoices) or not choice.right:
            if not choice.misconception:
                message = "missing; name the misconception behind this choice"
                found.append(((*place, "misconception"), message))
        elif choice.misconception:
            found.append(((*place, "misconception"), "a right choice has no misconception"))
    return found


def figure_texts(question: Question) -> list[tuple[Place, str]]:
    """Every text of the question that may hold `{{ figures }}`, with its place."""
    texts: list[tuple[Place, str]] = [(("prompt",), question.prompt)]
    if isinstance(question, Number):
        texts += [
            (("right_reply",), question.right_reply),
            (("wrong_reply",), question.wrong_reply),
        ]
        for index, wrong in enumerate(question.known_wrong):
            texts.append((("known_wrong", index, "reply"), wrong.reply))
        return texts
    for index, choice in enumerate(question.choices):
        texts.append((("choices", index, "text"), choice.text))
        texts.append((("choices", index, "reply"), choice.reply))
    return texts


def expressions(question: Question) -> list[tuple[Place, str]]:
    """Every expression that must give a number, with its place."""
    if not isinstance(question, Number):
        return []
    wrong: list[tuple[Place, str]] = [
        (("known_wrong", index, "value"), item.value)
        for index, item in enumerate(question.known_wrong)
    ]
    answer: tuple[Place, Any] = (("answer",), question.answer)
    return [answer, *wrong]
