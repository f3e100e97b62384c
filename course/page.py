"""The lesson as one HTML file that needs nothing else: no request, no script to be readable."""

from __future__ import annotations

from functools import partial
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from challenges.figures import Namespace, fill
from course import markdown
from course.data import as_script_text, lesson_data
from course.examples import example
from course.lesson import Lesson
from course.model import ExplorerBlock
from course.pointers import LoadedSection
from course.scripts import page_scripts
from course.theming import THEME, html_environment


def render_page(lesson: Lesson, *, staff: bool = False) -> str:
    """The page for students, or the same page with answers and misconceptions for staff."""
    return (
        _environment(lesson)
        .get_template("page.html")
        .render(
            lesson=lesson,
            settings=lesson.settings,
            parts=_parts(lesson),
            explorer_section=_explorer_section(lesson),
            staff=staff,
            styles=Markup(_styles()),
            scripts=Markup(page_scripts(lesson)),
            data=Markup(as_script_text(lesson_data(lesson))),
        )
    )


def _environment(lesson: Lesson) -> Environment:
    environment = html_environment()
    environment.filters |= {
        "prose": partial(_filled, markdown.prose),
        "inline": partial(_filled, markdown.inline),
        "marked": partial(_filled, markdown.marked),
        "formula": markdown.formula,
        "json": as_script_text,
    }
    environment.globals["example"] = partial(example, lesson=lesson)
    return environment


def _filled(render: Any, text: str, figures: Namespace | None = None) -> Markup:
    html: Markup = render(fill(text, figures) if figures else text)
    return html


def _parts(lesson: Lesson) -> list[tuple[str, list[LoadedSection]]]:
    """Headings of the parts with their sections, in the order of lesson.yaml."""
    return [
        (part.heading, [s for s in lesson.sections if s.section.part == part.id])
        for part in lesson.settings.parts
    ]


def _explorer_section(lesson: Lesson) -> str:
    """The id of the section in which the explorer itself stands."""
    for loaded in lesson.sections:
        for block in loaded.section.body:
            if isinstance(block, ExplorerBlock) and not block.link:
                return loaded.section.id
    return ""


def _styles() -> str:
    return "\n".join(file.read_text("utf-8") for file in sorted((THEME / "styles").glob("*.css")))
