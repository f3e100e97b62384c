"""A student's own questions: every question of a lesson in the variant that is theirs."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType

from challenges.source import ContentError
from questions.load import LoadedQuestion, calculate
from questions.variants import draw_variant


def personal_questions(
    questions: Sequence[LoadedQuestion], reference: ModuleType, student: str, secret: bytes
) -> list[LoadedQuestion]:
    """The questions as this student gets them, right answers calculated by the reference."""
    own: list[LoadedQuestion] = []
    for loaded in questions:
        question = loaded.question
        if question.variants:
            variant = draw_variant(question, student, secret)
            loaded, findings = calculate(  # noqa: PLW2901
                loaded.number, question, loaded.source, reference, variant
            )
            if findings:
                raise ContentError(findings)
        own.append(loaded)
    return own
