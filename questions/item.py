"""A question as other systems see it: texts filled, numbers calculated, nothing for staff only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from questions.load import LoadedQuestion
from questions.model import Number

Kind = Literal["true-false", "single-choice", "several-choices", "number"]


class ExportError(ValueError):
    """A question cannot be put into a format; the text names it and says why."""


@dataclass(frozen=True)
class ItemChoice:
    """A choice in Markdown, whether it is right, and the reply to who picks it."""

    text: str
    right: bool
    reply: str


@dataclass(frozen=True)
class ItemNumber:
    """A number that is asked for: right within `tolerance`; `known_wrong` are (value, reply)."""

    answer: float
    tolerance: float
    right_reply: str
    wrong_reply: str
    known_wrong: tuple[tuple[float, str], ...]


@dataclass(frozen=True)
class Item:
    """One question; exactly one of `choices` and `number` holds something."""

    id: str
    kind: Kind
    prompt: str
    choices: tuple[ItemChoice, ...] = ()
    number: ItemNumber | None = None


def item(loaded: LoadedQuestion) -> Item:
    """The question as an item."""
    question, texts, numbers = loaded.question, loaded.texts, loaded.numbers
    prompt = texts[("prompt",)].strip()
    if isinstance(question, Number):
        known = tuple(
            (numbers[("known_wrong", i, "value")], texts[("known_wrong", i, "reply")].strip())
            for i in range(len(question.known_wrong))
        )
        number = ItemNumber(
            numbers[("answer",)],
            question.tolerance,
            texts[("right_reply",)].strip(),
            texts[("wrong_reply",)].strip(),
            known,
        )
        return Item(question.id, question.kind, prompt, number=number)
    choices = tuple(
        ItemChoice(
            texts[("choices", i, "text")].strip(),
            choice.right,
            texts[("choices", i, "reply")].strip(),
        )
        for i, choice in enumerate(question.choices)
    )
    return Item(question.id, question.kind, prompt, choices)
