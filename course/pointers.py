"""Names that point from file to file: each must be there, and everything must be carried once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from challenges.explain import suggest
from challenges.figures import Namespace
from challenges.load import LoadedChallenge
from challenges.source import Finding, Source
from course.model import ChallengeBlock, LessonSettings, Quiz, Section
from questions.load import LoadedQuestion


@dataclass(frozen=True)
class LoadedSection:
    """A section, its calculated figures, and where it was read."""

    number: int
    section: Section
    figures: Namespace
    source: Source


@dataclass(frozen=True)
class _Names:
    """The ids that file names give: a mistake inside a file raises no alarm in others."""

    sections: list[str]
    questions: list[str]
    challenges: list[str]

    @classmethod
    def of(cls, root: Path) -> _Names:
        return cls(
            [file.stem[3:] for file in (root / "course" / "sections").glob("*.yaml")],
            [file.stem[3:] for file in (root / "questions").glob("*.yaml")],
            [file.parent.name for file in (root / "challenges").glob("*/challenge.yaml")],
        )


def pointer_findings(
    root: Path,
    settings: LessonSettings | None,
    sections: Sequence[LoadedSection],
    questions: Sequence[LoadedQuestion],
    challenges: Sequence[LoadedChallenge],
) -> list[Finding]:
    """Names that point nowhere or are given twice, and things that no section carries."""
    names = _Names.of(root)
    findings: list[Finding] = []
    carried: list[str] = []
    for loaded in sections:
        findings += _of_section(loaded, settings, names, carried)
    for question in questions:
        item, source = question.question, question.source
        findings += _known(source, ("section",), "section", item.section, names.sections)
    findings += _given_twice(names.sections, [(s.section.id, s.source) for s in sections])
    placed = [(q.question.id, q.source) for q in questions]
    findings += _given_twice(names.questions, placed)
    placed += [(c.challenge.id, c.source) for c in challenges]
    if len(sections) == len(names.sections):  # what a broken section carries is not known
        findings += [
            source.finding(("id",), f"no section carries '{name}'")
            for name, source in placed
            if name not in carried
        ]
    return findings


def _of_section(
    loaded: LoadedSection, settings: LessonSettings | None, names: _Names, carried: list[str]
) -> list[Finding]:
    section, source = loaded.section, loaded.source
    findings: list[Finding] = []
    if settings:
        parts = [part.id for part in settings.parts]
        if section.part not in parts:
            text = f"no part '{section.part}' in lesson.yaml" + suggest(section.part, parts)
            findings.append(source.finding(("part",), text))
    for index, block in enumerate(section.body):
        place = ("body", index)
        if isinstance(block, Quiz):
            for at, name in enumerate(block.questions):
                where = (*place, "questions", at)
                findings += _known(source, where, "question", name, names.questions)
                if name in carried:
                    findings.append(source.finding(where, f"'{name}' is asked twice"))
                carried.append(name)
        elif isinstance(block, ChallengeBlock):
            name = block.challenge
            findings += _known(source, (*place, "challenge"), "challenge", name, names.challenges)
            carried.append(name)
    return findings


def _given_twice(names: list[str], loaded: list[tuple[str, Source]]) -> list[Finding]:
    counts = Counter(names)
    return [
        source.finding(("id",), f"another file has the id '{name}' too")
        for name, source in loaded
        if counts[name] > 1
    ]


def _known(
    source: Source, place: tuple[str | int, ...], what: str, name: str, known: list[str]
) -> list[Finding]:
    if name in known:
        return []
    return [source.finding(place, f"no {what} '{name}'" + suggest(name, known))]
