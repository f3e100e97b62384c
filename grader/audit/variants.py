"""Stored implementations, run in the sandbox like a student's: right ones and wrong ones.

They lie in folders named after their challenge; a file's name begins with `right` or `wrong`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from grader.audit.matrix import ALL, NONE
from grader.diagnosis import Diagnoser
from grader.lesson import GradedLesson
from grader.marking import mark
from grader.outcome import Sandbox
from grader.verdict import Verdict


@dataclass(frozen=True)
class Tried:
    """One stored implementation and the verdicts on the functions that it has."""

    file: Path
    challenge: str
    right: bool
    verdicts: tuple[Verdict, ...]

    @property
    def name(self) -> str:
        return f"{self.challenge}/{self.file.stem}"

    @property
    def named(self) -> bool:
        """Whether some mistake is named."""
        return any(v.misconception for v in self.verdicts)

    def marks(self) -> dict[str, str]:
        """For each function that is wrong, a sign for each of its cases, as in the matrix."""
        signs: dict[str, str] = {}
        for verdict in self.verdicts:
            sign = NONE if verdict.verdict == "pass" else ALL
            signs[verdict.function] = signs.get(verdict.function, "") + sign
        return {function: row for function, row in signs.items() if ALL in row}

    def problem(self) -> str:
        """What is wrong with how it fared."""
        lost = {v.challenge for v in self.verdicts if v.earned < v.points}
        if self.right and lost:
            return f"{self.name} is right and loses points in {', '.join(sorted(lost))}"
        if not self.right and lost != {self.challenge}:
            where = ", ".join(sorted(lost)) or "no challenge"
            return f"{self.name} is wrong and loses points in {where}"
        return ""


def try_variants(
    folder: Path, lesson: GradedLesson, sandbox: Sandbox, diagnoser: Diagnoser
) -> Iterator[Tried]:
    """Every stored implementation of the lesson's challenges."""
    for challenge in lesson.challenges:
        for file in sorted((folder / challenge.id).glob("*.py")):
            right = file.name.startswith("right")
            if not right and not file.name.startswith("wrong"):
                continue
            result = mark(str(file), lesson, sandbox, diagnoser.diagnose)
            there = tuple(v for v in result.verdicts if v.verdict != "missing")
            yield Tried(file, challenge.id, right, there)
