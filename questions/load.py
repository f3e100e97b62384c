"""Load all questions of a lesson (`questions/NN-<id>.yaml`) and calculate their figures."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from challenges.figures import FigureError, Namespace, calculate_all, evaluate, fill
from challenges.source import Finding, Source, check, read
from questions.model import Question, QuestionFile, expressions, figure_texts, mistakes


@dataclass(frozen=True)
class LoadedQuestion:
    """A question with its texts filled and its numbers calculated.

    `numbers` maps the place of each expression (`answer`, `known_wrong[0].value`) to its value.
    """

    number: int
    question: Question
    texts: dict[tuple[str | int, ...], str]
    numbers: dict[tuple[str | int, ...], float]
    source: Source


def load_questions(
    root: Path, reference: ModuleType | None
) -> tuple[list[LoadedQuestion], list[Finding]]:
    """All questions in the order of their file names, and every mistake in their files."""
    loaded: list[LoadedQuestion] = []
    findings: list[Finding] = []
    for number, file in enumerate(sorted((root / "questions").glob("*.yaml")), start=1):
        source, found = read(file)
        findings += found
        if source is None:
            continue
        parsed, found = check(source, QuestionFile)
        findings += found
        if parsed is None:
            continue
        question = parsed.root
        findings += [source.finding(place, text) for place, text in mistakes(question)]
        expected = f"{number:02d}-{question.id}.yaml"
        if file.name != expected:
            findings.append(source.finding(("id",), f"the file is {file.name}, not {expected}"))
        item, found = _calculated(number, question, source, reference)
        findings += found
        loaded.append(item)
    return loaded, findings


def _calculated(
    number: int, question: Question, source: Source, reference: ModuleType | None
) -> tuple[LoadedQuestion, list[Finding]]:
    findings: list[Finding] = []
    texts: dict[tuple[str | int, ...], str] = {}
    numbers: dict[tuple[str | int, ...], float] = {}
    figures: Namespace = {}
    if reference is not None:
        for name, call in question.figures.items():
            try:
                figures |= calculate_all({name: call}, reference)
            except FigureError as error:
                findings.append(source.finding(("figures", name), str(error)))
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
    return LoadedQuestion(number, question, texts, numbers, source), findings


def _attempt(
    function: Any,
    text: str,
    figures: Namespace,
    source: Source,
    place: tuple[str | int, ...],
    findings: list[Finding],
) -> Any:
    try:
        return function(text, figures)
    except FigureError as error:
        findings.append(source.finding(place, str(error)))
        return None
