"""The page as it is without scripts: whole, self-contained, and marked up for everybody."""

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from challenges.load import LESSON_ROOT
from course.lesson import Lesson, load_lesson
from course.page import render_page

TINY = Path(__file__).parent / "fixtures" / "tiny"


class _Reader(HTMLParser):
    """Elements with their attributes, and the text of each section."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.sections: dict[str, str] = {}
        self._section = ""
        self._skip = 0
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        self.elements.append((tag, attributes))
        if tag == "section" and attributes.get("class") == "section":
            self._section = attributes["id"]
        self._skip += tag in {"script", "style"}

    def handle_endtag(self, tag: str) -> None:
        self._skip -= tag in {"script", "style"}

    def handle_data(self, data: str) -> None:
        if not self._skip:
            self.sections[self._section] = self.sections.get(self._section, "") + data + " "

    def all(self, tag: str, **attributes: str) -> list[dict[str, str]]:
        return [
            found
            for name, found in self.elements
            if name == tag and attributes.items() <= found.items()
        ]


@pytest.fixture(scope="module")
def lesson() -> Lesson:
    return load_lesson(LESSON_ROOT)


@pytest.fixture(scope="module")
def html(lesson: Lesson) -> str:
    return render_page(lesson)


@pytest.fixture(scope="module")
def page(html: str) -> _Reader:
    return _Reader(html)


def test_every_section_is_there_and_listed(lesson: Lesson, page: _Reader) -> None:
    found = page.all("section", **{"class": "section"})
    assert [(s["id"], s["data-number"]) for s in found] == [
        (s.section.id, str(s.number)) for s in lesson.sections
    ]
    links = [a["href"] for a in page.all("a") if a["href"].startswith("#")]
    assert {f"#{s.section.id}" for s in lesson.sections} <= set(links)


def test_every_link_inside_the_page_leads_somewhere(page: _Reader) -> None:
    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(ids) == len(set(ids)), "an id is used twice"
    for name in ("href", "for", "aria-labelledby", "aria-describedby"):
        for _, attributes in page.elements:
            value = attributes.get(name, "")
            if name == "href" and not value.startswith("#"):
                continue
            assert {part.lstrip("#") for part in value.split()} <= set(ids), (name, value)


def test_nothing_is_loaded_from_elsewhere(page: _Reader) -> None:
    for tag, attributes in page.elements:
        assert "src" not in attributes, tag
        if tag == "link":
            assert attributes["href"].startswith("data:")
        assert "http" not in attributes.get("style", "")


def test_the_styles_load_nothing(html: str) -> None:
    style = re.findall(r"<style>(.*?)</style>", html, re.DOTALL)
    assert style
    assert not re.search(r"@import|url\(\s*['\"]?(?!data:)", "".join(style))


def test_questions_are_forms_with_a_legend_and_labels(lesson: Lesson, page: _Reader) -> None:
    kinds = {form["id"]: form["data-kind"] for form in page.all("form")}
    assert kinds == {f"question-{q.question.id}": q.question.kind for q in lesson.questions}
    assert len(page.all("fieldset")) >= len(kinds)
    assert len(page.all("legend")) >= len(kinds)
    labelled = {label["for"] for label in page.all("label") if "for" in label}
    for control in (*page.all("input"), *page.all("textarea")):
        assert control["id"] in labelled, control


def test_challenges_hold_their_starters_and_a_ladder_of_hints(lesson: Lesson, html: str) -> None:
    for item in lesson.challenges:
        assert f'data-challenge="{item.challenge.id}"' in html
    assert html.count("<textarea") == len(lesson.challenges)
    hints = sum(len(item.challenge.hints) for item in lesson.challenges)
    assert len(re.findall(r'<details class="hint"', html)) == hints


def test_tables_have_captions_and_scopes(page: _Reader, html: str) -> None:
    tables = page.all("table")
    matrices = [table for table in tables if "matrix" in table.get("class", "")]
    assert len(matrices) >= 15
    assert html.count("<caption>") == len(matrices)
    assert all("scope" in th for th in page.all("th"))


def test_marks_are_told_to_a_screen_reader(page: _Reader) -> None:
    marks = len(page.all("mark"))
    assert marks >= 2
    assert sum(text.count("[marked: ") for text in page.sections.values()) == marks


# What the lesson must show, worked out by hand: section number → figures in its text.
SHOWN = {
    3: ["0.3837", "0.2327", "0.2741", "0.4519"],
    5: ["0.3837", "0.2327", "0.7673", "0.2741", "0.4519", "0.5481"],
    6: ["0.3837", "0.4519", "0.7673", "0.5481", "0.9173"],
    7: ["0.7071", "0.4011", "0.1978", "0.3333", "0.8022"],
    8: ["−∞", "0.3775", "0.6225", "0.7673", "0.4519"],
    9: ["1.9093", "−0.4161", "0.02", "0.9998", "0.3349", "0.4053", "0.2599", "0.2013", "0.1547",
        "0.6440", "9", "36"],
}  # fmt: skip


@pytest.mark.parametrize(("number", "figure"), [(n, f) for n, row in SHOWN.items() for f in row])
def test_the_figures_of_the_lesson_are_in_the_page(
    lesson: Lesson, page: _Reader, number: int, figure: str
) -> None:
    text = page.sections[lesson.sections[number - 1].section.id]
    assert re.search(rf"(?<![\d.]){re.escape(figure)}(?!\d)", text)


def test_a_worked_example_names_its_whole_set_up(html: str) -> None:
    setups = re.findall(r'<dl class="setup">(.*?)</dl>', html, re.DOTALL)
    assert setups
    for setup in setups:
        assert re.findall(r"<dt>(.*?)</dt>", setup) == [
            "Tokens",
            "Heads",
            "Block future tokens",
            "Add positional encoding",
        ]


def _data(html: str) -> dict[str, object]:
    match = re.search(r'<script type="application/json" id="lesson-data">(.*?)</script>', html)
    assert match
    data: dict[str, object] = json.loads(match[1])
    return data


def test_the_data_hold_replies_unless_graded(lesson: Lesson) -> None:
    settings = lesson.settings.model_copy(update={"graded": True})
    questions = _data(render_page(replace(lesson, settings=settings)))["questions"]
    assert isinstance(questions, list)
    assert all(set(question) <= {"id", "kind"} for question in questions)
    open_questions = _data(render_page(lesson))["questions"]
    assert isinstance(open_questions, list)
    assert all("choices" in q or "answer" in q for q in open_questions)


def test_the_staff_page_shows_answers_and_the_students_does_not(lesson: Lesson, html: str) -> None:
    staff = render_page(lesson, staff=True)
    choice = next(c for q in lesson.questions if q.question.kind == "single-choice"
                  for c in q.question.choices if c.misconception)  # fmt: skip
    assert "Misconception:" in staff
    assert choice.misconception.split(";")[0][:30] in staff
    assert "Misconception:" not in html


def test_text_of_the_content_is_escaped(tmp_path: Path) -> None:
    lesson = load_lesson(TINY)
    section = lesson.sections[0].section.model_copy(update={"title": "</title><script>x</script>"})
    sections = [replace(lesson.sections[0], section=section), *lesson.sections[1:]]
    html = render_page(replace(lesson, sections=sections))
    assert "<script>x" not in html
