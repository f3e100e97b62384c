"""Load all questions of a lesson (`questions/NN-<id>.yaml`) and calculate their figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

from challenges.figures import FigureError, Namespace, evaluate, fill
from challenges.source import Finding, Source, name_findings, read_as
from questions.model import (
    Number,
    Place,
    Question,
    QuestionFile,
    expressions,
    figure_texts,
    mistakes,
)
from questions.variants import MOST_VARIANTS, all_variants, count_variants, plain_variant


@dataclass(frozen=True)
class LoadedQuestion:
    """A question with its texts filled and its numbers calculated.

    `numbers` maps the place of each expression (`answer`, `known_wrong[0].value`) to its value;
    `variant` holds the values that its parameters have here.
    """

    number: int
    question: Question
    texts: dict[Place, str]
    numbers: dict[Place, float]
    source: Source
    variant: Namespace = field(default_factory=dict)


def load_questions(
    root: Path, reference: ModuleType | None
) -> tuple[list[LoadedQuestion], list[Finding]]:
    """All questions in the order of their file names, and every mistake in their files.

    Every variant of a question is calculated once, so that one that cannot be asked is found.
    """
    loaded: list[LoadedQuestion] = []
    findings: list[Finding] = []
    files = sorted((root / "questions").glob("*.yaml"))
    for number, (before, file) in enumerate(zip([None, *files], files, strict=False), start=1):
        content = read_as(file, QuestionFile, findings)
        if content is None:
            continue
        source, question = content[0], content[1].root
        findings += [source.finding(place, text) for place, text in mistakes(question)]
        findings += name_findings(source, question.id, before)
        plain = plain_variant(question)
        item, found = calculate(number, question, source, reference, plain)
        findings += found
        loaded.append(item)
        if reference is not None and question.variants and not found:
            findings += _variant_findings(item, reference)
    return loaded, findings


def calculate(
    number: int,
    question: Question,
    source: Source,
    reference: ModuleType | None,
    variant: Namespace,
) -> tuple[LoadedQuestion, list[Finding]]:
    """The question with these values of its parameters, and what cannot be calculated."""
    findings: list[Finding] = []
    texts: dict[Place, str] = {}
    numbers: dict[Place, float] = {}
    figures: Namespace = dict(variant)
    unfilled = LoadedQuestion(number, question, dict(figure_texts(question)), {}, source, variant)
    if reference is None:
        return unfilled, []
    for name, call in question.figures.items():
        try:
            figures[name] = call.calculate(reference, variant)
        except FigureError as error:
            findings.append(source.finding(("figures", name), str(error)))
    if findings:  # what reads a missing figure is no mistake of its own
        return unfilled, findings
    for place, text in figure_texts(question):
        texts[place] = _attempt(fill, text, figures, source, place, findings)
    for place, expression in expressions(question):
        value = _attempt(evaluate, expression, figures, source, place, findings)
        try:
            numbers[place] = float(value)
        except (TypeError, ValueError):
            if value is not None:
                text = f"{expression!r} gives no single number"
                findings.append(source.finding(place, text))
    loaded = LoadedQuestion(number, question, texts, numbers, source, variant)
    return loaded, findings or _clashes(loaded)


def _attempt(
    function: Callable[[str, Namespace], Any],
    text: str,
    figures: Namespace,
    source: Source,
    place: Place,
    findings: list[Finding],
) -> Any:
    try:
        return function(text, figures)
    except FigureError as error:
        findings.append(source.finding(place, str(error)))
        return None


def _clashes(loaded: LoadedQuestion) -> list[Finding]:
    """Choices that read alike once filled, and known wrong numbers that are right."""
    question, source = loaded.question, loaded.source
    if isinstance(question, Number):
        answer = loaded.numbers.get(("answer",))
        if answer is None:
            return []
        return [
            source.finding(place, f"{value:g} is within the tolerance of the answer {answer:g}")
            for place, value in loaded.numbers.items()
            if place != ("answer",) and abs(value - answer) <= question.tolerance
        ]
    places: list[Place] = [("choices", index, "text") for index in range(len(question.choices))]
    seen = Counter(loaded.texts[place] for place in places)
    written = Counter(choice.text for choice in question.choices)
    return [
        source.finding(place, f"another choice reads the same: {loaded.texts[place]!r}")
        for place, choice in zip(places, question.choices, strict=True)
        if seen[loaded.texts[place]] > 1 and written[choice.text] == 1
    ]


def _variant_findings(loaded: LoadedQuestion, reference: ModuleType) -> list[Finding]:
    question, source = loaded.question, loaded.source
    if (count := count_variants(question)) > MOST_VARIANTS:
        text = f"found {count} variants, expected at most {MOST_VARIANTS} (all are checked)"
        return [source.finding(("variants",), text)]
    for variant in all_variants(question):
        _, found = calculate(loaded.number, question, source, reference, variant)
        if found:
            shown = ", ".join(f"{name} = {value}" for name, value in variant.items())
            return [Finding(f.file, f.line, f.key, f"with {shown}: {f.message}") for f in found]
    return []
