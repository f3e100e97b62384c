"""What the page's scripts need of the lesson, as JSON; for graded questions no answers."""

from __future__ import annotations

import json
from typing import Any

from challenges.load import LoadedChallenge
from course.lesson import Lesson
from course.markdown import inline
from course.public_tests import public_tests
from questions.item import item
from questions.load import LoadedQuestion


def lesson_data(lesson: Lesson) -> dict[str, Any]:
    """Sections, questions and challenges, texts as HTML."""
    settings = lesson.settings
    return {
        "title": settings.title,
        "file": f"{settings.file_stem}.py",
        "graded": settings.graded,
        "pythonRuntime": settings.python_runtime.base_url,
        "sections": [
            {"id": s.section.id, "number": s.number, "title": s.section.title}
            for s in lesson.sections
        ],
        "questions": [_question(q, settings.graded) for q in lesson.questions],
        "challenges": [_challenge(c, lesson) for c in lesson.challenges],
    }


def _question(loaded: LoadedQuestion, graded: bool) -> dict[str, Any]:
    question = item(loaded)
    data: dict[str, Any] = {"id": question.id, "kind": question.kind}
    if graded:
        return data
    if (number := question.number) is not None:
        return data | {
            "answer": number.answer,
            "tolerance": number.tolerance,
            "rightReply": inline(number.right_reply),
            "wrongReply": inline(number.wrong_reply),
            "knownWrong": [
                {"value": value, "reply": inline(reply)} for value, reply in number.known_wrong
            ],
        }
    return data | {
        "choices": [
            {"right": choice.right, "reply": inline(choice.reply)} for choice in question.choices
        ]
    }


def _challenge(loaded: LoadedChallenge, lesson: Lesson) -> dict[str, Any]:
    challenge = loaded.challenge
    return {
        "id": challenge.id,
        "title": challenge.title,
        "points": challenge.points,
        "functions": [function.name for function in challenge.functions],
        "starter": loaded.starter,
        "cases": [
            {"id": case.id, "title": inline(case.title), "hint": inline(case.hint)}
            for case in challenge.visible("public")
        ],
        "test": public_tests(loaded, lesson.reference),
    }


def as_script_text(data: Any) -> str:
    """JSON that can stand inside a <script> element, whatever it holds."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text
