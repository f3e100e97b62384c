"""The notebook: the lesson in short, its questions with replies, the challenges with their checks.

It stands alone (Colab opens just this file): its first cell writes the public tests where none are.
Cells that are not a student's work carry otter's own tag for cells that a grader leaves out.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from challenges.figures import Namespace, fill
from course.examples import example
from course.lesson import Lesson
from course.model import Block, TextBlock
from course.pointers import LoadedSection
from course.public_tests import public_tests
from course.tables import Table
from course.theming import plain_template
from questions.item import Item, item

LETTERS = "abcdefghij"
Cell = dict[str, Any]


def notebook(lesson: Lesson) -> str:
    """The text of the `.ipynb` file; the same lesson gives the same bytes."""
    cells = [*_opening(lesson)]
    for loaded in lesson.sections:
        cells += _section(loaded, lesson)
    cells = [{"id": f"cell-{number}"} | cell for number, cell in enumerate(cells, start=1)]
    made = {
        "cells": cells,
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(made, ensure_ascii=False, indent=1) + "\n"


def _opening(lesson: Lesson) -> Iterator[Cell]:
    stem = lesson.settings.file_stem
    yield _words(
        plain_template("notebook-opening.md.jinja").render(settings=lesson.settings, stem=stem)
    )
    asked = [] if lesson.settings.graded else lesson.questions
    questions = {question.question.id: _key(item(question)) for question in asked}
    setup = plain_template("notebook-setup.py.jinja").render(
        tests={c.challenge.id: public_tests(c, lesson.reference) for c in lesson.challenges},
        questions=json.dumps(questions, ensure_ascii=False) if questions else "",
        stem=stem,
    )
    cell = _tool(setup)
    cell["metadata"] |= {"jupyter": {"source_hidden": True}, "cellView": "form"}
    yield cell


def _key(question: Item) -> dict[str, Any]:
    """What the notebook's `check_answer` needs of a question."""
    if (number := question.number) is not None:
        return {
            "answer": number.answer,
            "tolerance": number.tolerance,
            "right": number.right_reply,
            "wrong": number.wrong_reply,
            "known": number.known_wrong,
        }
    return {
        "choices": {
            letter: [choice.right, choice.reply]
            for letter, choice in zip(LETTERS, question.choices, strict=False)
        }
    }


def _section(loaded: LoadedSection, lesson: Lesson) -> Iterator[Cell]:
    """One Markdown cell of words, broken where the section has code or questions."""
    text = f"## {loaded.number}. {loaded.section.title}"
    told = False
    for block in loaded.section.body:
        if block.kind in {"quiz", "challenge"} or (block.kind == "explorer" and not block.link):
            yield _words(text)
            text = ""
            yield from _work(block, lesson)
        elif not (told and isinstance(block, TextBlock)):
            told = told or isinstance(block, TextBlock)
            text += _short(block, loaded.figures, lesson)
    if text:
        yield _words(text)


def _short(block: Block, figures: Namespace, lesson: Lesson) -> str:
    """A block in short: the first paragraph of a text, formulas, notes, an example's last step."""
    if block.kind == "text":
        return "\n\n" + fill(block.markdown, figures).strip().split("\n\n")[0]
    if block.kind == "formula":
        return f"\n\n$${block.latex.strip()}$$"
    if block.kind == "note":
        text = fill(block.markdown, figures).strip()
        return f"\n\n> **{block.title}.** " + text.replace("\n", "\n> ")
    if block.kind == "comparison":
        return "\n\n" + "\n".join(
            f"- {panel.sentence.replace('==', '**')} ({panel.meaning})" for panel in block.panels
        )
    if block.kind == "worked-example":
        shown = example(block, figures, lesson)
        setup = "; ".join(f"{label}: {value}" for label, value in shown.setup)
        text = f"\n\n**{block.title}** ({setup})"
        for step in shown.steps:
            text += f"\n\n{step.title}"
            text += f": {step.number}" if step.number else _table(step.table)
        return text
    return ""


def _table(table: Table | None) -> str:
    if table is None:
        return ""
    head = ["", *table.columns] if table.headed else table.columns
    lines = [head, ["---"] * len(head)]
    for label, cells in table.rows:
        numbers = [cell.text.strip("\u2007\u2008") for cell in cells]
        lines.append([label, *numbers] if table.headed else numbers)
    return "\n\n" + "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _work(block: Block, lesson: Lesson) -> Iterator[Cell]:
    """Cells that run: an explorer's code, questions, a challenge."""
    if block.kind == "explorer" and block.notebook:
        yield _tool(block.notebook)
    elif block.kind == "quiz":
        for loaded_question in map(lesson.question, block.questions):
            yield from _question(loaded_question.number, item(loaded_question), lesson)
    elif block.kind == "challenge":
        loaded = lesson.challenge(block.challenge)
        challenge = loaded.challenge
        title = f"### Challenge {challenge.number}: {challenge.title} ({challenge.points} points)"
        yield _words(f"{title}\n\n{challenge.prompt}")
        yield _code(loaded.starter)
        yield _tool(f'grader.check("{challenge.id}")')


def _question(number: int, question: Item, lesson: Lesson) -> Iterator[Cell]:
    text = f"**Question {number}.** {question.prompt}"
    for letter, choice in zip(LETTERS, question.choices, strict=False):
        text += f"\n\n{letter}) {choice.text}"
    yield _words(text)
    if not lesson.settings.graded:
        how = {"number": "a number", "several-choices": 'letters, such as "ac"'}
        wanted = how.get(question.kind, 'a letter, such as "a"')
        yield _tool(f'answer = None  # {wanted}\ncheck_answer("{question.id}", answer)')


def _words(text: str) -> Cell:
    return {"cell_type": "markdown", "metadata": {}, "source": _lines(text)}


def _code(source: str) -> Cell:
    """The student's own work."""
    cell: Cell = {"cell_type": "code", "metadata": {}, "source": _lines(source)}
    return cell | {"execution_count": None, "outputs": []}


def _tool(source: str) -> Cell:
    """A code cell that is not the student's work."""
    return _code(source) | {"metadata": {"tags": ["otter_ignore"]}}


def _lines(text: str) -> list[str]:
    return text.strip().splitlines(keepends=True)
