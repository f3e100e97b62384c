"""What the grader needs of a lesson: its challenges, every case ready to run, its questions."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import ModuleType

import numpy as np
from pydantic import BaseModel

from challenges.cases import Prepared, prepare
from challenges.faults import FaultTexts, load_faults
from challenges.figures import load_reference
from challenges.load import load_challenges
from challenges.model import Challenge, PythonName
from challenges.model import Limits as ChallengeLimits
from challenges.source import ContentError, Finding, check, read
from grader.outcome import Call, Limits
from grader.remembered import Remembered
from grader.verdict import Verdict
from questions.load import LoadedQuestion, load_questions

JUDGED = 500
"""So many verdicts of a case are remembered; they take less than a megabyte."""


@dataclass(frozen=True)
class GradedCase:
    """One case of one challenge, and the call that the sandbox makes for it."""

    challenge: Challenge
    prepared: Prepared
    call: Call
    judged: Remembered[bytes, Verdict] = field(
        default_factory=lambda: Remembered(JUDGED), init=False, compare=False, repr=False
    )
    """Verdicts on results that came before, by their digest: in a class, most come many times."""

    @cached_property
    def name(self) -> str:
        """`challenge/case`, unique in the lesson."""
        return self.call.case

    @cached_property
    def passed(self) -> Verdict:
        """The verdict on a right result."""
        case = self.prepared.case
        points = case.points
        return Verdict(
            self.challenge.id, case.id, case.function, case.visibility, points, points, "pass"
        )

    @cached_property
    def parts(self) -> list[tuple[str, str]]:
        """Name and shape in symbols of each returned array, for messages."""
        returns = self.prepared.function.returns
        return [(part.name, f"({', '.join(map(str, part.shape))})") for part in returns]

    @cached_property
    def allowed(self) -> tuple[np.ndarray, ...]:
        """How far each entry may be from what is expected; not at all where that is infinite."""
        tolerance = self.challenge.tolerance
        sizes = (np.where(np.isfinite(e), np.abs(e), 0.0) for e in self.prepared.expected)
        return tuple(tolerance.absolute + tolerance.relative * size for size in sizes)


@dataclass(frozen=True)
class GradedLesson:
    """A lesson as the grader sees it.

    `cases` are in the order of the files; `calls` has the public ones first, as the sandbox asks.
    """

    root: Path
    hand_in: str
    graded: bool
    challenges: tuple[Challenge, ...]
    starters: tuple[str, ...]
    cases: tuple[GradedCase, ...]
    calls: tuple[Call, ...]
    questions: tuple[LoadedQuestion, ...]
    reference: ModuleType
    faults: FaultTexts
    hashes: dict[str, str]
    secret: bytes | None = None  # of the course, for each student's own variants of the questions
    students: Mapping[str, str] = field(default_factory=dict)  # by path, where a roster tells


def load_graded_lesson(root: Path) -> GradedLesson:
    """The lesson at `root`; raises ContentError with every mistake in what the grader reads."""
    findings: list[Finding] = []
    try:
        reference = load_reference(root)
    except Exception as error:  # the reference is code: whatever it raises is a finding
        raise ContentError(
            [Finding(root / "reference", 0, "", f"cannot be loaded: {error}")]
        ) from (error)
    settings, found = _settings(root)
    findings += found
    loaded, found = load_challenges(root, reference)
    findings += found
    faults, found = load_faults(root, reference)
    findings += found
    questions: list[LoadedQuestion] = []
    if settings.graded:
        questions, found = load_questions(root, reference)
        findings += found
    if findings:
        raise ContentError(findings)
    cases = tuple(
        GradedCase(c, prepared, _call(c, prepared))
        for c in (item.challenge for item in loaded)
        for prepared in (prepare(case, c.function(case.function), reference) for case in c.cases)
    )
    return GradedLesson(
        root=root,
        hand_in=settings.hand_in,
        graded=settings.graded,
        challenges=tuple(item.challenge for item in loaded),
        starters=tuple(item.starter for item in loaded),
        cases=cases,
        calls=tuple(
            case.call
            for visibility in ("public", "hidden")
            for case in cases
            if case.prepared.case.visibility == visibility
        ),
        questions=tuple(questions),
        reference=reference,
        faults=faults,
        hashes={
            "challenges": _digest(root, "challenges/*/challenge.yaml", "challenges/*/starter.py"),
            "faults": _digest(root, "challenges/faults/*.yaml"),
            "reference": _digest(root, "reference/**/*.py"),
            "questions": _digest(root, "questions/*.yaml"),
        },
    )


class _Settings(BaseModel):
    """The keys of lesson.yaml that matter here; `python -m course check` validates all of it."""

    hand_in: PythonName
    graded: bool = False


def _settings(root: Path) -> tuple[_Settings, list[Finding]]:
    source, findings = read(root / "course" / "lesson.yaml")
    settings = None
    if source is not None:
        settings, findings = check(source, _Settings)
    return settings or _Settings(hand_in="missing"), findings


def _call(challenge: Challenge, prepared: Prepared) -> Call:
    case = prepared.case
    return Call(
        f"{challenge.id}/{case.id}",
        case.function,
        prepared.arguments,
        case.repeat,
        limits_of(challenge.limits),
        hidden=case.visibility == "hidden",
    )


def limits_of(limits: ChallengeLimits) -> Limits:
    """The limits of YAML as the sandbox takes them."""
    return Limits(**{**limits.model_dump(), "cpu_seconds": max(1, round(limits.cpu_seconds))})


def _digest(root: Path, *patterns: str) -> str:
    total = hashlib.sha256()
    for file in sorted(file for pattern in patterns for file in root.glob(pattern)):
        total.update(f"{file.relative_to(root).as_posix()}\0".encode())
        total.update(hashlib.sha256(file.read_bytes()).digest())
    return total.hexdigest()
