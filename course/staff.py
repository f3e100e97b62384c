"""What only staff may have: a solution, the answer key, hidden cases, the page with answers."""

from __future__ import annotations

import json

import numpy as np
from pydantic import BaseModel

from challenges.cases import Argument, Prepared, prepare
from challenges.faults import FaultFile
from challenges.model import Challenge
from course.handout import Files
from course.lesson import Lesson
from course.model import LessonSettings, Section
from course.page import render_page
from course.solution import solution
from course.theming import plain_template
from questions.model import QuestionFile

SCHEMAS: dict[str, type[BaseModel]] = {
    "lesson": LessonSettings,
    "section": Section,
    "question": QuestionFile,
    "challenge": Challenge,
    "faults": FaultFile,
}


def staff_files(lesson: Lesson) -> Files:
    """Everything of `build/staff/`."""
    stem = lesson.settings.file_stem
    files = {
        "answers.md": plain_template("answers.md.jinja").render(lesson=lesson),
        "hidden-cases.md": plain_template("hidden-cases.md.jinja").render(
            lesson=lesson, hidden=_hidden(lesson), shown=_shown
        ),
        "index.html": render_page(lesson, staff=True),
        f"{stem}.py": solution(lesson.reference),
    }
    for name, model in SCHEMAS.items():
        files[f"schemas/{name}.json"] = schema(model)
    return {name: text.encode("utf-8") for name, text in sorted(files.items())}


def schema(model: type[BaseModel]) -> str:
    """The JSON Schema of a content file, for editors."""
    return json.dumps(model.model_json_schema(), ensure_ascii=False, indent=2) + "\n"


def _hidden(lesson: Lesson) -> list[tuple[Challenge, list[Prepared]]]:
    return [
        (
            item.challenge,
            [
                prepare(case, item.challenge.function(case.function), lesson.reference)
                for case in item.challenge.visible("hidden")
            ],
        )
        for item in lesson.challenges
    ]


def _shown(value: Argument) -> str:
    """A value for a person to read."""
    if isinstance(value, np.ndarray):
        return np.array2string(value, precision=6, suppress_small=False, max_line_width=96)
    return repr(value)
