"""What a student downloads: page, notebook, starter file, public tests, README."""

from __future__ import annotations

import ast

from challenges.load import LoadedChallenge
from course.lesson import Lesson
from course.notebook import notebook
from course.page import render_page
from course.public_tests import public_tests
from course.theming import plain_template

Files = dict[str, bytes]
"""Path inside a folder → content."""


def student_files(lesson: Lesson) -> Files:
    """Everything of `build/student/`."""
    stem = lesson.settings.file_stem
    files = {
        "README.md": plain_template("student-readme.md.jinja").render(lesson=lesson, stem=stem),
        "index.html": render_page(lesson),
        f"{stem}.ipynb": notebook(lesson),
        f"{stem}.py": starter_file(lesson),
    }
    for loaded in lesson.challenges:
        files[f"tests/{loaded.challenge.id}.py"] = public_tests(loaded, lesson.reference)
    return {name: text.encode("utf-8") for name, text in sorted(files.items())}


def starter_file(lesson: Lesson) -> str:
    """The starters of all challenges as one file: imports once, then challenge by challenge."""
    imports: list[str] = []
    parts: list[str] = []
    for loaded in lesson.challenges:
        own, body = _split(loaded)
        imports += [line for line in own if line not in imports]
        challenge = loaded.challenge
        head = f"# Challenge {challenge.number}: {challenge.title} ({challenge.points} points)"
        parts.append(f"{head}\n\n\n{body}")
    stem = lesson.settings.file_stem
    title = f'"""{lesson.settings.title}: write the functions below and hand in {stem}.py."""'
    return f"{title}\n\n" + "\n".join(imports) + "\n\n\n" + "\n\n\n".join(parts) + "\n"


def _split(loaded: LoadedChallenge) -> tuple[list[str], str]:
    """The import lines at the top of a starter, and all that follows them."""
    tree = ast.parse(loaded.starter)
    lines = loaded.starter.splitlines()
    top = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    last = max((node.end_lineno or 0 for node in top), default=0)
    return [ast.unparse(node) for node in top], "\n".join(lines[last:]).strip("\n")
