"""The models of `lesson.yaml` and of a section file: the small, documented set of blocks."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import Field

from challenges.figures import FigureCall
from challenges.model import Identifier, PythonName, Text
from challenges.source import Content


class TextBlock(Content):
    """Markdown, with `{{ figures }}` and inline formulas between dollars."""

    kind: Literal["text"]
    markdown: Text


class FormulaBlock(Content):
    """A displayed formula in LaTeX, with the words a screen reader or a beginner needs."""

    kind: Literal["formula"]
    latex: Text
    spoken: Text
    caption: str = ""


class Show(Content):
    """One thing a worked example shows: words, and optionally a number, row or matrix.

    `value`, `rows`, `columns` are expressions over the example (`it`); rows and columns label.
    """

    title: Text
    markdown: str = ""
    value: str = ""
    rows: str = ""
    columns: str = ""
    decimals: Annotated[int, Field(ge=0, le=12)] = 4
    heat: bool = False


class WorkedExample(Content):
    """A calculation shown step by step: its set-up (call and arguments) and what it shows."""

    kind: Literal["worked-example"]
    id: Identifier
    title: Text
    intro: str = ""
    call: Text
    arguments: dict[str, Any] = {}
    steps: Annotated[list[Show], Field(min_length=1)]
    outro: str = ""


class Panel(Content):
    """One side of a comparison: a sentence whose `==marked==` words are highlighted."""

    title: Text
    sentence: Text
    meaning: Text


class Comparison(Content):
    """Two or more sentences side by side; the highlight never relies on colour alone."""

    kind: Literal["comparison"]
    caption: Text
    panels: Annotated[list[Panel], Field(min_length=2)]


class Note(Content):
    """A short remark set off from the text."""

    kind: Literal["note"]
    title: str = "Note"
    markdown: Text


class Aside(Content):
    """A folded part for who wants to know more: text and formulas."""

    kind: Literal["aside"]
    title: Text
    body: Annotated[
        list[Annotated[TextBlock | FormulaBlock, Field(discriminator="kind")]],
        Field(min_length=1),
    ]


class Quiz(Content):
    """Questions, by id, asked at this place."""

    kind: Literal["quiz"]
    title: Text
    intro: str = ""
    questions: Annotated[list[Identifier], Field(min_length=1)]


class Walk(Content):
    """A prepared state of the explorer with what to look for."""

    title: Text
    markdown: Text
    state: dict[str, Any]


class ExplorerBlock(Content):
    """The interactive explorer in a state; with `link` only a link that opens it so.

    `call` (with `state` as its arguments) and `steps` are what a page without scripts shows;
    `notebook` is Python that does the same in the notebook.
    """

    kind: Literal["explorer"]
    title: Text
    markdown: str = ""
    state: dict[str, Any]
    link: bool = False
    walks: list[Walk] = []
    call: str = ""
    steps: list[Show] = []
    notebook: str = ""


class ChallengeBlock(Content):
    """A coding challenge, by id."""

    kind: Literal["challenge"]
    challenge: Identifier


Block = Annotated[
    TextBlock
    | FormulaBlock
    | WorkedExample
    | Comparison
    | Note
    | Aside
    | Quiz
    | ExplorerBlock
    | ChallengeBlock,
    Field(discriminator="kind"),
]


class Section(Content):
    """One section: its blocks in reading order, and the figures its prose uses."""

    id: Identifier
    title: Text
    part: Identifier
    figures: dict[PythonName, FigureCall] = {}
    body: Annotated[list[Block], Field(min_length=1)]


class Part(Content):
    """A part of the lesson; `heading` is empty for an opening without one."""

    id: Identifier
    heading: str = ""


class PythonRuntime(Content):
    """Where the page gets its Python (a Pyodide release) from, on the first Run."""

    base_url: Text


class LessonSettings(Content):
    """`course/lesson.yaml`: what holds for the lesson as a whole.

    `hand_in` is the name of the one file that students hand in, without .py or .ipynb.
    """

    title: Text
    description: Text
    language: Text = "en"
    hand_in: PythonName
    parts: Annotated[list[Part], Field(min_length=1)]
    graded: bool = False
    argument_labels: dict[str, str] = {}
    python_runtime: PythonRuntime
    credits: str = ""

    @property
    def file_stem(self) -> str:
        """What handouts and submissions are called: the title as a Python name."""
        return re.sub(r"\W+", "_", self.title.lower()).strip("_")
