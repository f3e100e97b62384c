"""Worked examples: the calculation behind one, its set-up in words, and what its steps show."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from challenges.figures import Namespace, evaluate, show
from course.lesson import Lesson
from course.model import ExplorerBlock, Show, WorkedExample
from course.tables import Table, table
from course.trial import example_figure


@dataclass(frozen=True)
class Step:
    """One thing an example shows: a title, Markdown, and a number or a table if it has one."""

    title: str
    markdown: str
    number: str
    table: Table | None


@dataclass(frozen=True)
class Example:
    """A calculated example: `setup` pairs a label with a value, `figures` holds `it`."""

    setup: list[tuple[str, str]]
    steps: list[Step]
    figures: Namespace


def example(block: WorkedExample | ExplorerBlock, figures: Namespace, lesson: Lesson) -> Example:
    """Calculate a worked example, or what an explorer shows where no script runs."""
    namespace = figures | {"it": example_figure(block, lesson.reference)}
    steps = [_step(step, namespace) for step in block.steps]
    return Example(_setup(block, lesson), steps, namespace)


def _step(step: Show, figures: Namespace) -> Step:
    if not step.value:
        return Step(step.title, step.markdown, "", None)
    value = evaluate(step.value, figures)
    if np.ndim(value) == 0:
        return Step(step.title, step.markdown, show(value, step.decimals), None)
    rows, columns = (
        list(evaluate(labels, figures)) if labels else [] for labels in (step.rows, step.columns)
    )
    shown = table(
        value, step.title, rows=rows, columns=columns, decimals=step.decimals, heat=step.heat
    )
    return Step(step.title, step.markdown, "", shown)


def _setup(block: WorkedExample | ExplorerBlock, lesson: Lesson) -> list[tuple[str, str]]:
    """The arguments that lesson.yaml labels, with the calculation's own defaults."""
    given = block.arguments if isinstance(block, WorkedExample) else block.state
    parameters = inspect.signature(lesson.reference.FIGURES[block.call]).parameters
    pairs = []
    for name, label in lesson.settings.argument_labels.items():
        if name in given:
            pairs.append((label, _words(given[name])))
        elif name in parameters and parameters[name].default is not inspect.Parameter.empty:
            pairs.append((label, _words(parameters[name].default)))
    return pairs


def _words(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(_words(item) for item in value)
    return value if isinstance(value, str) else show(value)
