"""Load a whole lesson from its YAML: every mistake of every file, or a Lesson."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType

from challenges.faults import FaultTexts, load_faults
from challenges.figures import Namespace, load_reference
from challenges.load import LoadedChallenge, load_challenges
from challenges.source import ContentError, Finding, name_findings, read_as
from course.model import LessonSettings, PythonRuntime, Section
from course.pointers import LoadedSection, pointer_findings
from course.trial import prose_findings, texts_of, try_out
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
    read_settings = read_as(root / "course" / "lesson.yaml", LessonSettings, findings)
    settings = read_settings[1] if read_settings else None
    challenges, found = load_challenges(root, reference)
    findings += found
    faults, found = load_faults(root, reference)
    findings += found
    questions, found = load_questions(root, reference)
    findings += found
    sections, found = _sections(root / "course" / "sections", reference)
    findings += found
    for question in questions:
        if reference is not None:  # without it the texts have no figures yet
            findings += prose_findings(question.source, list(question.texts.items()))
    for item in challenges:
        texts = texts_of(item.challenge.model_dump(exclude={"cases"}))
        findings += prose_findings(item.source, texts)
    findings += pointer_findings(root, settings, sections, questions, challenges)
    if findings or settings is None or reference is None:
        raise ContentError(findings)
    return Lesson(root, settings, sections, questions, challenges, reference, faults)


def _sections(
    folder: Path, reference: ModuleType | None
) -> tuple[list[LoadedSection], list[Finding]]:
    loaded: list[LoadedSection] = []
    findings: list[Finding] = []
    files = sorted(folder.glob("*.yaml"))
    if not files:
        findings.append(Finding(folder, 0, "", "no section file (NN-<id>.yaml) is here"))
    for number, (before, file) in enumerate(zip([None, *files], files, strict=False), start=1):
        content = read_as(file, Section, findings)
        if content is None:
            continue
        source, section = content
        findings += name_findings(source, section.id, before)
        figures: Namespace = {}
        if reference is not None:
            figures, found = try_out(section, source, reference)
            findings += found
        loaded.append(LoadedSection(number, section, figures, source))
    return loaded, findings
