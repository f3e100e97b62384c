"""What no student file may hold: the reference, hidden cases, texts for staff, graded answers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np

from challenges import comparison, laws
from challenges.cases import prepare
from challenges.model import Case
from course.examples import example
from course.lesson import Lesson
from course.markdown import formula
from course.model import ExplorerBlock, FormulaBlock, WorkedExample
from course.reference_text import reference_code, reference_words, strings
from questions.model import Number

SHORTEST = 18
"""Letters and digits that a text must have to be worth a search: shorter ones are anybody's."""


@dataclass
class Secrets:
    """Searchable secrets; each key is what is searched, each value says what it is.

    `texts` are normalised, `names` are whole words, `seeds` numbers, `arrays` in full; `public`
    holds the numbers that the lesson shows anyhow.
    """

    texts: dict[str, str] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    seeds: dict[int, str] = field(default_factory=dict)
    arrays: list[tuple[np.ndarray, str]] = field(default_factory=list)
    public: np.ndarray = field(default_factory=lambda: np.zeros(0))
    graded: bool = False


def normal(text: str) -> str:
    """Letters and digits only, so that spaces, quotes, tags' marks and line ends hide nothing."""
    return re.sub(r"[\W_]+", "", text.casefold())


def secrets_of(lesson: Lesson) -> Secrets:
    """All secrets of a lesson, less what the lesson itself makes public."""
    secrets = Secrets(graded=lesson.settings.graded)
    code = normal("\n".join(_public_code(lesson)))
    public = code + normal("\n".join(_public_texts(lesson)))
    for what, line in reference_code(lesson.root / "reference"):
        _add(secrets.texts, line, what, code)
    for what, text in (*reference_words(lesson.root / "reference"), *_staff_texts(lesson)):
        _add(secrets.texts, text, what, public)
    words = set(re.findall(r"[\w-]+", "\n".join([*_public_texts(lesson), *_public_code(lesson)])))
    shown = list(_public_arrays(lesson))
    secrets.public = np.unique(np.concatenate([a.ravel() for a in shown] or [np.zeros(1)]))
    public_arrays = {array.tobytes() for array in shown}
    for challenge, case in _cases(lesson, "hidden"):
        what = f"hidden case {challenge}/{case.id}"
        if case.id not in words and ("-" in case.id or len(case.id) >= 10):
            secrets.names[case.id] = f"{what}: its id"
        if case.seed:
            secrets.seeds[case.seed] = f"{what}: its seed"
        for array in _arrays_of_case(lesson, challenge, case):
            if array.tobytes() not in public_arrays:
                secrets.arrays.append((array, f"{what}: its numbers"))
    return secrets


def _add(texts: dict[str, str], text: str, what: str, public: str) -> None:
    needle = normal(text)
    if len(needle) >= SHORTEST and needle not in public:
        texts.setdefault(needle, what)


def _staff_texts(lesson: Lesson) -> Iterator[tuple[str, str]]:
    for challenge, case in _cases(lesson, "hidden"):
        what = f"hidden case {challenge}/{case.id}"
        yield f"{what}: its title", case.title
        yield f"{what}: its hint", case.hint
    for item in lesson.challenges:
        for case in item.challenge.cases:
            yield f"case {item.challenge.id}/{case.id}: its reason", case.reason
    for name, fault in lesson.faults.faults.items():
        for text in (fault.name, fault.student, fault.staff):
            yield f"the fault {name}: a text", text
    for sign in lesson.faults.observations:
        for text in (sign.student, sign.staff):
            yield f"the sign {sign.sign}: a text", text
    for loaded in lesson.questions:
        what, question = f"question {loaded.question.id}", loaded.question
        wrong = question.known_wrong if isinstance(question, Number) else question.choices
        for entry in wrong:
            yield f"{what}: a misconception", entry.misconception
        if lesson.settings.graded:
            for place, text in loaded.texts.items():
                if "reply" in str(place[-1]):
                    yield f"{what}: a reply", text


def _public_texts(lesson: Lesson) -> Iterator[str]:
    """What the lesson shows by intent."""
    for loaded in lesson.sections:
        yield from strings(loaded.section.model_dump())
        for block in loaded.section.body:
            if isinstance(block, FormulaBlock):
                yield unescape(re.sub("<[^>]*>", "", formula(block.latex)))
    for question in lesson.questions:
        for place, text in question.texts.items():
            if not lesson.settings.graded or "reply" not in str(place[-1]):
                yield text
    for item in lesson.challenges:
        yield from strings(item.challenge.model_dump(exclude={"cases"}))
    for _, case in _cases(lesson, "public"):
        yield from strings(case.model_dump(exclude={"reason", "only_with"}))


def _public_code(lesson: Lesson) -> list[str]:
    """Code that students get: starters, an explorer's code for the notebook, the comparison."""
    shared = [Path(str(module.__file__)).read_text("utf-8") for module in (comparison, laws)]
    blocks = [block for loaded in lesson.sections for block in loaded.section.body]
    notebook = [block.notebook for block in blocks if isinstance(block, ExplorerBlock)]
    return [*(c.starter for c in lesson.challenges), *notebook, *shared]


def _cases(lesson: Lesson, visibility: str) -> Iterator[tuple[str, Case]]:
    for item in lesson.challenges:
        for case in item.challenge.cases:
            if case.visibility == visibility:
                yield item.challenge.id, case


def _arrays_of_case(lesson: Lesson, challenge: str, case: Case) -> Iterator[np.ndarray]:
    function = lesson.challenge(challenge).challenge.function(case.function)
    prepared = prepare(case, function, lesson.reference)
    for array in (*prepared.arguments, *prepared.expected):
        if isinstance(array, np.ndarray):
            yield array


def _public_arrays(lesson: Lesson) -> Iterator[np.ndarray]:
    for challenge, case in _cases(lesson, "public"):
        yield from _arrays_of_case(lesson, challenge, case)
    for loaded in lesson.sections:
        yield from _arrays(loaded.figures)
        for block in loaded.section.body:
            if isinstance(block, WorkedExample) or (
                isinstance(block, ExplorerBlock) and block.call
            ):
                yield from _arrays(example(block, loaded.figures, lesson).figures)


def _arrays(value: Any) -> Iterator[np.ndarray]:
    if isinstance(value, np.ndarray):
        yield np.asarray(value, np.float64)
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _arrays(item)
