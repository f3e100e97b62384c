"""Item analysis of the questions, with who takes which choice; only where answers were scored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from markupsafe import Markup

from challenges.figures import load_reference
from grader.report.items import FEWEST, Item, analyse
from grader.report.reading import ClassRun
from grader.report.statistics import Bools, Floats, group_weights, weighted_share
from questions.exports.markup import html
from questions.load import LoadedQuestion, load_questions
from questions.model import Number


@dataclass(frozen=True)
class Distractor:
    """A choice, or a known wrong number: who takes it, in all and in the two groups (shares)."""

    text: Markup
    right: bool
    misconception: str
    count: int
    upper: float
    lower: float
    answered: int

    @property
    def remark(self) -> str:
        """What staff should look at, empty for nothing."""
        if self.answered < FEWEST or self.right:
            return ""
        if self.count == 0:
            return "nobody takes it"
        return "taken more by those who do well" if self.upper > self.lower else ""


@dataclass(frozen=True)
class QuestionItem:
    """A question with its figures; `item.count` students answered at least one question."""

    id: str
    prompt: Markup
    section: str
    item: Item
    blank: int
    distractors: tuple[Distractor, ...]


def question_items(run: ClassRun, root: Path) -> list[QuestionItem]:
    """All questions of the lesson at `root`, over those whose answers were scored."""
    rows = [row for row, answers in enumerate(run.answers) if answers]
    if not rows:
        return []
    questions, _ = load_questions(root, load_reference(root))
    answers = [run.answers[row] for row in rows]
    right = np.array(
        [[bool(a.get(q.question.id, (False, ()))[0]) for q in questions] for a in answers]
    )
    upper, lower = group_weights(right.sum(axis=1).astype(float))
    items = analyse(right, right.astype(float))
    found = []
    for loaded, item in zip(questions, items, strict=True):
        name = loaded.question.id
        given = [a.get(name) for a in answers]
        taken = [set(one[1]) if one else set() for one in given]
        found.append(
            QuestionItem(
                name,
                _text(loaded.texts[("prompt",)]),
                loaded.question.section,
                item,
                sum(one is None for one in given),
                tuple(_distractors(loaded, taken, upper, lower)),
            )
        )
    return found


def _distractors(
    loaded: LoadedQuestion, taken: Sequence[set[int]], upper: Floats, lower: Floats
) -> list[Distractor]:
    question = loaded.question
    rows: list[tuple[Markup, bool, str]]
    if isinstance(question, Number):
        values = [
            loaded.numbers[("known_wrong", place, "value")]
            for place in range(len(question.known_wrong))
        ]
        rows = [
            (Markup("{}").format(f"{value:.4g}"), False, wrong.misconception)
            for value, wrong in zip(values, question.known_wrong, strict=True)
        ]
    else:
        rows = [
            (_text(loaded.texts[("choices", place, "text")]), choice.right, choice.misconception)
            for place, choice in enumerate(question.choices)
        ]
    found = []
    for place, (text, right, misconception) in enumerate(rows):
        chosen: Bools = np.array([place in one for one in taken])
        found.append(
            Distractor(
                text,
                right,
                misconception,
                int(chosen.sum()),
                weighted_share(chosen, upper),
                weighted_share(chosen, lower),
                len(taken),
            )
        )
    return found


def _text(markdown: str) -> Markup:
    """The lesson's own Markdown; raw HTML in it stays text."""
    return Markup(html(markdown))
