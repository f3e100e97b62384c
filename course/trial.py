"""Try a section out before it is shown: its figures, prose, formulas and tables must all work."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any

import numpy as np

from challenges.figures import FigureCall, FigureError, Namespace, calculate_all, evaluate, fill
from challenges.source import Finding, Source
from course.markdown import FormulaError, formula, prose
from course.model import Block, ExplorerBlock, Section, Show, WorkedExample
from course.tables import table

Place = tuple[str | int, ...]
CODE = {"notebook"}
"""Keys whose text is Python: neither figures nor formulas are looked for there."""


def try_out(
    section: Section, source: Source, reference: ModuleType
) -> tuple[Namespace, list[Finding]]:
    """The section's figures, and whatever of its blocks could not be shown."""
    findings: list[Finding] = []
    figures: Namespace = {}
    for name, call in section.figures.items():
        try:
            figures |= calculate_all({name: call}, reference)
        except FigureError as error:
            findings.append(source.finding(("figures", name), str(error)))
    if findings:  # what reads a missing figure is no mistake of its own
        return figures, findings
    for index, block in enumerate(section.body):
        findings += _block_findings(block, ("body", index), source, figures, reference)
    return figures, findings


def example_figure(block: WorkedExample | ExplorerBlock, reference: ModuleType) -> Any:
    """What the expressions of a worked example (or of an explorer's state) call `it`."""
    arguments = block.arguments if isinstance(block, WorkedExample) else block.state
    return FigureCall(call=block.call, arguments=arguments).calculate(reference)


def prose_findings(
    source: Source, texts: Sequence[tuple[Place, str]], figures: Namespace | None = None
) -> list[Finding]:
    """Texts whose figures or formulas cannot be read; without `figures` they are filled already."""
    findings = []
    for place, text in texts:
        try:
            if place[-1] == "latex":
                formula(text, display=True)
            else:
                prose(fill(text, figures) if figures is not None else text or "")
        except (FigureError, FormulaError) as error:
            findings.append(source.finding(place, str(error)))
    return findings


def texts_of(data: Any, place: Place = ()) -> list[tuple[Place, str]]:
    """Every text below `data` with its place, but no code."""
    if isinstance(data, str):
        return [(place, data)]
    if not isinstance(data, dict | list):
        return []
    items = data.items() if isinstance(data, dict) else enumerate(data)
    return [
        found for key, value in items if key not in CODE for found in texts_of(value, (*place, key))
    ]


def _block_findings(
    block: Block, place: Place, source: Source, figures: Namespace, reference: ModuleType
) -> list[Finding]:
    findings: list[Finding] = []
    if isinstance(block, WorkedExample | ExplorerBlock) and block.call:
        try:
            figures = figures | {"it": example_figure(block, reference)}
        except FigureError as error:
            return [source.finding((*place, "call"), str(error))]
        for index, step in enumerate(block.steps):
            findings += _step_findings(step, (*place, "steps", index), source, figures)
    return findings + prose_findings(source, texts_of(block.model_dump(), place), figures)


def _step_findings(step: Show, place: Place, source: Source, figures: Namespace) -> list[Finding]:
    """Expressions that cannot be evaluated, or that make no table."""
    values: dict[str, Any] = {}
    for key in ("value", "rows", "columns"):
        try:
            values[key] = (
                evaluate(expression, figures) if (expression := getattr(step, key)) else []
            )
        except FigureError as error:
            return [source.finding((*place, key), str(error))]
    if not step.value or np.ndim(values["value"]) == 0:
        return []
    try:
        table(values["value"], step.title, rows=values["rows"], columns=values["columns"])
    except (TypeError, ValueError) as error:
        return [source.finding((*place, "value"), f"{step.value!r} makes no table: {error}")]
    return []
