"""Which misconceptions a class has, by the lesson's own names, and where to teach again."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np

from challenges.faults import load_faults
from challenges.source import read
from grader.diagnosis import BUILDS_ON
from grader.report.reading import KINDS, NONE, ClassRun, Told


class Section(NamedTuple):
    """A section of the lesson; number 0 and no title where it is not known."""

    id: str = ""
    number: int = 0
    title: str = ""

    def __str__(self) -> str:
        if not self.number:
            return self.id
        return f"{self.number}. {self.title}" if self.title else f"Section {self.number}"


@dataclass(frozen=True, order=True)
class Misconception:
    """What is believed wrongly, where to teach it again, and what staff and students read of it."""

    name: str
    section: Section
    staff: str = ""
    student: str = ""

    @property
    def follows(self) -> bool:
        """Whether it only tells that a function goes wrong through another one."""
        return self.name.startswith(BUILDS_ON)


@dataclass(frozen=True)
class Names:
    """The misconceptions that a lesson knows, found again in what a run recorded."""

    sections: Mapping[str, Section]
    faults: Sequence[Misconception] = ()
    observations: Sequence[Misconception] = ()

    def find(self, told: Told) -> tuple[Misconception, ...]:
        """All misconceptions that were told of.

        What the lesson does not name (any more) is a misconception by its first sentence.
        """
        found = tuple(f for f in self.faults if f"{f.name}. {f.student}" in told.student)
        found = found or tuple(o for o in self.observations if o.student in told.student)
        if found:
            return found
        name = _first_sentence(told.staff or told.student)
        return (Misconception(name, self._section(told.student)),)

    def _section(self, text: str) -> Section:
        match = re.search(r"\bsection (\d+)\b", text, re.IGNORECASE)
        number = int(match[1]) if match else 0
        return self._by_number.get(number, Section(number=number))

    @cached_property
    def _by_number(self) -> dict[int, Section]:
        return {section.number: section for section in self.sections.values()}


def load_names(root: Path) -> Names:
    """The names in the lesson at `root`; mistakes in its files are not the report's business."""
    texts, _ = load_faults(root, None)
    sections = {}
    for file in sorted((root / "course" / "sections").glob("[0-9][0-9]-*.yaml")):
        source, _ = read(file)
        title = str(source.data.get("title", "")) if source else ""
        sections[file.stem[3:]] = Section(file.stem[3:], int(file.stem[:2]), title)
    faults = [
        Misconception(
            text.name, sections.get(text.section, Section(text.section)), text.staff, text.student
        )
        for text in texts.faults.values()
    ]
    observations = [
        Misconception(o.staff.rstrip("."), Section(), o.staff, o.student)
        for o in texts.observations
    ]
    return Names(sections, faults, observations)


def _first_sentence(text: str, most: int = 120) -> str:
    sentence = re.split(r"(?<=[.?!])\s", text.strip(), maxsplit=1)[0].rstrip(".")
    return sentence if len(sentence) <= most else f"{sentence[: most - 1]}…"


@dataclass(frozen=True)
class Count:
    """How many students show a misconception, in which functions."""

    misconception: Misconception
    students: int
    functions: tuple[str, ...]


@dataclass(frozen=True)
class SectionCount:
    """How many students show any misconception that belongs to a section."""

    section: Section
    students: int


@dataclass(frozen=True)
class Misconceptions:
    """Of a class: the most common first; `unnamed` students fail where nothing could be named."""

    counts: tuple[Count, ...]
    sections: tuple[SectionCount, ...]
    failing: int
    unnamed: int
    submissions: int

    def share(self, misconception: Misconception) -> float:
        """The share of all submissions that show a misconception."""
        students = sum(c.students for c in self.counts if c.misconception == misconception)
        return students / self.submissions if self.submissions else 0.0

    def section_share(self, section: Section) -> float:
        """The share of all submissions that show any misconception of a section."""
        students = sum(s.students for s in self.sections if s.section == section)
        return students / self.submissions if self.submissions else 0.0


def count_misconceptions(run: ClassRun, names: Names) -> Misconceptions:
    """Count students, not cases: who shows a misconception in five cases counts once.

    Functions that go wrong only through another one show no misconception of their own.
    """
    students: dict[Misconception, set[int]] = {}
    functions: dict[Misconception, set[str]] = {}
    of_section: dict[Section, set[int]] = {}
    for number, told in enumerate(run.told):
        rows, columns = np.nonzero(run.named == number)
        for misconception in (m for m in names.find(told) if not m.follows):
            students.setdefault(misconception, set()).update(rows.tolist())
            used = functions.setdefault(misconception, set())
            used.update(run.cases[column].function for column in set(columns.tolist()))
            if misconception.section.number:
                of_section.setdefault(misconception.section, set()).update(rows.tolist())
    wrong = ~run.passed & (run.kinds != NONE) & (run.kinds != KINDS.index("broken"))
    counts = [
        Count(m, len(rows), tuple(f for f in run.functions if f in functions[m]))
        for m, rows in students.items()
    ]
    return Misconceptions(
        tuple(sorted(counts, key=lambda c: (-c.students, c.misconception))),
        tuple(
            sorted(
                (SectionCount(section, len(rows)) for section, rows in of_section.items()),
                key=lambda s: (-s.students, s.section.number),
            )
        ),
        int(wrong.any(axis=1).sum()),
        int((wrong & (run.named == NONE)).any(axis=1).sum()),
        len(run.people),
    )
