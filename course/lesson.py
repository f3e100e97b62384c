"""Load a whole lesson from its YAML: every mistake of every file, or a Lesson."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any

from challenges.faults import FaultTexts, load_faults
from challenges.figures import (
    FigureCall,
    FigureError,
    Namespace,
    calculate_all,
    evaluate,
    fill,
    load_reference,
)
from challenges.load import LoadedChallenge, load_challenges
from challenges.source import ContentError, Finding, Source, check, read
from course.model import (
    ExplorerBlock,
    LessonSettings,
    PythonRuntime,
    Section,
    WorkedExample,
)
from course.pointers import LoadedSection, pointer_findings
from questions.load import LoadedQuestion, load_questions


@dataclass(frozen=True)
class Lesson:
    """Everything the build and the grader need of a lesson."""

    root: Path
    settings: LessonSettings
    sections: list[LoadedSection]
    questions: list[LoadedQuestion]
    challenges: list[LoadedChallenge]
    reference: ModuleType
    faults: FaultTexts

    def question(self, identifier: str) -> LoadedQuestion:
        """The question of that id."""
        return next(q for q in self.questions if q.question.id == identifier)

    def challenge(self, identifier: str) -> LoadedChallenge:
        """The challenge of that id."""
        return next(c for c in self.challenges if c.challenge.id == identifier)

    def with_python_runtime(self, url: str) -> Lesson:
        """The same lesson, its page getting Python from elsewhere."""
        settings = self.settings.model_copy(update={"python_runtime": PythonRuntime(base_url=url)})
        return replace(self, settings=settings)


def load_lesson(root: Path) -> Lesson:
    """The lesson at `root`; raises ContentError with every finding of every file."""
    findings: list[Finding] = []
    reference: ModuleType | None = None
    try:
        reference = load_reference(root)
    except Exception as error:  # the reference is code: whatever it raises is a finding
        findings.append(Finding(root / "reference", 0, "", f"cannot be loaded: {error}"))
    settings, found = _settings(root / "course" / "lesson.yaml")
    findings += found
    challenges, found = load_challenges(root, reference)
    findings += found
    faults, found = load_faults(root, reference)
    findings += found
    questions, found = load_questions(root, reference)
    findings += found
    sections, found = _sections(root / "course" / "sections", reference)
    findings += found
    findings += pointer_findings(root, settings, sections, questions, challenges)
    if findings or settings is None or reference is None:
        raise ContentError(findings)
    return Lesson(root, settings, sections, questions, challenges, reference, faults)


def _settings(file: Path) -> tuple[LessonSettings | None, list[Finding]]:
    source, findings = read(file)
    if source is None:
        return None, findings
    return check(source, LessonSettings)


def _sections(
    folder: Path, reference: ModuleType | None
) -> tuple[list[LoadedSection], list[Finding]]:
    loaded: list[LoadedSection] = []
    findings: list[Finding] = []
    files = sorted(folder.glob("*.yaml"))
    if not files:
        findings.append(Finding(folder, 0, "", "no section file (NN-<id>.yaml) is here"))
    for number, file in enumerate(files, start=1):
        source, found = read(file)
        findings += found
        if source is None:
            continue
        section, found = check(source, Section)
        findings += found
        if section is None:
            continue
        if file.name != f"{number:02d}-{section.id}.yaml":
            text = f"the file is {file.name}, not {number:02d}-{section.id}.yaml"
            findings.append(source.finding(("id",), text))
        figures: Namespace = {}
        if reference is not None:
            figures, found = _figures(section, source, reference)
            findings += found
        loaded.append(LoadedSection(number, section, figures, source))
    return loaded, findings


def _figures(
    section: Section, source: Source, reference: ModuleType
) -> tuple[Namespace, list[Finding]]:
    """The section's figures; its prose and worked examples are tried out on them."""
    findings: list[Finding] = []
    figures: Namespace = {}
    for name, call in section.figures.items():
        try:
            figures |= calculate_all({name: call}, reference)
        except FigureError as error:
            findings.append(source.finding(("figures", name), str(error)))
    for index, block in enumerate(section.body):
        place = ("body", index)
        namespace = figures
        if isinstance(block, WorkedExample) or (isinstance(block, ExplorerBlock) and block.call):
            try:
                it = example_figure(block, reference)
            except FigureError as error:
                findings.append(source.finding((*place, "call"), str(error)))
                continue
            namespace = figures | {"it": it}
            for step_index, step in enumerate(block.steps):
                for key in ("value", "rows", "columns"):
                    expression = getattr(step, key)
                    if not expression:
                        continue
                    try:
                        evaluate(expression, namespace)
                    except FigureError as error:
                        where = (*place, "steps", step_index, key)
                        findings.append(source.finding(where, str(error)))
        for inner, text in _texts(block.model_dump(), place):
            try:
                fill(text, namespace)
            except FigureError as error:
                findings.append(source.finding(inner, str(error)))
    return figures, findings


def example_figure(block: WorkedExample | ExplorerBlock, reference: ModuleType) -> Any:
    """What the expressions of a worked example (or of an explorer's state) call `it`."""
    arguments = block.arguments if isinstance(block, WorkedExample) else block.state
    return FigureCall(call=block.call, arguments=arguments).calculate(reference)


def _texts(data: Any, place: tuple[str | int, ...]) -> list[tuple[tuple[str | int, ...], str]]:
    """Every text below `data` with its place, except LaTeX, where braces are the author's own."""
    if isinstance(data, str):
        return [(place, data)]
    if not isinstance(data, dict | list):
        return []
    items = data.items() if isinstance(data, dict) else enumerate(data)
    return [
        found for key, value in items if key != "latex" for found in _texts(value, (*place, key))
    ]
